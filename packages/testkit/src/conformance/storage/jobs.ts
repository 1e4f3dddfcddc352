import assert from 'node:assert/strict'
import type { ClaimedJob, JobSpec, Storage } from '@matchyard/core/ports'
import { apply, idsOf, next, put, refuse } from './changes'
import { aJob, claimJobs, kindsDue, nextAt } from './claims'
import { area } from './harness'
import { aLobby } from './samples'

const it = area('jobs')

const job = (id: string, runAt: number, payload: JobSpec['payload'] = {}): JobSpec => aJob(id, { runAt, payload })
const add = (storage: Storage, ...jobs: JobSpec[]) => apply(storage, { jobs })
const claim = (storage: Storage, now: number, limit = 100, leaseMs = 1_000) =>
  claimJobs(storage, { now, limit, leaseMs })
const nextOf = (storage: Storage, after = 0) => nextAt(storage, ['work'], after)
const BOTH = ['expire', 'work']

async function claimOne(storage: Storage, now: number): Promise<ClaimedJob> {
  const [claimed, ...rest] = await claim(storage, now)
  assert.ok(claimed)
  assert.deepEqual(rest, [])
  return claimed
}

export const jobCases = [
  it('are claimed once they are due, oldest first, up to the limit', async ({ storage }) => {
    await add(storage, job('c', 3_000), job('a', 1_000), job('later', 9_000), job('b', 2_000), job('a2', 1_000))
    assert.deepEqual(await claim(storage, 999), [])
    assert.deepEqual(idsOf(await claim(storage, 3_000, 3)), ['a', 'a2', 'b'])
    assert.deepEqual(idsOf(await claim(storage, 3_000, 3)), ['c'])
    assert.deepEqual(await claim(storage, 3_000, 3), [])
  }),

  it('are claimed as they were put, with the number of the attempt', async ({ storage }) => {
    const put = job('a', 1_000, { lobby: 'lob_a', list: [1, null] })
    await add(storage, put)
    const { attempts, lapsed, token, ...spec } = await claimOne(storage, 1_000)
    assert.deepEqual(spec, put)
    assert.deepEqual([attempts, lapsed], [1, false])
    assert.equal(typeof token, 'string')
  }),

  it('go to one claimer each, however many claim at once', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    const all = Array.from({ length: 120 }, (_, index) =>
      job(`job ${String(index).padStart(3, '0')}`, 1_000 + (index % 7)),
    )
    await add(here, ...all)
    const taken = await Promise.all(
      Array.from({ length: 12 }, (_, index) => claim(index % 2 === 0 ? here : there, 2_000, 15)),
    )
    const rest = await claim(here, 2_000, 200)
    const ids = idsOf([...taken.flat(), ...rest])
    assert.deepEqual(ids.sort(), idsOf(all))
  }),

  it('can be taken by name, due or not, unless they are in another’s hands', async ({ storage }) => {
    const put = job('a', 9_000, { lobby: 'lob_a' })
    await add(storage, put, job('b', 1_000))
    const take = (id: string, now: number, holder: string) => storage.jobs.take(id, { now, leaseMs: 1_000, holder })
    const taken = await take('a', 1_000, 'node_1')
    assert.ok(taken)
    const { attempts, lapsed, token: _, ...spec } = taken
    assert.deepEqual(spec, put)
    assert.deepEqual([attempts, lapsed], [1, false])
    assert.equal(await take('a', 1_999, 'node_2'), undefined)
    assert.equal(await take('none', 1_000, 'node_1'), undefined)
    const again = await take('a', 2_000, 'node_2')
    assert.deepEqual([again?.attempts, again?.lapsed], [2, true])
    assert.equal(await storage.jobs.complete(taken), false)
    assert.ok(again && (await storage.jobs.retry(again, 9_000)))
    assert.deepEqual(idsOf(await claim(storage, 3_000)), ['b'])
    assert.equal(await take('b', 3_500, 'node_1'), undefined)
  }),

  it('that many take by name go to one', async (subject) => {
    const stores = [subject.storage, await subject.another()]
    await add(subject.storage, job('a', 9_000))
    const take = (index: number) => stores[index % 2]?.jobs.take('a', { now: 1_000, leaseMs: 500, holder: `n${index}` })
    const taken = await Promise.all(Array.from({ length: 12 }, (_, index) => take(index)))
    assert.equal(taken.filter((one) => one !== undefined).length, 1)
  }),

  it('are gone once they are complete', async ({ storage, backDoor }) => {
    await add(storage, job('a', 1_000))
    const claimed = await claimOne(storage, 1_000)
    assert.equal(await storage.jobs.complete(claimed), true)
    assert.deepEqual(await backDoor.jobs(), [])
    assert.equal(await storage.jobs.complete(claimed), false)
    assert.deepEqual(await claim(storage, 99_000), [])
  }),

  it('go to another when the lease has run out, not before, and the first claimer has lost them', async (subject) => {
    const { storage } = subject
    await add(storage, job('a', 1_000))
    const first = await claimOne(storage, 1_000)
    assert.deepEqual(await claim(storage, 1_999), [])
    const second = await claimOne(storage, 2_000)
    assert.equal(second.attempts, 2)
    assert.notEqual(second.token, first.token)
    assert.equal(await storage.jobs.complete(first), false)
    assert.equal(await storage.jobs.retry(first, 5_000), false)
    assert.equal((await subject.backDoor.jobs()).length, 1)
    assert.equal(await storage.jobs.complete(second), true)
  }),

  it('may be completed after the lease has run out while nobody else has claimed them', async ({ storage }) => {
    await add(storage, job('a', 1_000))
    const claimed = await claimOne(storage, 1_000)
    assert.equal(await nextOf(storage), undefined)
    assert.equal(await storage.jobs.complete(claimed), true)
  }),

  it('are given back to run again later, with their attempts', async ({ storage, backDoor }) => {
    await add(storage, job('a', 1_000, { n: 1 }))
    const first = await claimOne(storage, 1_000)
    assert.equal(await storage.jobs.retry(first, 5_000), true)
    assert.equal(await storage.jobs.retry(first, 6_000), false)
    assert.equal(await storage.jobs.complete(first), false)
    assert.deepEqual(await backDoor.jobs(), [job('a', 5_000, { n: 1 })])
    assert.deepEqual(await claim(storage, 4_999), [])
    const second = await claimOne(storage, 5_000)
    assert.deepEqual([second.attempts, second.runAt], [2, 5_000])
  }),

  it('that are put again replace the old ones and never pile up', async ({ storage, backDoor }) => {
    await add(storage, job('a', 1_000, { n: 1 }))
    await add(storage, job('a', 3_000, { n: 2 }))
    assert.deepEqual(await backDoor.jobs(), [job('a', 3_000, { n: 2 })])
    assert.deepEqual(await claim(storage, 2_000), [])
    assert.deepEqual((await claimOne(storage, 3_000)).payload, { n: 2 })
  }),

  it('that are put again with another kind and tenant are those of the new kind only', async ({ storage }) => {
    await add(storage, job('a', 1_000))
    await add(storage, { ...job('a', 1_000), kind: 'forget-backlog', tenant: 'another' })
    assert.deepEqual(await claim(storage, 1_000), [])
    const [moved] = await claimJobs(storage, { kinds: ['forget-backlog'], now: 1_000 })
    assert.deepEqual([moved?.id, moved?.kind, moved?.tenant], ['a', 'forget-backlog', 'another'])
  }),

  it('that are put again are taken from whoever had claimed them', async ({ storage }) => {
    await add(storage, job('a', 1_000, { n: 1 }))
    const old = await claimOne(storage, 1_000)
    await add(storage, job('a', 1_000, { n: 2 }))
    assert.equal(await storage.jobs.complete(old), false)
    const fresh = await claimOne(storage, 1_001)
    assert.deepEqual([fresh.payload, fresh.attempts], [{ n: 2 }, 1])
    assert.equal(await storage.jobs.complete(old), false)
    assert.equal(await storage.jobs.retry(old, 9_000), false)
    assert.equal(await storage.jobs.complete(fresh), true)
  }),

  it('of a refused commit are not put, and replace nothing', async ({ storage }) => {
    await add(storage, job('a', 1_000, { n: 1 }))
    const claimed = await claimOne(storage, 1_000)
    const lobby = next(aLobby())
    await refuse(
      storage,
      { writes: [put('lobby', lobby)], jobs: [job('a', 1_000, { n: 2 }), job('b', 1_000)] },
      { kind: 'lobby', id: lobby.id, on: 'version' },
    )
    assert.deepEqual(await claim(storage, 1_500), [])
    assert.equal(await storage.jobs.complete(claimed), true)
  }),

  it('tell when the earliest of some kinds that nobody holds is due after an instant', async ({ storage }) => {
    assert.equal(await nextOf(storage), undefined)
    await add(storage, job('b', 2_000), job('a', 1_000))
    assert.equal(await nextOf(storage), 1_000)
    const claimed = await claimOne(storage, 1_000)
    assert.equal(await nextOf(storage), 2_000)
    await storage.jobs.retry(claimed, 1_500)
    assert.equal(await nextOf(storage), 1_500)
    await add(storage, aJob('other kind', { kind: 'expire', runAt: 1_200 }))
    assert.equal(await nextOf(storage), 1_500)
    assert.equal(await nextAt(storage, BOTH, 1_199), 1_200)
    assert.equal(await nextAt(storage, BOTH, 1_200), 1_500)
    assert.equal(await nextOf(storage, 1_500), 2_000)
    assert.equal(await nextOf(storage, 2_000), undefined)
  }),

  it('say of which kinds one can be claimed now: none that somebody holds, those that a claimer has lost', async ({
    storage,
  }) => {
    const due = (now: number) => kindsDue(storage, BOTH, now)
    await add(storage, job('a', 1_000), aJob('other kind', { kind: 'expire', runAt: 3_000 }))
    assert.deepEqual(await due(999), [])
    assert.deepEqual(await due(1_000), ['work'])
    assert.deepEqual(await kindsDue(storage, ['expire'], 2_999), [])
    assert.deepEqual((await due(3_000)).sort(), BOTH)
    const claimed = await claimOne(storage, 1_000)
    assert.deepEqual(await due(1_999), [])
    assert.deepEqual(await due(2_000), ['work'])
    await storage.jobs.complete(claimed)
    assert.deepEqual(await due(2_000), [])
    assert.deepEqual(await storage.jobs.agenda([], 9_000), [])
  }),

  it('that one holds before they are due are due for nobody when the claim runs out', async ({ storage }) => {
    await add(storage, job('a', 9_000))
    await storage.jobs.take('a', { now: 1_000, leaseMs: 1_000, holder: 'node_1' })
    assert.deepEqual(await kindsDue(storage, BOTH, 5_000), [])
    assert.deepEqual(await kindsDue(storage, BOTH, 9_000), ['work'])
  }),
]
