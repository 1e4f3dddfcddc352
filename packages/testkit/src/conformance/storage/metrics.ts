import assert from 'node:assert/strict'
import { apply, next, put, remove, store } from './changes'
import { area } from './harness'
import { aLobby, aTicket } from './samples'

const it = area('metrics')

export const metricsCases = [
  it('of an empty store are zeros', async ({ storage }) => {
    assert.deepEqual(await storage.metrics(1_000), {
      lobbiesByStatus: { waiting: 0, in_queue: 0, matched: 0, starting: 0, in_game: 0 },
      waitingParties: 0,
      waitingPlayers: 0,
      jobsDue: 0,
      oldestDueAt: undefined,
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

  it('count the jobs that could be claimed now, and tell the oldest', async ({ storage }) => {
    const jobs = [1_000, 2_000, 3_000, 9_000].map((runAt) => ({ id: `at ${runAt}`, kind: 'work', runAt, payload: {} }))
    await apply(storage, { jobs })
    const due = async (now: number) => {
      const { jobsDue, oldestDueAt } = await storage.metrics(now)
      return [jobsDue, oldestDueAt]
    }
    assert.deepEqual(await due(999), [0, undefined])
    assert.deepEqual(await due(3_000), [3, 1_000])
    await storage.jobs.claim({ now: 3_000, limit: 1, leaseMs: 1_000 })
    assert.deepEqual(await due(3_999), [2, 2_000])
    assert.deepEqual(await due(4_000), [3, 1_000])
  }),
]
