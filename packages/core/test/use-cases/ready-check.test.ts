import type { Lobby, QueueSettings } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { describe, expect, it } from 'vitest'
import { service } from './service'

const SECOND = 1_000
type Matchmaking = NonNullable<QueueSettings['matchmaking']>

/** Returns a queue with a ready check, and the steps of a test. */
async function asking(
  matchmaking: Partial<Matchmaking> = {},
  settings: QueueSettings = {},
  around?: Parameters<typeof service>[0],
) {
  const given = await service(around)
  const { matchyard, projectId, clock } = given
  const readyCheck = { timeoutSeconds: 15, penaltySeconds: 60 }
  await matchyard.queues.create({
    timeoutSeconds: 100,
    ...settings,
    ...{ projectId, queueId: 'duel', name: 'Duel' },
    matchmaking: { readyCheck, ...matchmaking },
  })
  /** Creates a lobby of these players, the first as the host, and puts it into the queue. */
  const enter = async (...playerIds: string[]): Promise<string> => {
    const [host = ''] = playerIds
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, playerId: host, queueId: 'duel' })
    for (const playerId of playerIds.slice(1)) await matchyard.lobbies.join({ projectId, lobbyId, playerId })
    await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId: host })
    return lobbyId
  }
  const get = (lobbyId: string) => matchyard.lobbies.get({ projectId, lobbyId, backend: true })
  const tick = () => matchyard.matchmaking.runQueue(`${projectId}/duel`)
  const pass = async (ms: number) => {
    clock.advance(ms)
    await matchyard.worker.runDueJobs()
  }
  const accept = (lobbyId: string, playerId: string, matchId?: string) =>
    matchyard.lobbies.accept({ projectId, lobbyId, playerId, matchId })
  const decline = (lobbyId: string, playerId: string) => matchyard.lobbies.decline({ projectId, lobbyId, playerId })
  const stats = () => matchyard.queues.stats({ projectId, queueId: 'duel' })
  const match = (matchId: string, backend = true) => matchyard.matches.get({ projectId, matchId, backend })
  return { ...given, enter, get, tick, pass, accept, decline, stats, match }
}
type Asking = Awaited<ReturnType<typeof asking>>

/** Returns two lobbies of one player each, and the match that is proposed to them. */
async function duel(given: Asking): Promise<{ ann: string; bob: string; matchId: string }> {
  const ann = await given.enter('ann')
  const bob = await given.enter('bob')
  await given.tick()
  const { proposal } = await given.get(ann)
  if (proposal === undefined) throw new Error('nothing was proposed')
  return { ann, bob, matchId: proposal.matchId }
}

/** Expected state of a lobby that searches again with its earlier time of entry. */
const searching = (enteredAt: number) => ({ status: 'in_queue', ticket: expect.objectContaining({ enteredAt }) })
const enteredAt = (lobby: Lobby) => lobby.proposal?.enteredAt ?? 0

