import { createMatchyard, type DomainEvent } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'

async function service() {
  const platform = fakePlatform()
  const storage = memoryStorage()
  const matchyard = createMatchyard({ storage, ...platform })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  const told: DomainEvent[] = []
  matchyard.events.on('*', (event) => told.push(event))
  return { matchyard, projectId, told, ...platform, storage }
}

describe('a 1v1 through the embeddable object', () => {
  it('matches two lobbies, begins and ends the game', async () => {
    const { matchyard, projectId, told } = await service()
    await matchyard.queues.create({
      projectId,
      queueId: 'duel',
      name: 'Duel',
      matchmaking: { teams: 2, playersPerTeam: 1, rules: [{ type: 'difference', field: 'mmr', maxDifference: 100 }] },
    })
    const lobbies = []
    for (const [playerId, mmr] of [
      ['ann', 1500],
      ['bob', 1550],
    ] as const) {
      const lobby = await matchyard.lobbies.create({ projectId, playerId, queueId: 'duel', state: { mmr } })
      lobbies.push(await matchyard.lobbies.enqueue({ projectId, lobbyId: lobby.id, playerId }))
    }
    expect(lobbies.map((lobby) => lobby.status)).toEqual(['in_queue', 'in_queue'])
    const tick = await matchyard.matchmaking.runQueue(`${projectId}/duel`)
    expect(tick.matches).toBe(1)
    const [ann] = lobbies
    const matched = await matchyard.lobbies.get({ projectId, lobbyId: ann?.id ?? '', backend: true })
    expect(matched).toMatchObject({ status: 'matched', version: 3, server: null })
    await matchyard.worker.runDueJobs()
    const playing = await matchyard.lobbies.get({ projectId, lobbyId: ann?.id ?? '', backend: true })
    expect(playing).toMatchObject({ status: 'in_game', version: 4 })
    const { match } = await matchyard.matches.get({ projectId, matchId: playing.matchId ?? '' })
    expect(match.teams.map((team) => team.players.map((player) => player.playerId))).toEqual([['ann'], ['bob']])
    const ended = await matchyard.lobbies.end({ projectId, lobbyId: ann?.id ?? '', backend: true })
    expect(ended).toMatchObject({ status: 'waiting', matchId: null, version: 5 })
    expect(told.map((event) => event.type)).toContain('match_found')
  })
})
