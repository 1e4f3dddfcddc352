import type { Storage } from '@matchyard/core/ports'
import { expect, it } from 'vitest'
import { SLICE_MS } from '../../src/node/slices'
import { service, settled } from './service'

const WAITING = 600

/** Returns a service with many waiting tickets in a queue; the storage blocks this process for 5 ms per page. */
async function crowded() {
  const pages: { readonly limit: number; readonly at: number }[] = []
  let since = Number.POSITIVE_INFINITY
  const given = await service((storage: Storage) => ({
    tickets: {
      ...storage.tickets,
      changedSince: (queueKey, cursor, limit) => {
        pages.push({ limit, at: given?.clock.now() ?? 0 })
        if (Number.isFinite(since)) given.clock.advance(5)
        return storage.tickets.changedSince(queueKey, cursor, limit)
      },
    },
  }))
  const { matchyard, projectId } = given
  const rules = [{ type: 'difference' as const, field: 'mmr', maxDifference: 0 }]
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', matchmaking: { rules } })
  for (let i = 0; i < WAITING; i++) {
    const [playerId, state] = [`player_${i}`, { mmr: i }]
    const { id } = await matchyard.lobbies.create({ projectId, playerId, queueId: 'duel', state })
    await matchyard.lobbies.enqueue({ projectId, lobbyId: id, playerId })
  }
  since = given.clock.now()
  return { ...given, pages }
}

it('a director gives the event loop back while it reads thousands of tickets', async () => {
  const { matchyard, projectId, clock, pages } = await crowded()
  let done = false
  const tick = matchyard.matchmaking.runQueue(`${projectId}/duel`).then(() => {
    done = true
  })
  await settled()
  // Two pages take longer than one slice, so the director waits for a timer and other work runs.
  expect([done, pages.length]).toEqual([false, 2])
  expect(Math.max(...pages.map(({ limit }) => limit))).toBeLessThanOrEqual(250)
  while (!done) {
    clock.advance(0)
    await settled()
  }
  await tick
  expect(pages.length).toBeGreaterThanOrEqual(WAITING / 250)
  expect(clock.now() - (pages[0]?.at ?? 0)).toBeGreaterThan(SLICE_MS)
})

it('a changed queue looks at its tickets in slices', async () => {
  const { matchyard, projectId, clock, pages } = await crowded()
  await matchyard.queues.update({ projectId, queueId: 'duel', changes: { matchmaking: { teams: 3 } } })
  let done = false
  const work = matchyard.worker.runDueJobs().then(() => {
    done = true
  })
  await settled()
  expect(done).toBe(false)
  expect(pages.every(({ limit }) => limit <= 100)).toBe(true)
  while (!done) {
    clock.advance(0)
    await settled()
  }
  await work
  expect(pages.length).toBeGreaterThanOrEqual(WAITING / 100)
})
