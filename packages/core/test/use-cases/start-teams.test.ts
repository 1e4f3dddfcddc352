import { createMatchyard, type QueueMatchmaking, type StartTeams } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { fakePlatform } from '@matchyard/testkit'
import { expect, it } from 'vitest'

/** Starts a lobby of some players directly, each with a team in the state. Resolves with the ids of the players of each team. */
async function started(
  matchmaking: QueueMatchmaking | undefined,
  teams: StartTeams | undefined,
  players: readonly (readonly [id: string, team?: string])[],
) {
  const matchyard = createMatchyard({ ...fakePlatform({ seed: 1 }), storage: memoryStorage() })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', ...(matchmaking && { matchmaking }) })
  const [[playerId], ...others] = players as [readonly [string, string?], ...(readonly [string, string?])[]]
  const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId })
  for (const [id] of others) await matchyard.lobbies.join({ projectId, lobbyId, playerId: id })
  for (const [id, team] of players) {
    if (team === undefined) continue
    await matchyard.lobbies.updatePlayer({ projectId, lobbyId, playerId, targetPlayerId: id, state: { team } })
  }
  const { matchId } = await matchyard.lobbies.start({ projectId, lobbyId, playerId, teams })
  const { match } = await matchyard.matches.get({ projectId, matchId: matchId ?? '', backend: true })
  return match.teams.map(({ name, players: seated }) => [name, ...seated.map((player) => player.playerId)])
}

const duel = { teams: 2, playersPerTeam: 2 }
const four = [['ann'], ['bob'], ['cy'], ['dee']] as const

it('without teams, all players are in one team, even when the queue has no matchmaking', async () => {
  expect(await started(undefined, undefined, four)).toEqual([['team_1', 'ann', 'bob', 'cy', 'dee']])
  expect(await started(duel, 'one', four)).toEqual([['team_1', 'ann', 'bob', 'cy', 'dee']])
})

it('deals the players to the teams in turn, passes over a full team, and ignores the minimums of the queue', async () => {
  expect(await started(duel, 'even', four)).toEqual([
    ['team_1', 'ann', 'cy'],
    ['team_2', 'bob', 'dee'],
  ])
  expect(await started(duel, 'even', [['ann']])).toEqual([['team_1', 'ann']])
  const uneven = { teamComposition: { hunter: { hunter: 1 }, hiders: { hider: 3 } } }
  expect(await started(uneven, 'even', four)).toEqual([
    ['hunter', 'ann'],
    ['hiders', 'bob', 'cy', 'dee'],
  ])
})

it('takes the team of each player from the state', async () => {
  const picked = [
    ['ann', 'team_2'],
    ['bob', 'team_1'],
    ['cy', 'team_2'],
  ] as const
  expect(await started(duel, 'state', picked)).toEqual([
    ['team_1', 'bob'],
    ['team_2', 'ann', 'cy'],
  ])
})

it('refuses players without a seat by name, and starts nothing', async () => {
  const refused = (players: readonly string[]) => ({
    code: 'PARTY_CANNOT_MATCH',
    details: { rule: 'team', players },
  })
  await expect(started(duel, 'even', [...four, ['eve'], ['fay']])).rejects.toMatchObject(refused(['eve', 'fay']))
  const crowded = [['ann', 'team_2'], ['bob', 'team_2'], ['cy', 'team_2'], ['dee', 'red'], ['eve']] as const
  await expect(started(duel, 'state', crowded)).rejects.toMatchObject(refused(['cy', 'dee', 'eve']))
})

it('needs the teams of the queue, and a known value', async () => {
  await expect(started(undefined, 'even', four)).rejects.toMatchObject({ code: 'MATCHMAKING_NOT_CONFIGURED' })
  await expect(started(duel, 'both' as StartTeams, four)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
})
