import { createMatchyard } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, fakePlatform } from '@matchyard/testkit'
import { expect, it } from 'vitest'

const HOUR = 3_600_000

/** Returns a match of two lobbies without a server, in a queue with these settings. */
async function playing(
  settings: { matchTtlSeconds?: number | null; serverSettings?: { source: 'external' } } = {},
  { asksPlayers = false } = {},
) {
  const clock = new FakeClock()
  const matchyard = createMatchyard({ ...fakePlatform({ clock, seed: 1 }), storage: memoryStorage() })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  const readyCheck = asksPlayers ? { readyCheck: { timeoutSeconds: 15 } } : {}
  const matchmaking = { teams: 2, playersPerTeam: 1, ...readyCheck }
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', matchmaking, ...settings })
  const lobbies: { projectId: string; lobbyId: string; playerId: string }[] = []
  for (const playerId of ['ann', 'bob']) {
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId })
    await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId })
    lobbies.push({ projectId, lobbyId, playerId })
  }
  await matchyard.matchmaking.runQueue(`${projectId}/duel`)
  if (asksPlayers) for (const lobby of lobbies) await matchyard.lobbies.accept(lobby)
  await matchyard.worker.runDueJobs()
  const lobbiesNow = () => Promise.all(lobbies.map((lobby) => matchyard.lobbies.get({ ...lobby, backend: true })))
  const matchId = (await lobbiesNow())[0]?.matchId ?? ''
  const pass = async (ms: number) => {
    clock.advance(ms)
    await matchyard.worker.runDueJobs()
  }
  const statuses = async () => (await lobbiesNow()).map(({ status }) => status)
  const matchNow = async () => (await matchyard.matches.get({ projectId, matchId })).match
  return { matchyard, projectId, matchId, pass, statuses, lobbiesNow, matchNow }
}

it('a match without a server outlives the silence of its lobbies, and ends after a day', async () => {
  const { pass, statuses, lobbiesNow, matchNow } = await playing()
  await pass(2 * HOUR)
  expect(await statuses()).toEqual(['in_game', 'in_game'])
  await pass(22 * HOUR - 1)
  expect(await statuses()).toEqual(['in_game', 'in_game'])
  await pass(1)
  const detail = 'nobody ended the match within 86400 s (`matchTtlSeconds` of its queue)'
  for (const lobby of await lobbiesNow()) {
    expect(lobby).toMatchObject({ status: 'waiting', matchId: null, lastExit: { reason: 'match_expired', detail } })
  }
  expect(await matchNow()).toMatchObject({ status: 'ended', ending: { reason: 'match_expired', detail } })
})

it('what the queue said when the match was made holds for it, and its lobbies are idle an hour after its end', async () => {
  const { matchyard, projectId, pass, statuses } = await playing({ matchTtlSeconds: 7_200 })
  await matchyard.queues.update({ projectId, queueId: 'duel', changes: { matchTtlSeconds: null } })
  await pass(2 * HOUR)
  expect(await statuses()).toEqual(['waiting', 'waiting'])
  await pass(HOUR)
  await expect(statuses()).rejects.toMatchObject({ code: 'LOBBY_NOT_FOUND' })
})

it('null lets it run for ever', async () => {
  const { pass, statuses } = await playing({ matchTtlSeconds: null })
  await pass(400 * 24 * HOUR)
  expect(await statuses()).toEqual(['in_game', 'in_game'])
})

it('a match on a server of the studio ends by it too', async () => {
  const { matchyard, projectId, matchId, pass, lobbiesNow } = await playing({
    matchTtlSeconds: 7_200,
    serverSettings: { source: 'external' },
  })
  const ports = [{ name: 'game', protocol: 'udp', port: 27_015 }] as const
  await matchyard.matches.assign({ projectId, matchId, host: 'eu.studio.example', ports })
  await pass(2 * HOUR)
  expect((await lobbiesNow())[0]).toMatchObject({ status: 'waiting', lastExit: { reason: 'match_expired' } })
})

it('a match that has ended is let be', async () => {
  const { matchyard, projectId, pass, matchNow, lobbiesNow } = await playing({ matchTtlSeconds: 600 })
  const [lobby] = await lobbiesNow()
  await matchyard.lobbies.end({ projectId, lobbyId: lobby?.id ?? '', backend: true })
  await pass(600_000)
  expect(await matchNow()).toMatchObject({ ending: { reason: 'backend_ended' } })
})

it('a match whose players were asked first ends after the same time', async () => {
  const { pass, statuses, lobbiesNow } = await playing({ matchTtlSeconds: 7_200 }, { asksPlayers: true })
  await pass(2 * HOUR - 1)
  expect(await statuses()).toEqual(['in_game', 'in_game'])
  await pass(1)
  expect((await lobbiesNow())[0]).toMatchObject({ status: 'waiting', lastExit: { reason: 'match_expired' } })
})
