import assert from 'node:assert/strict'
import { MAX_DUE_COUNTED } from '@matchyard/core/ports'
import { apply, next, put, remove, store } from './changes'
import { aJob, claimJobs } from './claims'
import { area } from './harness'
import { aLobby, aRequest, aTicket } from './samples'

const it = area('metrics')

export const metricsCases = [
  it('of an empty store are zeros', async ({ storage }) => {
    assert.deepEqual(await storage.metrics(1_000), {
      lobbiesByStatus: { waiting: 0, in_queue: 0, matched: 0, starting: 0, in_game: 0 },
      waitingParties: 0,
      waitingPlayers: 0,
      jobsDue: [],
    })
  }),

  it('count lobbies by status and those who wait, through every change', async ({ storage }) => {
    const [a, b, c] = [aLobby(), aLobby({ projectId: 'prj_b' }), aLobby({ status: 'in_game' })]
    await store(storage, 'lobby', a, b, c)
    await store(storage, 'ticket', aTicket(), aTicket({ queueKey: 'prj_b/x', players: [] }))
    await apply(storage, { writes: [put('lobby', next(a, { status: 'in_queue' })), remove('lobby', c)] })
    const metrics = await storage.metrics(1_000)
    assert.deepEqual(metrics.lobbiesByStatus, { waiting: 1, in_queue: 1, matched: 0, starting: 0, in_game: 0 })
    assert.deepEqual([metrics.waitingParties, metrics.waitingPlayers], [2, 1])
  }),

  it('do not count a running match, which asks for newcomers, among those who wait', async ({ storage }) => {
    const request = aRequest()
    await store(storage, 'ticket', aTicket(), request)
    const waiting = async () => {
      const { waitingParties, waitingPlayers } = await storage.metrics(2_000)
      return [waitingParties, waitingPlayers]
    }
    assert.deepEqual(await waiting(), [1, 1])
    await store(storage, 'ticket', next(request))
    assert.deepEqual(await waiting(), [1, 1])
    await apply(storage, { writes: [remove('ticket', next(request))] })
    assert.deepEqual(await waiting(), [1, 1])
  }),

  it('count the jobs of each kind that could be claimed now, and tell the oldest', async ({ storage }) => {
    const work = [1_000, 2_000, 3_000, 9_000].map((runAt) => aJob(`at ${runAt}`, { runAt }))
    await apply(storage, { jobs: [...work, aJob('other', { kind: 'care', runAt: 2_500 })] })
    const due = async (now: number) => (await storage.metrics(now)).jobsDue
    assert.deepEqual(await due(999), [])
    assert.deepEqual(await due(1_000), [{ kind: 'work', count: 1, oldestAt: 1_000 }])
    const care = { kind: 'care', count: 1, oldestAt: 2_500 }
    assert.deepEqual(await due(3_000), [care, { kind: 'work', count: 3, oldestAt: 1_000 }])
    await claimJobs(storage, { now: 3_000, limit: 1, leaseMs: 1_000 })
    assert.deepEqual(await due(3_999), [care, { kind: 'work', count: 2, oldestAt: 2_000 }])
    assert.deepEqual(await due(4_000), [care, { kind: 'work', count: 3, oldestAt: 1_000 }])
  }),

  it('count the jobs of each kind no further than the bound', async ({ storage }) => {
    const work = Array.from({ length: MAX_DUE_COUNTED + 50 }, (_, n) => aJob(`job ${n}`, { runAt: 1_000 + (n % 7) }))
    await apply(storage, { jobs: [...work, aJob('other', { kind: 'care' })] })
    const due = [
      { kind: 'care', count: 1, oldestAt: 1_000 },
      { kind: 'work', count: MAX_DUE_COUNTED, oldestAt: 1_000 },
    ]
    assert.deepEqual((await storage.metrics(5_000)).jobsDue, due)
  }),
]