describe('a match of a queue that asks', () => {
  it('is proposed: its lobbies hold no ticket, and do not count as searching', async () => {
    const given = await asking()
    const { ann, matchId } = await duel(given)
    expect(await given.get(ann)).toMatchObject({
      status: 'in_queue',
      ticket: null,
      matchId: null,
      proposal: { matchId, needed: 2, accepted: 0, players: [{ playerId: 'ann', answer: 'none' }] },
    })
    expect(await given.stats()).toMatchObject({
      playersSearching: 0,
      matchesLastHour: 0,
      proposalsLastHour: { made: 1, accepted: 0, declined: 0, expired: 0 },
    })
    const explained = await given.matchyard.lobbies.explainMatchmaking({
      ...{ projectId: given.projectId, lobbyId: ann, backend: true },
    })
    expect(explained.heldBy).toBe('proposal')
    expect((await given.match(matchId)).match).toMatchObject({ status: 'proposed', version: 1 })
    await expect(given.match(matchId, false)).rejects.toMatchObject({ code: 'MATCH_NOT_FOUND' })
  })

  it('is made by the last answer, exactly as without asking, and counts then', async () => {
    const given = await asking()
    const { ann, bob, matchId } = await duel(given)
    given.clock.advance(3 * SECOND)
    expect(await given.accept(ann, 'ann')).toMatchObject({ status: 'in_queue', proposal: { accepted: 1 } })
    expect(await given.accept(ann, 'ann')).toMatchObject({ status: 'in_queue', proposal: { accepted: 1 } })
    const last = await given.accept(bob, 'bob', matchId)
    expect(last).toMatchObject({ status: 'matched', matchId, ticket: null })
    expect('proposal' in last).toBe(false)
    expect(await given.get(ann)).toMatchObject({ status: 'matched', matchId })
    const { match } = await given.match(matchId, false)
    expect(match).toMatchObject({ status: 'launching', createdAt: given.clock.now() })
    expect(match.waits.map(({ waitedMs }) => waitedMs)).toEqual([3_000, 3_000])
    expect(await given.stats()).toMatchObject({ matchesLastHour: 1, proposalsLastHour: { made: 1, accepted: 1 } })
    // A caller whose answer was lost repeats the call.
    expect(await given.accept(bob, 'bob')).toMatchObject({ status: 'matched' })
    await expect(given.accept(ann, 'bob')).rejects.toMatchObject({ code: 'PLAYER_NOT_IN_LOBBY' })
    await given.matchyard.worker.runDueJobs()
    expect(await given.get(ann)).toMatchObject({ status: 'in_game' })
    await given.pass(20 * SECOND)
    expect(await given.get(ann)).toMatchObject({ status: 'in_game' })
  })

  it('tells the other lobbies how many have accepted within a quarter of a second', async () => {
    const given = await asking()
    const { ann, bob } = await duel(given)
    await given.accept(ann, 'ann')
    expect(await given.get(bob)).toMatchObject({ proposal: { accepted: 0 } })
    await given.pass(200)
    expect(await given.get(bob)).toMatchObject({ proposal: { accepted: 1 } })
  })

  it('tells the others of an answer that was decided before they were told, and is committed after', async () => {
    // One commit is held back until the count has been sent to the other lobby.
    let meanwhile: (() => Promise<void>) | undefined
    const around = ({ commit }: Storage): Partial<Storage> => ({
      async commit(change) {
        const first = meanwhile
        meanwhile = undefined
        await first?.()
        return commit(change)
      },
    })
    const given = await asking({ teams: 2, playersPerTeam: 2 }, {}, around)
    const [one, two] = [await given.enter('ann', 'amy'), await given.enter('bob', 'ben')]
    await given.tick()
    await given.accept(one, 'ann')
    meanwhile = () => given.pass(200)
    expect(await given.accept(one, 'amy')).toMatchObject({ proposal: { accepted: 2 } })
    await given.pass(200)
    expect(await given.get(two)).toMatchObject({ proposal: { accepted: 2 } })
  })

  it('is shown to members and to the backend, and to nobody else', async () => {
    const given = await asking()
    const { projectId, matchyard } = given
    const { ann } = await duel(given)
    const seen = (playerId?: string) =>
      matchyard.lobbies.get({
        projectId,
        lobbyId: ann,
        backend: false,
        ...(playerId === undefined ? {} : { playerId }),
      })
    expect((await seen('ann')).proposal).toBeDefined()
    for (const playerId of ['bob', undefined]) expect('proposal' in (await seen(playerId))).toBe(false)
    const list = async (backend: boolean) => (await matchyard.lobbies.browse({ projectId, backend })).data
    expect((await list(false)).filter((lobby) => 'proposal' in lobby)).toEqual([])
    expect((await list(true)).filter((lobby) => 'proposal' in lobby)).toHaveLength(2)
  })

  it('is made once though a hundred accept at once', async () => {
    const given = await asking({ teams: 100, playersPerTeam: 1 })
    const players = Array.from({ length: 100 }, (_, index) => `player_${index}`)
    const lobbies = new Map<string, string>()
    for (const playerId of players) lobbies.set(playerId, await given.enter(playerId))
    await given.tick()
    const answers = await Promise.all(players.map((playerId) => given.accept(lobbies.get(playerId) ?? '', playerId)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['matched']))
    expect(new Set(answers.map(({ matchId }) => matchId)).size).toBe(1)
  })
})

