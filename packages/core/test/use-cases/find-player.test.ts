import { createMatchyard } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'

async function service() {
  const clock = new FakeClock()
  const storage = memoryStorage()
  const matchyard = createMatchyard({ ...fakePlatform({ clock, seed: 1 }), storage })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  const matchmaking = { teams: 2, playersPerTeam: 1 }
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', matchmaking })
  const lobby = async (playerId: string) => ({
    projectId,
    playerId,
    lobbyId: (await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId })).id,
  })
  const ann = { projectId, playerId: 'ann' }
  return { clock, storage, matchyard, projectId, lobby, find: () => matchyard.players.find(ann) }
}

describe('a player who is looked for', () => {
  it('tells the newest lobbies, matches and exits, and no more than so many', async () => {
    const { clock, matchyard, lobby, find } = await service()
    const made: string[] = []
    for (let n = 0; n < 60; n++) {
      const on = await lobby('ann')
      made.unshift(on.lobbyId)
      clock.advance(1)
      if (n < 35) continue
      await matchyard.lobbies.start(on)
      await matchyard.worker.runDueJobs()
      clock.advance(1)
      await matchyard.lobbies.end({ ...on, backend: false })
      clock.advance(1)
    }
    const { lobbies, matches, lastExits } = await find()
    expect(lobbies.map(({ id }) => id)).toEqual(made.slice(0, 50))
    expect(matches.map(({ match }) => match.lobbyIds.length)).toHaveLength(20)
    const times = matches.map(({ match }) => match.createdAt)
    expect(times).toEqual([...times].sort((a, b) => b - a))
    expect(lastExits.map(({ reason }) => reason)).toEqual(Array(20).fill('match_ended'))
    expect(new Set(lastExits.map(({ lobbyId }) => lobbyId)).size).toBe(20)
  })

  it('looks through ten logs and a hundred events of each, and at every live lobby', async () => {
    const { clock, storage, matchyard, lobby, find } = await service()
    const oldest = await lobby('ann')
    for (let n = 0; n < 70; n++) {
      await matchyard.lobbies.enqueue(oldest)
      clock.advance(1)
      await matchyard.lobbies.cancelMatchmaking(oldest)
      clock.advance(1)
    }
    const asked: [string, number, number][] = []
    const read = storage.events.read
    Object.assign(storage.events, {
      read: (id: string, after: number, limit: number, bytes: number) => {
        asked.push([id, after, limit])
        expect(bytes).toBe(512 * 1_024)
        return read(id, after, limit, bytes)
      },
    })
    expect((await find()).lastExits).toHaveLength(20)
    // The log has 141 versions; the newest hundred are read.
    expect(asked).toEqual([[oldest.lobbyId, 41, 100]])
    for (let n = 0; n < 12; n++) {
      clock.advance(1)
      await lobby('ann')
    }
    asked.length = 0
    const { lastExits } = await find()
    expect(asked).toHaveLength(10)
    expect(asked.map(([id]) => id)).not.toContain(oldest.lobbyId)
    expect(lastExits).toMatchObject([{ reason: 'cancelled', lobbyId: oldest.lobbyId }])
  })

  it('is told what happened while the player was there, not what the lobby had done before', async () => {
    const { clock, matchyard, lobby, find } = await service()
    const on = await lobby('bob')
    await matchyard.lobbies.enqueue(on)
    clock.advance(1)
    await matchyard.lobbies.cancelMatchmaking(on)
    clock.advance(1)
    await matchyard.lobbies.join({ ...on, playerId: 'ann' })
    expect(await find()).toMatchObject({ lobbies: [{ id: on.lobbyId }], lastExits: [] })
  })

  it.each([
    ['was banned from', 'banPlayer'],
    ['left, or was removed from,', 'removePlayer'],
  ] as const)('is told that it %s the lobby during a match, and not how that ended without it', async (how, call) => {
    const { clock, matchyard, lobby, find } = await service()
    const on = await lobby('bob')
    await matchyard.lobbies.join({ ...on, playerId: 'ann' })
    await matchyard.lobbies.start(on)
    await matchyard.worker.runDueJobs()
    clock.advance(1)
    await matchyard.lobbies[call]({ ...on, targetPlayerId: 'ann', backend: false })
    clock.advance(1)
    await matchyard.lobbies.end({ ...on, backend: false })
    const detail = `the player ${how} the lobby during its match`
    expect((await find()).lastExits).toEqual([
      { reason: 'player_left', detail, at: clock.now() - 1, lobbyId: on.lobbyId, queueId: 'duel' },
    ])
  })
})
