import { createMatchyard, type StartTeams } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { fakePlatform } from '@matchyard/testkit'
import { expect, it } from 'vitest'

async function arena() {
  const matchyard = createMatchyard({ ...fakePlatform({ seed: 1 }), storage: memoryStorage() })
  await matchyard.open()
  const { id } = await matchyard.projects.ensure({ name: 'arena' })
  const { lobbies, matches, queues } = matchyard.project(id)
  const asked = { teams: 2, playersPerTeam: 1, readyCheck: { timeoutSeconds: 10 } }
  await queues.ensure({ queueId: 'duel', name: 'Duel', matchmaking: { teams: 2, playersPerTeam: 1 } })
  await queues.ensure({ queueId: 'asked', name: 'A', matchmaking: asked })
  const created = (playerId: string, queueId = 'duel') => lobbies.create({ queueId, playerId })
  /** Makes a match of two lobbies by matchmaking. */
  const met = async (queueId = 'duel') => {
    const both = [await created('ann', queueId), await created('bob', queueId)]
    for (const { id: lobbyId, hostPlayerId } of both) await lobbies.enqueue({ lobbyId, playerId: hostPlayerId })
    await matchyard.matchmaking.runQueue(`${id}/${queueId}`)
    return both[0]?.id ?? ''
  }
  const current = (playerId: string) => matches.current({ playerId })
  const status = async (lobbyId: string) => (await lobbies.get({ lobbyId, backend: true })).status
  return { created, current, lobbies, matches, met, queues, status }
}

it('returns the match that a player is in, until the player leaves it or it ends', async () => {
  const { current, lobbies, matches, met, queues } = await arena()
  expect(await current('ann')).toBeUndefined()
  const lobbyId = await met()
  const { match } = (await current('ann')) ?? {}
  expect(match).toMatchObject({ queueId: 'duel', endedAt: null })
  expect(await current('bob')).toEqual(await current('ann'))
  await lobbies.leave({ lobbyId, playerId: 'ann' })
  expect([await current('ann'), (await current('bob'))?.match.id]).toEqual([undefined, match?.id])
  await matches.end({ matchId: match?.id ?? '' })
  expect(await current('bob')).toBeUndefined()
  await queues.ensure({ queueId: 'many', name: 'Many', concurrentMatches: true })
  const { id } = await lobbies.create({ queueId: 'many', playerId: 'ann' })
  await lobbies.start({ lobbyId: id, playerId: 'ann' })
  expect(await current('ann')).toBeUndefined()
})

it('a lobby of matchmaking enters its queue again', async () => {
  const { current, lobbies, matches, met, status } = await arena()
  const lobbyId = await met()
  const matchId = (await current('ann'))?.match.id ?? ''
  await matches.end({ matchId })
  expect(await status(lobbyId)).toBe('waiting')
  const call = { idempotency: { id: 'again', requestHash: lobbyId } }
  expect(await lobbies.rematch({ lobbyId, playerId: 'ann' }, call)).toMatchObject({ id: lobbyId, status: 'in_queue' })
  expect(await lobbies.rematch({ lobbyId, playerId: 'ann' }, call)).toMatchObject({ id: lobbyId, status: 'in_queue' })
  await expect(lobbies.rematch({ lobbyId, playerId: 'ann' })).rejects.toMatchObject({ code: 'INVALID_LOBBY_STATE' })
})

it.each<[StartTeams, string[][]]>([
  ['one', [['ann', 'bob', 'cy']]],
  ['even', [['ann'], ['bob']]],
  ['state', [['bob'], ['ann']]],
])('a lobby that started with teams "%s" starts with such teams again', async (teams, expected) => {
  const { created, current, lobbies, matches } = await arena()
  const { id: lobbyId } = await created('ann')
  const names = expected.flat().sort()
  for (const playerId of names.slice(1)) await lobbies.join({ lobbyId, playerId })
  for (const [n, playerId] of names.entries()) {
    if (teams !== 'state') continue
    await lobbies.updatePlayer({ lobbyId, playerId, targetPlayerId: playerId, state: { team: `team_${2 - n}` } })
  }
  const { matchId } = await lobbies.start({ lobbyId, playerId: 'ann', teams })
  await matches.end({ matchId: matchId ?? '' })
  const again = await lobbies.rematch({ lobbyId, playerId: 'ann' })
  const seated = (await current('ann'))?.match.teams.map(({ players }) => players.map(({ playerId }) => playerId))
  expect([again.matchId === matchId, seated]).toEqual([false, expected])
})

it('is for the host, and for a lobby that has played', async () => {
  const { created, current, lobbies, met } = await arena()
  const { id: lobbyId } = await created('ann')
  await lobbies.join({ lobbyId, playerId: 'bob' })
  await expect(lobbies.rematch({ lobbyId, playerId: 'ann' })).rejects.toMatchObject({ code: 'MATCH_NOT_FOUND' })
  await expect(lobbies.rematch({ lobbyId, playerId: 'bob' })).rejects.toMatchObject({ code: 'NOT_HOST' })
  // A proposed match that was declined is not a match that the lobby has played.
  const asked = await met('asked')
  expect((await current('ann'))?.match.status).toBe('proposed')
  await lobbies.decline({ lobbyId: asked, playerId: 'ann' })
  await expect(lobbies.rematch({ lobbyId: asked, playerId: 'ann' })).rejects.toMatchObject({ code: 'MATCH_NOT_FOUND' })
})

it('looks through the last 20 matches of each member', async () => {
  const { created, lobbies, matches, queues } = await arena()
  await queues.ensure({ queueId: 'many', name: 'Many', concurrentMatches: true })
  const play = async (lobbyId: string, playerId: string) => {
    const { matchId } = await lobbies.start({ lobbyId, playerId })
    await matches.end({ matchId: matchId ?? '' })
  }
  const { id: lobbyId } = await created('ann', 'many')
  await play(lobbyId, 'ann')
  const { id: other } = await created('ann', 'many')
  for (let n = 0; n < 19; n++) await play(other, 'ann')
  const { matchId } = await lobbies.rematch({ lobbyId, playerId: 'ann' })
  await matches.end({ matchId: matchId ?? '' })
  for (let n = 0; n < 20; n++) await play(other, 'ann')
  await expect(lobbies.rematch({ lobbyId, playerId: 'ann' })).rejects.toMatchObject({ code: 'MATCH_NOT_FOUND' })
})