describe('a proposal that comes to nothing', () => {
  it('by a decline: the party waits, the others search on with their age, in one commit', async () => {
    const given = await asking()
    const { ann, bob, matchId } = await duel(given)
    const before = await given.get(bob)
    given.clock.advance(2 * SECOND)
    await given.accept(bob, 'bob')
    expect(await given.decline(ann, 'ann')).toMatchObject({ status: 'waiting', lastExit: { reason: 'declined' } })
    expect(await given.get(bob)).toMatchObject(searching(enteredAt(before)))
    expect('proposal' in (await given.get(bob))).toBe(false)
    expect((await given.match(matchId)).match).toMatchObject({ status: 'ended' })
    await expect(given.match(matchId, false)).rejects.toMatchObject({ code: 'MATCH_NOT_FOUND' })
    await expect(given.accept(bob, 'bob')).rejects.toMatchObject({ code: 'NO_PROPOSAL' })
    await expect(given.decline(ann, 'ann')).rejects.toMatchObject({ code: 'NO_PROPOSAL' })
    expect(await given.stats()).toMatchObject({ matchesLastHour: 0, proposalsLastHour: { made: 1, declined: 1 } })
    const third = await given.enter('cat')
    await given.tick()
    expect((await given.get(third)).proposal?.matchId).toBe((await given.get(bob)).proposal?.matchId)
  })

  it('by silence: parties with a silent player wait, the others search on', async () => {
    const given = await asking({ teams: 2, playersPerTeam: 2 })
    const [one, two] = [await given.enter('ann', 'amy'), await given.enter('bob', 'ben')]
    await given.tick()
    const before = await given.get(one)
    for (const [lobbyId, playerId] of [
      [one, 'ann'],
      [one, 'amy'],
      [two, 'bob'],
    ] as const) {
      await given.accept(lobbyId, playerId)
    }
    await given.pass(15 * SECOND)
    expect(await given.get(one)).toMatchObject(searching(enteredAt(before)))
    expect(await given.get(two)).toMatchObject({ status: 'waiting', lastExit: { reason: 'not_answered' } })
    expect(await given.stats()).toMatchObject({ proposalsLastHour: { made: 1, expired: 1 } })
    await expect(
      given.matchyard.lobbies.enqueue({ projectId: given.projectId, lobbyId: two, playerId: 'bob' }),
    ).rejects.toMatchObject({ code: 'PLAYER_COOLING_DOWN', details: { players: ['ben'] }, retryAfterSeconds: 60 })
  })

  it('an answer that comes at the deadline is too late', async () => {
    const given = await asking()
    const { ann } = await duel(given)
    given.clock.advance(15 * SECOND)
    await expect(given.accept(ann, 'ann')).rejects.toMatchObject({ code: 'NO_PROPOSAL' })
    await expect(given.decline(ann, 'ann')).rejects.toMatchObject({ code: 'NO_PROPOSAL' })
  })

  it('past its time the silent do not get away because somebody leaves before anyone has said that it is over', async () => {
    const given = await asking({ teams: 2, playersPerTeam: 2 })
    const [one, two] = [await given.enter('ann', 'amy'), await given.enter('bob', 'ben')]
    await given.tick()
    await given.accept(one, 'ann')
    await given.accept(one, 'amy')
    given.clock.advance(16 * SECOND)
    await given.matchyard.lobbies.leave({ projectId: given.projectId, lobbyId: one, playerId: 'amy' })
    expect(await given.get(two)).toMatchObject({ status: 'waiting', lastExit: { reason: 'not_answered' } })
    expect(await given.stats()).toMatchObject({ proposalsLastHour: { made: 1, declined: 0, expired: 1 } })
    const enqueue = (lobbyId: string, playerId: string) =>
      given.matchyard.lobbies.enqueue({ projectId: given.projectId, lobbyId, playerId })
    await expect(enqueue(two, 'bob')).rejects.toMatchObject({ details: { players: ['bob', 'ben'] } })
    expect(await enqueue(one, 'ann')).toMatchObject({ status: 'in_queue' })
  })

  const going: readonly (readonly [string, (given: Asking, lobbyId: string) => Promise<unknown>, string, boolean])[] = [
    [
      'cancel',
      ({ matchyard, projectId }, lobbyId) =>
        matchyard.lobbies.cancelMatchmaking({ projectId, lobbyId, playerId: 'ann' }),
      'cancelled',
      true,
    ],
    [
      'leave',
      ({ matchyard, projectId }, lobbyId) => matchyard.lobbies.leave({ projectId, lobbyId, playerId: 'amy' }),
      'player_left',
      false,
    ],
    [
      'kick',
      ({ matchyard, projectId }, lobbyId) =>
        matchyard.lobbies.removePlayer({ projectId, lobbyId, playerId: 'ann', targetPlayerId: 'amy' }),
      'player_left',
      false,
    ],
  ]
  it.each(going)('by a %s', async (_, go, reason, blamed) => {
    const given = await asking({ teams: 2, playersPerTeam: 2 })
    const [one, two] = [await given.enter('ann', 'amy'), await given.enter('bob', 'ben')]
    await given.tick()
    const before = await given.get(two)
    await go(given, one)
    expect(await given.get(one)).toMatchObject({ status: 'waiting', lastExit: { reason } })
    expect(await given.get(two)).toMatchObject(searching(enteredAt(before)))
    // A player who is to blame may not enter again yet. No player is to blame for a kick.
    const again = given.matchyard.lobbies.enqueue({ projectId: given.projectId, lobbyId: one, playerId: 'ann' })
    if (blamed) await expect(again).rejects.toMatchObject({ code: 'PLAYER_COOLING_DOWN' })
    else expect(await again).toMatchObject({ status: 'in_queue' })
  })

  it('by a deletion, and by heartbeats that stopped', async () => {
    const given = await asking({}, { heartbeat: true, heartbeatTimeoutSeconds: 4 })
    const { ann, bob } = await duel(given)
    await given.matchyard.lobbies.delete({ projectId: given.projectId, lobbyId: ann, playerId: 'ann', backend: false })
    expect(await given.get(bob)).toMatchObject({ status: 'in_queue', ticket: expect.anything() })
    const cat = await given.enter('cat')
    await given.tick()
    for (let i = 0; i < 6; i++) {
      await given.matchyard.lobbies.heartbeat({ projectId: given.projectId, lobbyId: cat, playerId: 'cat' })
      await given.pass(SECOND)
    }
    await expect(given.get(bob)).rejects.toMatchObject({ code: 'LOBBY_NOT_FOUND' })
    expect(await given.get(cat)).toMatchObject({ status: 'in_queue', ticket: expect.anything() })
  })

  it('times no ticket out while it lasts; one that is past its time waits when it comes back', async () => {
    const given = await asking({ readyCheck: { timeoutSeconds: 120 } })
    const { ann, bob } = await duel(given)
    await given.pass(101 * SECOND)
    expect(await given.get(ann)).toMatchObject({ status: 'in_queue' })
    await given.decline(bob, 'bob')
    expect(await given.get(ann)).toMatchObject({ status: 'waiting', lastExit: { reason: 'timeout' } })
  })

  it('a ticket that came back has the deadline that it had', async () => {
    const given = await asking()
    const { ann, bob } = await duel(given)
    await given.pass(5 * SECOND)
    await given.decline(bob, 'bob')
    await given.pass(94 * SECOND)
    expect(await given.get(ann)).toMatchObject({ status: 'in_queue' })
    await given.pass(SECOND)
    expect(await given.get(ann)).toMatchObject({ status: 'waiting', lastExit: { reason: 'timeout' } })
  })

  it('is forgotten an hour later, and its penalty when it is over', async () => {
    const given = await asking()
    const { ann, matchId } = await duel(given)
    await given.decline(ann, 'ann')
    expect(given.data.entities.get('cooldown')?.size).toBe(1)
    await given.pass(60 * SECOND)
    expect(
      await given.matchyard.lobbies.enqueue({ projectId: given.projectId, lobbyId: ann, playerId: 'ann' }),
    ).toMatchObject({ status: 'in_queue' })
    await given.pass(3_600 * SECOND)
    await given.pass(SECOND)
    await expect(given.match(matchId)).rejects.toMatchObject({ code: 'MATCH_NOT_FOUND' })
    expect(given.data.entities.get('cooldown')?.size).toBe(0)
  })
})

