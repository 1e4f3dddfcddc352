import assert from 'node:assert/strict'
import { DAY_MS, MINUTE_MS } from '@matchyard/core/domain'
import {
  byPlace,
  HISTORY_KEPT_MS,
  HISTORY_STEP_NAMES,
  HISTORY_STEPS,
  type HistoryCell,
  type HistoryPart,
  type HistoryQuery,
  historyPlaceAt,
  type Storage,
} from '@matchyard/core/ports'
import { apply, change, put, store } from './changes'
import { area } from './harness'
import { aLobby, PROJECT_ID } from './samples'

const it = area('history')

const AT = 20_000 * DAY_MS
const aRow = (over: Partial<HistoryCell> = {}): HistoryCell => ({
  ...{ projectId: PROJECT_ID, queueId: 'ranked', series: 'waits', key: '03', step: MINUTE_MS, slot: AT },
  ...{ count: 1, sum: 4_000, most: 4_000 },
  ...over,
})
const read = (storage: Storage, over: Partial<HistoryQuery> = {}): Promise<HistoryPart[]> =>
  storage.history.read({
    ...{ projectId: PROJECT_ID, queueId: 'ranked', series: 'waits', step: MINUTE_MS },
    ...{ from: AT, to: AT + 10 * MINUTE_MS, limit: 1_000 },
    ...over,
  })
const part = (over: Partial<HistoryPart> = {}): HistoryPart => ({
  ...{ slot: AT, key: '03', count: 1, sum: 4_000, most: 4_000 },
  ...over,
})

export const historyCases = [
  it('adds up rows by step, slot, project, series, queue and key', async ({ storage, reopen }) => {
    await apply(storage, { history: [aRow(), aRow({ key: '04', sum: 9_000, most: 9_000 })] })
    await apply(storage, { history: [aRow({ count: 2, sum: 7_000, most: 3_900 })] })
    const others = [{ step: 5 * MINUTE_MS }, { projectId: 'prj_b' }, { series: 'exits' } as const, { queueId: 'duel' }]
    await apply(storage, { history: [...others.map(aRow), aRow({ slot: AT + MINUTE_MS })] })
    const expected = [
      part({ count: 3, sum: 11_000 }),
      part({ key: '04', sum: 9_000, most: 9_000 }),
      part({ slot: AT + MINUTE_MS }),
    ]
    assert.deepEqual(await read(storage), expected)
    assert.deepEqual(await read(storage, { step: 5 * MINUTE_MS }), [part()])
    assert.deepEqual(await read(storage, { projectId: 'prj_b' }), [part()])
    assert.deepEqual(await read(await reopen()), expected)
  }),

  it('sums the queues of a project, and amounts without a queue, where no queue is asked for', async ({ storage }) => {
    const rows = [aRow(), aRow({ queueId: 'duel', sum: 9_000, most: 9_000 }), aRow({ queueId: '', key: '01' })]
    await apply(storage, { history: [...rows, aRow({ projectId: 'prj_b' })] })
    const all = await storage.history.read({
      ...{ projectId: PROJECT_ID, series: 'waits', step: MINUTE_MS, from: AT, to: AT + MINUTE_MS, limit: 10 },
    })
    assert.deepEqual(all, [part({ key: '01' }), part({ count: 2, sum: 13_000, most: 9_000 })])
    assert.deepEqual(await read(storage, { queueId: '' }), [part({ key: '01' })])
  }),

  it('is read from its first slot to the end, which is excluded, and at most as many as asked', async ({ storage }) => {
    const slots = [-1, 0, 1, 5, 10].map((minutes) => AT + minutes * MINUTE_MS)
    await apply(storage, { history: slots.map((slot) => aRow({ slot })) })
    const told = async (over: Partial<HistoryQuery>) => (await read(storage, over)).map(({ slot }) => slot)
    assert.deepEqual(await told({}), slots.slice(1, 4))
    assert.deepEqual(await told({ limit: 2 }), slots.slice(1, 3))
    assert.deepEqual(await told({ from: AT, to: AT }), [])
  }),

  it('comes from what was applied, and from that once', async ({ storage }) => {
    const lobby = aLobby()
    await store(storage, 'lobby', lobby)
    const refused = change({ writes: [put('lobby', lobby)], history: [aRow({ count: 50 })] })
    assert.equal((await storage.commit(refused)).ok, false)
    const applied = change({ history: [aRow({ count: 3 })] })
    await storage.commit(applied)
    await storage.commit(applied)
    assert.deepEqual(await read(storage), [part({ count: 3 })])
  }),

  it('of many commits at once loses none', async (subject) => {
    const handles = [subject.storage, await subject.another()]
    const commits = Array.from({ length: 60 }, (_, index) =>
      change({ history: [aRow({ most: index }), aRow({ key: `0${index % 3}`, slot: AT + MINUTE_MS })] }),
    )
    await Promise.all(commits.map((commit, index) => handles[index % 2]?.commit(commit)))
    const [first, ...rest] = await read(subject.storage)
    assert.deepEqual(first, part({ count: 60, sum: 240_000, most: 59 }))
    assert.deepEqual(
      rest.map(({ count }) => count),
      [20, 20, 20],
    )
  }),

  it('lists the rows of one step after a place, whole and in order', async ({ storage }) => {
    const rows = [
      aRow({ projectId: 'prj_0', queueId: 'zebra' }),
      aRow({ series: 'exits', key: 'timeout' }),
      aRow({ queueId: '' }),
      aRow({ key: '02' }),
      aRow({ slot: AT + MINUTE_MS, projectId: 'prj_0' }),
      aRow({ slot: AT + 2 * MINUTE_MS }),
    ]
    // Each of these commits adds to all rows, also on connections of their own.
    await apply(storage, { history: [...rows].reverse() })
    await apply(storage, { history: [...rows, aRow({ step: 5 * MINUTE_MS })] })
    const twice = rows.map((row) => ({ ...row, count: 2, sum: 8_000 })).sort(byPlace)
    const told: HistoryCell[] = []
    for (let page: HistoryCell[] = []; told.length < 10; told.push(...page)) {
      page = await storage.history.rows(MINUTE_MS, told.at(-1) ?? historyPlaceAt(0), AT + 2 * MINUTE_MS, 2)
      if (page.length === 0) break
    }
    assert.deepEqual(told, twice.slice(0, 5))
    assert.equal((await storage.history.rows(MINUTE_MS, historyPlaceAt(AT + MINUTE_MS), AT + DAY_MS, 10)).length, 2)
  }),

  it('forgets the rows that are older than their step is kept, and no others', async ({ storage, reopen }) => {
    const kept = HISTORY_STEP_NAMES.flatMap((name) => {
      const [step, last] = [HISTORY_STEPS[name], AT - HISTORY_KEPT_MS[name]]
      return [aRow({ step, slot: last - step }), aRow({ step, slot: last }), aRow({ step, slot: AT })]
    })
    await apply(storage, { history: kept })
    await storage.prune(AT)
    for (const again of [async () => storage, reopen]) {
      const from = await again()
      for (const name of HISTORY_STEP_NAMES) {
        const step = HISTORY_STEPS[name]
        const rows = await from.history.rows(step, historyPlaceAt(0), AT + DAY_MS, 10)
        assert.deepEqual(
          rows.map(({ slot }) => slot),
          [AT - HISTORY_KEPT_MS[name], AT],
        )
      }
    }
  }),
]
