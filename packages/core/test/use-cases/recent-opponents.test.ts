import { createMatchyard, type QueueMatchmaking } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { recentPlayers } from '../../src/reads/recent-players'
import { service } from './service'

const MINUTE: QueueMatchmaking = {
  teams: 2,
  playersPerTeam: 1,
  rules: [{ type: 'recent_opponents', seconds: 60 }],
}

async function game(matchmaking: QueueMatchmaking = MINUTE) {
  const clock = new FakeClock()
  const matchyard = createMatchyard({ ...fakePlatform({ clock, seed: 1 }), storage: memoryStorage() })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  for (const queueId of ['duel', 'casual']) {
    await matchyard.queues.create({ projectId, queueId, name: queueId, matchmaking })
  }
  const lobby = async (playerId: string, queueId = 'duel') => {
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId, playerId })
    return { projectId, lobbyId, playerId }
  }
  const searching = async (playerId: string, queueId = 'duel') => {
    const on = await lobby(playerId, queueId)
    await matchyard.lobbies.enqueue(on)
    return on
  }
  const tick = async (queueId = 'duel') => {
    const { matches, fills } = await matchyard.matchmaking.runQueue(`${projectId}/${queueId}`)
    await matchyard.worker.runDueJobs()
    return matches + fills
  }
  const now = ({ lobbyId }: { lobbyId: string }) => matchyard.lobbies.get({ projectId, lobbyId, backend: true })
  /** Plays a match of these players and ends it. */
  const play = async (players: readonly string[], queueId = 'duel') => {
    const lobbies = []
    for (const player of players) lobbies.push(await searching(player, queueId))
    const made = await tick(queueId)
    const [first] = lobbies
    if (made > 0 && first !== undefined) await matchyard.lobbies.end({ ...first, backend: true })
    for (const on of lobbies) await matchyard.lobbies.delete({ projectId, lobbyId: on.lobbyId, backend: true })
    return made
  }
  return { clock, matchyard, projectId, lobby, searching, tick, now, play }
}

