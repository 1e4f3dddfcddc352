import assert from 'node:assert/strict'
import type { JobSpec, Storage } from '@matchyard/core/ports'
import { apply, idsOf } from './changes'
import { aJob, claimJobs, nextAt } from './claims'
import { area } from './harness'

const it = area('jobs')

const add = (storage: Storage, ...jobs: JobSpec[]) => apply(storage, { jobs })
const numbered = (count: number, name: string, parts: Partial<JobSpec>) =>
  Array.from({ length: count }, (_, index) => aJob(`${name} ${String(index).padStart(5, '0')}`, parts))

/** Number of waiting jobs; it is larger than the number that an adapter examines separately. */
const BACKLOG = 3_000

/**
 * Cases about the order in which tenants get claims, about ignored kinds of jobs, and about the duration and the owner
 * of claims.
 */
export const jobTurnCases = [
  it('of a kind that the claimer does not know are left alone', async ({ storage, backDoor }) => {
    await add(storage, aJob('newer', { kind: 'of a newer release', runAt: 1 }), aJob('known', { runAt: 2_000 }))
    assert.deepEqual(idsOf(await claimJobs(storage, { now: 5_000 })), ['known'])
    assert.equal((await backDoor.jobs()).length, 2)
    assert.deepEqual(idsOf(await claimJobs(storage, { now: 5_000, kinds: ['of a newer release'] })), ['newer'])
    assert.deepEqual(await claimJobs(storage, { now: 99_000, kinds: [] }), [])
  }),

  it('go round the tenants: the first of each before the second of any, the oldest first within a turn', async ({
    storage,
  }) => {
    await add(storage, ...numbered(3, 'a', { tenant: 'acc_a' }))
    await add(storage, aJob('b 1', { tenant: 'acc_b', runAt: 3_000 }), aJob('c 1', { tenant: 'acc_c', runAt: 2_000 }))
    await add(storage, aJob('b 2', { tenant: 'acc_b', runAt: 4_000 }), aJob('own', { tenant: '', runAt: 2_500 }))
    const turns = ['a 00000', 'c 1', 'own', 'b 1', 'a 00001', 'b 2']
    assert.deepEqual(idsOf(await claimJobs(storage, { now: 5_000, limit: 6 })), turns)
    assert.deepEqual(idsOf(await claimJobs(storage, { now: 5_000, limit: 6 })), ['a 00002'])
  }),

  it('count those in hand: a tenant never has more than its share, and one with fewer goes first', async ({
    storage,
  }) => {
    await add(storage, ...numbered(4, 'a', { tenant: 'acc_a' }), ...numbered(4, 'b', { tenant: 'acc_b', runAt: 2_000 }))
    const inHand = new Map([['acc_a', 2]])
    const first = await claimJobs(storage, { now: 5_000, limit: 3, perTenant: 3, inHand })
    assert.deepEqual(idsOf(first), ['b 00000', 'b 00001', 'a 00000'])
    const full = new Map([
      ['acc_a', 3],
      ['acc_b', 2],
    ])
    assert.deepEqual(idsOf(await claimJobs(storage, { now: 5_000, perTenant: 3, inHand: full })), ['b 00002'])
    assert.deepEqual(await claimJobs(storage, { now: 5_000, perTenant: 0 }), [])
  }),

  it("are found behind any backlog of another tenant's, of any kind", async ({ storage }) => {
    await add(storage, ...numbered(BACKLOG, 'crowd', { tenant: 'acc_m' }))
    for (const tenant of ['acc_a', 'acc_z', '']) await add(storage, aJob(`one of ${tenant}`, { tenant, runAt: 4_000 }))
    await add(storage, aJob('other kind', { tenant: 'acc_q', kind: 'expire', runAt: 4_500 }))
    const claimed = await claimJobs(storage, { now: 5_000, limit: 8, perTenant: 4, inHand: new Map([['acc_m', 1]]) })
    const others = ['one of ', 'one of acc_a', 'one of acc_z', 'other kind']
    assert.deepEqual(idsOf(claimed).slice(0, 4), others)
    assert.deepEqual(idsOf(claimed).slice(4), ['crowd 00000', 'crowd 00001', 'crowd 00002'])
    // The tenant `acc_m` has reached its limit of jobs. After this claim, only jobs of that tenant remain.
    await add(storage, aJob('later', { tenant: 'acc_b', runAt: 4_900 }))
    const next = await claimJobs(storage, { now: 5_000, limit: 8, perTenant: 4, inHand: new Map([['acc_m', 4]]) })
    assert.deepEqual(idsOf(next), ['later'])
    assert.equal(await nextAt(storage, ['work'], 5_000), undefined)
  }),

  it('are found behind the backlogs of many tenants, all of them in the end', async ({ storage }) => {
    const tenants = Array.from({ length: 400 }, (_, index) => `acc_${String(index).padStart(3, '0')}`)
    await add(storage, ...tenants.flatMap((tenant) => numbered(2, tenant, { tenant })))
    const seen = new Set<string>()
    for (let round = 0; round < 50; round++) {
      for (const { tenant } of await claimJobs(storage, { now: 5_000, limit: 16, perTenant: 1 })) seen.add(tenant)
    }
    assert.equal(seen.size, tenants.length)
  }),

  it('stay with whoever renews them, and tell whose renewal came too late', async ({ storage }) => {
    await add(storage, aJob('kept', { runAt: 1_000 }), aJob('lost', { runAt: 1_001 }), aJob('done', { runAt: 1_002 }))
    const held = await claimJobs(storage, { now: 1_500 })
    const [kept, lost, done] = held
    assert.ok(kept && lost && done)
    assert.deepEqual(await storage.jobs.renew(held, 3_000), held)
    assert.deepEqual(await claimJobs(storage, { now: 2_999 }), [])
    assert.deepEqual(await storage.jobs.renew([kept], 9_000), [kept])
    assert.equal(await storage.jobs.complete(done), true)
    assert.deepEqual(idsOf(await claimJobs(storage, { now: 3_000, holder: 'node_b' })), ['lost'])
    assert.deepEqual(await storage.jobs.renew(held, 20_000), [kept])
    assert.deepEqual(idsOf(await claimJobs(storage, { now: 9_000 })), ['lost'])
    assert.deepEqual(await storage.jobs.renew([], 9_000), [])
  }),

  it('may be renewed after their lease ran out while nobody else has claimed them', async ({ storage }) => {
    await add(storage, aJob('a'))
    const held = await claimJobs(storage, { now: 1_000 })
    assert.deepEqual(await storage.jobs.renew(held, 9_000), held)
    assert.deepEqual(await claimJobs(storage, { now: 5_000 }), [])
  }),

  it('tell whether the claim before ran out: not when they were given back, released or put again', async ({
    storage,
  }) => {
    const only = async (now: number) => {
      const [claimed, ...rest] = await claimJobs(storage, { now })
      assert.deepEqual(rest, [])
      assert.ok(claimed)
      return claimed
    }
    await add(storage, aJob('a'))
    assert.equal((await only(1_000)).lapsed, false)
    const second = await only(3_000)
    assert.equal(second.lapsed, true)
    await storage.jobs.retry(second, 3_500)
    assert.equal((await only(3_500)).lapsed, false)
    await storage.jobs.releaseHeld('node_a')
    assert.equal((await only(3_600)).lapsed, false)
    await add(storage, aJob('a'))
    assert.equal((await only(9_000)).lapsed, false)
  }),

  it('that a holder left behind are given back at once, and nobody else’s', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    await add(here, aJob('a', { runAt: 1_000 }), aJob('b', { runAt: 2_000 }))
    const [mine] = await claimJobs(here, { now: 1_500, leaseMs: 60_000 })
    const [theirs] = await claimJobs(there, { now: 2_500, leaseMs: 60_000, holder: 'node_b' })
    assert.ok(mine && theirs)
    assert.equal(await there.jobs.releaseHeld('node_a'), 1)
    assert.equal(await here.jobs.releaseHeld('node_a'), 0)
    assert.equal(await here.jobs.complete(mine), false)
    assert.equal(await here.jobs.retry(mine, 9_000), false)
    assert.deepEqual(await here.jobs.renew([mine, theirs], 99_000), [theirs])
    const [again] = await claimJobs(there, { now: 2_600, holder: 'node_b' })
    assert.deepEqual([again?.id, again?.runAt, again?.attempts], ['a', 1_000, 2])
    assert.equal(await there.jobs.complete(theirs), true)
  }),
]