describe('a proposal that has become impossible', () => {
  const rules = [{ type: 'difference', field: 'mmr', maxDifference: 100 }] as const

  it('by a state: it ends without fault, and a state that no party may have is refused', async () => {
    const given = await asking({ rules: [...rules, { type: 'min', field: 'mmr', value: 1 }] })
    const { ann, bob } = await duel(given)
    const set = (lobbyId: string, playerId: string, mmr: number) =>
      given.matchyard.lobbies.updatePlayer({
        ...{ projectId: given.projectId, lobbyId, playerId, targetPlayerId: playerId, state: { mmr } },
      })
    await set(ann, 'ann', 100)
    await set(bob, 'bob', 150)
    expect((await given.get(ann)).proposal).toBeDefined()
    await expect(set(bob, 'bob', 0)).rejects.toMatchObject({ code: 'PARTY_CANNOT_MATCH' })
    await set(bob, 'bob', 900)
    for (const lobbyId of [ann, bob]) expect(await given.get(lobbyId)).toMatchObject({ ticket: expect.anything() })
    expect(given.data.entities.get('cooldown')?.size ?? 0).toBe(0)
    expect(await given.stats()).toMatchObject({ proposalsLastHour: { made: 1, declined: 0, expired: 0 } })
    await given.tick()
    expect((await given.get(ann)).proposal).toBeUndefined()
  })

  it('by a state of a party whose own time is over: nobody turned it down', async () => {
    const given = await asking({ rules: [...rules], readyCheck: { timeoutSeconds: 120 } }, { timeoutSeconds: 30 })
    const { ann, bob } = await duel(given)
    given.clock.advance(40 * SECOND)
    const on = { projectId: given.projectId, lobbyId: bob, playerId: 'bob', targetPlayerId: 'bob' }
    const player = (mmr: number, lobbyId = bob, playerId = 'bob') =>
      given.matchyard.lobbies.updatePlayer({ ...on, lobbyId, playerId, targetPlayerId: playerId, state: { mmr } })
    await player(100, ann, 'ann')
    await player(900)
    expect(await given.get(bob)).toMatchObject({ status: 'waiting', lastExit: { reason: 'timeout' } })
    expect(await given.stats()).toMatchObject({ proposalsLastHour: { made: 1, declined: 0, expired: 0 } })
  })

  it('a state that it can bear goes into the match', async () => {
    const given = await asking({ rules: [...rules] })
    const { ann, bob, matchId } = await duel(given)
    await given.matchyard.lobbies.updatePlayer({
      ...{ projectId: given.projectId, lobbyId: ann, playerId: 'ann', targetPlayerId: 'ann', state: { skin: 'red' } },
    })
    await given.accept(ann, 'ann')
    await given.accept(bob, 'bob')
    const { match } = await given.match(matchId)
    expect(match.teams.flatMap(({ players }) => players.map(({ state }) => state))).toContainEqual({ skin: 'red' })
  })

  it('by a change of the queue: those who fit it search on, the others wait', async () => {
    const given = await asking({ rules: [...rules] })
    const { ann, bob } = await duel(given)
    const matchmaking = { teams: 3, readyCheck: { timeoutSeconds: 15 } }
    await given.matchyard.queues.update({ projectId: given.projectId, queueId: 'duel', changes: { matchmaking } })
    await given.matchyard.worker.runDueJobs()
    for (const lobbyId of [ann, bob]) expect(await given.get(lobbyId)).toMatchObject({ ticket: expect.anything() })
    await given.matchyard.queues.update({ projectId: given.projectId, queueId: 'duel', changes: { enabled: false } })
  })

  it('is called off by the last answer where nobody did before', async () => {
    const given = await asking({ rules: [...rules] })
    const { ann, bob } = await duel(given)
    const matchmaking = { rules: [{ type: 'equals', field: 'mode', required: true }] } as const
    await given.matchyard.queues.update({ projectId: given.projectId, queueId: 'duel', changes: { matchmaking } })
    await given.accept(ann, 'ann')
    expect(await given.accept(bob, 'bob')).toMatchObject({ status: 'waiting', lastExit: { reason: 'unmatchable' } })
  })

  it('disabling the queue ends nothing', async () => {
    const given = await asking()
    const { ann, bob } = await duel(given)
    await given.matchyard.queues.update({ projectId: given.projectId, queueId: 'duel', changes: { enabled: false } })
    await given.matchyard.worker.runDueJobs()
    await given.accept(ann, 'ann')
    expect(await given.accept(bob, 'bob')).toMatchObject({ status: 'matched' })
  })
})

describe('settings of a ready check', () => {
  it.each([
    [{ timeoutSeconds: 4 }, 'matchmaking.readyCheck.timeoutSeconds'],
    [{ timeoutSeconds: 121 }, 'matchmaking.readyCheck.timeoutSeconds'],
    [{ timeoutSeconds: 5.5 }, 'matchmaking.readyCheck.timeoutSeconds'],
    [{ timeoutSeconds: 5, penaltySeconds: -1 }, 'matchmaking.readyCheck.penaltySeconds'],
    [{ timeoutSeconds: 5, penaltySeconds: 3_601 }, 'matchmaking.readyCheck.penaltySeconds'],
    [{ timeoutSeconds: 5, penalty: 3 }, 'matchmaking.readyCheck.penalty'],
  ])('%j is refused', async (readyCheck, path) => {
    const given = await service()
    const { matchyard, projectId } = given
    await expect(
      matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', matchmaking: { readyCheck } as never }),
    ).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: { issues: [{ path }] } })
  })
})