describe('a queue with a recent_opponents rule', () => {
  it('does not match opponents again before the time since the begin of their match has passed', async () => {
    const { clock, play } = await game()
    expect(await play(['ann', 'bob'])).toBe(1)
    clock.advance(59_000)
    expect(await play(['ann', 'bob'])).toBe(0)
    clock.advance(1_000)
    expect(await play(['ann', 'bob'])).toBe(1)
  })

  it('matches them while they wait, once the time has passed', async () => {
    const { clock, play, searching, tick, now } = await game()
    await play(['ann', 'bob'])
    const on = await searching('ann')
    await searching('bob')
    clock.advance(59_999)
    expect(await tick()).toBe(0)
    clock.advance(1)
    expect(await tick()).toBe(1)
    expect((await now(on)).status).toBe('in_game')
  })

  it('knows the opponents of each player of a party, and matches others', async () => {
    const { matchyard, play, lobby, tick, searching } = await game({
      ...MINUTE,
      playersPerTeam: 2,
      minPlayersPerTeam: 1,
      partialAfterSeconds: 0,
    })
    await play(['ann', 'bob'])
    const on = await lobby('eve')
    await matchyard.lobbies.join({ ...on, playerId: 'ann' })
    await matchyard.lobbies.enqueue(on)
    await searching('bob')
    expect(await tick()).toBe(0)
    await searching('dan')
    expect(await tick()).toBe(1)
  })

  it('counts the last 20 matches of this queue of either player', async () => {
    const { play } = await game()
    await play(['ann', 'bob'])
    for (let n = 0; n < 19; n++) await play(['ann', `other_${n}`])
    await play(['ann', 'zoe'], 'casual')
    expect(await play(['ann', 'zoe'])).toBe(1)
    // The match with bob is the 21st of ann's, and still the last of bob's.
    expect(await play(['ann', 'bob'])).toBe(0)
    for (let n = 0; n < 20; n++) await play(['bob', `another_${n}`])
    expect(await play(['ann', 'bob'])).toBe(1)
  })

  it('reads a direct start and a match that never ran as no meeting', async () => {
    const { matchyard, projectId, lobby, play } = await game()
    const on = await lobby('ann')
    await matchyard.lobbies.join({ ...on, playerId: 'bob' })
    await matchyard.lobbies.start(on)
    await matchyard.worker.runDueJobs()
    await matchyard.lobbies.end({ ...on, backend: true })
    await matchyard.lobbies.delete({ projectId, lobbyId: on.lobbyId, backend: true })
    expect(await play(['ann', 'bob'])).toBe(1)
  })

  it('keeps mates apart only where the rule names anyone', async () => {
    const teams: QueueMatchmaking = { teams: 2, playersPerTeam: 2, minPlayersPerTeam: 1, partialAfterSeconds: 0 }
    for (const scope of ['opponents', 'anyone'] as const) {
      const { play } = await game({ ...teams, rules: [{ type: 'recent_opponents', seconds: 60, scope }] })
      expect(await play(['ann', 'bob', 'cat', 'dan'])).toBe(1)
      const outcomes = []
      for (const other of ['bob', 'cat', 'dan']) outcomes.push(await play(['ann', other]))
      // A mate is one of the three other players. Only the scope `anyone` keeps mates apart.
      expect(outcomes.reduce((sum, made) => sum + made)).toBe(scope === 'opponents' ? 1 : 0)
    }
  })

  it('erases a player from the searches of players who met them', async () => {
    const { matchyard, projectId, play, searching, now } = await game()
    await play(['ann', 'bob'])
    const on = await searching('ann')
    expect((await now(on)).ticket?.recent).toMatchObject([{ playerId: 'bob' }])
    await matchyard.players.erase({ projectId, playerId: 'bob' })
    await matchyard.worker.runDueJobs()
    expect((await now(on)).ticket).toMatchObject({ version: 2, recent: [] })
  })

  it('still knows an opponent who was a mate since', async () => {
    const played = (n: number, ...teams: string[][]) => ({
      ...{ startedAt: 1_000 * n, createdAt: 1_000 * n, endedAt: null, seats: [] },
      teams: teams.map((ids, at) => ({ name: `t${at}`, players: ids.map((playerId) => ({ playerId, leftAt: null })) })),
    })
    const list = async () => [played(2, ['ann', 'bob'], ['cat']), played(1, ['ann', 'cat'], ['bob'])]
    const rules = [{ type: 'recent_opponents' }, { type: 'recent_opponents', seconds: 9, scope: 'anyone' }]
    const queue = { projectId: 'prj', queueId: 'duel', matchmaking: { ...MINUTE, rules } }
    expect(await recentPlayers({ storage: { matches: { list } } } as never, queue as never, ['ann'], 21_000)).toEqual([
      { playerId: 'cat', at: 2_000, opponent: true },
      { playerId: 'bob', at: 2_000, opponent: false },
      { playerId: 'bob', at: 1_000, opponent: true },
    ])
  })

  it('reads no matches for a call that is refused', async () => {
    let reads = 0
    const { matchyard, projectId } = await service((storage) => ({
      matches: {
        ...storage.matches,
        list: (query) => {
          reads++
          return storage.matches.list(query)
        },
      },
    }))
    await matchyard.queues.create({ projectId, queueId: 'duel', name: 'duel', matchmaking: MINUTE })
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
    const on = { projectId, lobbyId, playerId: 'ann' }
    await matchyard.lobbies.enqueue(on)
    expect(reads).toBe(1)
    await expect(matchyard.lobbies.enqueue(on)).rejects.toMatchObject({ code: 'INVALID_LOBBY_STATE' })
    expect(reads).toBe(1)
  })

  it('reads the matches of at most ten players of a party at the same time', async () => {
    let [reading, most] = [0, 0]
    const list = async () => {
      most = Math.max(most, ++reading)
      await new Promise((resolve) => setImmediate(resolve))
      reading--
      return []
    }
    const queue = { projectId: 'prj', queueId: 'duel', matchmaking: MINUTE }
    const party = Array.from({ length: 25 }, (_, n) => `p${n}`)
    expect(await recentPlayers({ storage: { matches: { list } } } as never, queue as never, party, 21_000)).toEqual([])
    expect(most).toBe(10)
  })

  it('lists at most 400 players for a party, those met last', async () => {
    const played = (owner: string, n: number) => ({
      ...{ startedAt: 1_000 * n, createdAt: 1_000 * n, endedAt: null, seats: [] },
      teams: [
        { name: 'a', players: [{ playerId: owner, leftAt: null }] },
        {
          name: 'b',
          players: Array.from({ length: 15 }, (_, k) => ({ playerId: `${owner}_${n}_${k}`, leftAt: null })),
        },
      ],
    })
    const list = async ({ playerId = '' }) => Array.from({ length: 20 }, (_, n) => played(playerId, 20 - n))
    const queue = { projectId: 'prj', queueId: 'duel', matchmaking: MINUTE }
    const met = await recentPlayers({ storage: { matches: { list } } } as never, queue as never, ['ann', 'bob'], 21_000)
    expect(met).toHaveLength(400)
    expect(met?.at(-1)).toMatchObject({ at: 7_000, opponent: true })
  })
})
