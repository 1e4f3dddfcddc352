import assert from 'node:assert/strict'
import { MINUTE_MS } from '@matchyard/core/domain'
import { ARRIVALS_KEPT, ARRIVALS_KEPT_MS, arrivalsId, type Entities } from '@matchyard/core/ports'
import { next, store } from './changes'
import { area } from './harness'
import { anArrival, anArrivalBatch, PROJECT_ID } from './samples'

const it = area('arrivals')
const NOW = 100 * ARRIVALS_KEPT_MS
const ROOM = { limit: 100, maxBytes: 1_000_000 }

type Batch = Entities['arrivals']
const nameOf = ({ id }: Batch) => id.slice(id.lastIndexOf('/') + 1)
const namesOf = (batches: readonly Batch[]) => batches.map(nameOf)
const ofParties = (name: string, leftAt: number, parties: number) =>
  anArrivalBatch({ name, leftAt, arrivals: Array.from({ length: parties }, () => anArrival({ players: [] })) })

export const arrivalCases = [
  it('are told by their queue and the instant of their commit, oldest first, from any of them on', async ({
    storage,
  }) => {
    const queueKey = `${PROJECT_ID}/ranked`
    const [a, b, c, d] = [
      anArrivalBatch({ name: 'arr_b', leftAt: 1_000 }),
      anArrivalBatch({ name: 'arr_d', leftAt: 2_000 }),
      anArrivalBatch({ name: 'arr_e', leftAt: 2_000 }),
      anArrivalBatch({ name: 'arr_a', leftAt: 3_000 }),
    ]
    await store(storage, 'arrivals', c, a, d, b)
    await store(storage, 'arrivals', anArrivalBatch({ queueKey: `${PROJECT_ID}/ranked2`, leftAt: 1_500 }))
    const list = (query: object) => storage.arrivals.list({ queueKey, since: 0, ...ROOM, ...query })
    assert.deepEqual(await list({}), [a, b, c, d])
    assert.deepEqual(namesOf(await list({ since: 2_000 })), ['arr_d', 'arr_e', 'arr_a'])
    assert.deepEqual(namesOf(await list({ after: b.id })), ['arr_e', 'arr_a'])
    assert.deepEqual(namesOf(await list({ after: arrivalsId(queueKey, 2_500, 'arr_z') })), ['arr_a'])
    assert.deepEqual(namesOf(await list({ limit: 2 })), ['arr_b', 'arr_d'])
    assert.deepEqual(await list({ since: 3_001 }), [])
    assert.deepEqual(await list({ queueKey: `${PROJECT_ID}/none` }), [])
    // A batch of records that has become empty keeps its position in the list, but the storage returns none of its
    // records.
    const less = next(b, { arrivals: [] })
    await store(storage, 'arrivals', less)
    assert.deepEqual(await list({}), [a, less, c, d])
  }),

  it('stay within the bytes asked for, but for the first of them', async ({ storage }) => {
    const batches = [1_000, 2_000, 3_000].map((leftAt) => anArrivalBatch({ leftAt }))
    await store(storage, 'arrivals', ...batches)
    const bytes = JSON.stringify(batches[0]).length
    const list = (maxBytes: number) =>
      storage.arrivals.list({ queueKey: `${PROJECT_ID}/ranked`, since: 0, limit: 9, maxBytes })
    assert.equal((await list(1)).length, 1)
    assert.equal((await list(2 * bytes + 1)).length, 2)
    assert.equal((await list(4 * bytes)).length, 3)
  }),

  it('are forgotten after a day, and the oldest of a queue as soon as enough came after them', async ({
    storage,
    backDoor,
  }) => {
    const part = (ARRIVALS_KEPT * 2) / 5
    await store(
      storage,
      'arrivals',
      anArrivalBatch({ name: 'arr_old', queueKey: 'q/other', leftAt: NOW - ARRIVALS_KEPT_MS - 1 }),
      anArrivalBatch({ name: 'arr_young', queueKey: 'q/other', leftAt: NOW - ARRIVALS_KEPT_MS }),
      ofParties('arr_1', NOW - 5, 10),
      ofParties('arr_2', NOW - 4, part),
      ofParties('arr_3', NOW - 3, part),
      ofParties('arr_4', NOW - 2, part),
    )
    await storage.prune(NOW)
    const kept = async () => namesOf((await backDoor.entities('arrivals')).map(({ value }) => value)).sort()
    // The number of records that a queue keeps ends inside the third batch from the end. The storage removes only whole
    // batches, so this batch stays.
    assert.deepEqual(await kept(), ['arr_2', 'arr_3', 'arr_4', 'arr_young'])
    // The counts that a pruning stores must stay correct for later prunings, also when batches are added or reduced in
    // between.
    await storage.prune(NOW + MINUTE_MS)
    assert.deepEqual(await kept(), ['arr_2', 'arr_3', 'arr_4'])
    const fifth = ofParties('arr_5', NOW + MINUTE_MS, part)
    await store(storage, 'arrivals', fifth)
    await storage.prune(NOW + 2 * MINUTE_MS)
    assert.deepEqual(await kept(), ['arr_3', 'arr_4', 'arr_5'])
    // Removed batches do not count. So another pruning at the same time removes nothing.
    await storage.prune(NOW + 2 * MINUTE_MS)
    assert.deepEqual(await kept(), ['arr_3', 'arr_4', 'arr_5'])
    await store(storage, 'arrivals', next(fifth, { arrivals: [] }), ofParties('arr_6', NOW + 2 * MINUTE_MS, part))
    await storage.prune(NOW + 4 * MINUTE_MS)
    assert.deepEqual(await kept(), ['arr_3', 'arr_4', 'arr_5', 'arr_6'])
  }),
]
