import { describe, expect, it } from 'vitest'
import { codeOf, LATE, lateMatch } from './late-arena'

const backfill = { automatic: true, timeoutSeconds: 60 }

describe('an open seat of a running match', () => {
  it('is kept for a friend, who joins in one commit and enters the game in another', async () => {
    const { matchyard, clock, keep, lobby, join, now, work, match, playing, openTeam, on } = await lateMatch()
    const told: unknown[] = []
    matchyard.events.on('match_backfilled', ({ lobbyIds, waits }) => told.push({ lobbyIds, waits }))
    const seat = await keep('eve', 'cat')
    expect(seat).toEqual({ playerId: 'eve', team: openTeam, expiresAt: clock.now() + 30_000 })
    expect((await match()).keptSeats).toEqual([{ ...seat, role: null, keptBy: 'cat' }])
    const eve = await lobby('eve', { state: { hat: 'red' } })
    const { version } = await match()
    expect(await join(eve)).toMatchObject({ status: 'starting', matchId: on.matchId, version: 2 })
    expect(await match()).toMatchObject({ version: version + 1, lobbyIds: expect.arrayContaining([eve.lobbyId]) })
    expect((await match()).keptSeats).toBeUndefined()
    expect(await playing()).toContainEqual({ playerId: 'eve', team: openTeam })
    await work()
    expect(await now(eve)).toMatchObject({ status: 'in_game', version: 3 })
    expect(told).toEqual([{ lobbyIds: [eve.lobbyId], waits: [] }])
  })

  it('is kept in the team that is named, in the own team of the player who asks, or where most seats are open', async () => {
    const { matchyard, keep, openTeam, playing, projectId } = await lateMatch()
    const full = openTeam === 'team_1' ? 'team_2' : 'team_1'
    expect(await codeOf(keep('eve', 'cat', { team: full }))).toBe('MATCH_FULL')
    await expect(keep('eve', 'cat', { team: 'team_9' })).rejects.toMatchObject({
      ...{ code: 'VALIDATION_FAILED', details: { issues: [{ path: 'team' }] } },
    })
    const [here] = (await playing()).filter(({ team }) => team === openTeam)
    const others = (await playing()).filter(({ team }) => team === full)
    if (here === undefined) throw new Error('one player stays in the team')
    const { data } = await matchyard.lobbies.ofProject({ projectId })
    for (const { id: lobbyId, hostPlayerId: playerId } of data) {
      if (playerId === others[0]?.playerId) await matchyard.lobbies.leave({ projectId, lobbyId, playerId })
    }
    const friend = others[1]?.playerId ?? ''
    expect((await keep('eve', friend)).team).toBe(full)
    // The own team has no open seat left, so the friend is seated in the other team.
    expect((await keep('fay')).team).toBe(openTeam)
    expect(await codeOf(keep('gil', here.playerId))).toBe('MATCH_FULL')
  })

  it('is kept once for each player who asks: another seat replaces it, and the same friend gets a new time', async () => {
    const { clock, keep, kept, match } = await lateMatch()
    const first = await keep('eve', 'cat', { holdSeconds: 60 })
    clock.advance(1_000)
    expect(await keep('eve', 'cat', { holdSeconds: 5 })).toEqual({ ...first, expiresAt: clock.now() + 5_000 })
    await keep('fay', 'cat')
    expect(await kept()).toEqual(['fay'])
    expect(await codeOf(keep('gil', 'ann'))).toBe('MATCH_FULL')
    expect(await codeOf(keep('gil'))).toBe('MATCH_FULL')
    await keep('fay', 'ann')
    expect((await match()).keptSeats).toMatchObject([{ playerId: 'fay', keptBy: 'ann' }])
  })

  it('is free again when its time is over, and a job frees it', async () => {
    const { clock, keep, kept, lobby, join, work } = await lateMatch()
    const eve = await lobby('eve')
    await keep('eve', 'cat', { holdSeconds: 5 })
    clock.advance(5_000)
    expect(await codeOf(join(eve))).toBe('SEAT_NOT_FOUND')
    expect(await kept()).toEqual(['eve'])
    await keep('fay', 'ann')
    expect(await kept()).toEqual(['fay'])
    clock.advance(29_999)
    await work()
    expect(await kept()).toEqual(['fay'])
    clock.advance(1)
    await work()
    expect(await kept()).toEqual([])
  })

  it('is given back by the player who asked, by the friend, and by a backend, and by nobody else', async () => {
    const { keep, free, kept } = await lateMatch()
    for (const by of ['cat', 'eve', undefined]) {
      await keep('eve', 'cat')
      for (const other of ['ann', 'zoe']) expect(await codeOf(free('eve', other))).toBe('SEAT_NOT_FOUND')
      expect(await kept()).toEqual(['eve'])
      await free('eve', by)
      expect(await kept()).toEqual([])
      expect(await codeOf(free('eve', by))).toBe('SEAT_NOT_FOUND')
    }
  })

  it('is taken by nobody else when backfill searches, and the request asks for it again once it is free', async () => {
    const { clock, keep, kept, searching, tick, work, asked, playing, openTeam } = await lateMatch({
      ...LATE,
      backfill,
    })
    const open = [{ name: openTeam, open: 1, roles: null }]
    expect(await asked()).toEqual(open)
    await keep('eve', 'cat')
    expect(await asked()).toEqual([])
    await searching('fay')
    expect(await tick()).toMatchObject({ fills: 0 })
    clock.advance(30_000)
    await work()
    expect(await kept()).toEqual([])
    expect(await asked()).toEqual(open)
    expect(await tick()).toMatchObject({ fills: 1 })
    expect(await playing()).toContainEqual({ playerId: 'fay', team: openTeam })
    expect(await asked()).toBeUndefined()
  })

  it('is asked for again although the request was renewed meanwhile', async () => {
    const { clock, keep, free, work, asked, openTeam } = await lateMatch({
      ...LATE,
      backfill: { automatic: true, timeoutSeconds: 5 },
    })
    await keep('eve', 'cat')
    clock.advance(6_000)
    await work()
    expect(await asked()).toEqual([])
    await free('eve', 'cat')
    expect(await asked()).toEqual([{ name: openTeam, open: 1, roles: null }])
  })

  it('counts as filled for a request of a backend, which asks for it once it is free', async () => {
    const { matchyard, keep, free, asked, on, openTeam, lobby, join } = await lateMatch()
    await keep('eve', 'cat')
    expect(await codeOf(matchyard.matches.backfill(on))).toBe('INVALID_MATCH_STATE')
    const teams = [{ name: openTeam, open: 1 }]
    expect(await codeOf(matchyard.matches.backfill({ ...on, teams }))).toBe('VALIDATION_FAILED')
    await free('eve', 'cat')
    await matchyard.matches.backfill(on)
    await keep('eve', 'cat')
    expect(await matchyard.matches.getBackfill(on)).toMatchObject({ teams: [] })
    await free('eve')
    expect(await asked()).toEqual([{ ...teams[0], roles: null }])
    await keep('eve', 'cat')
    await join(await lobby('eve'))
    // The last open seat is taken, so there is nothing to ask for.
    expect(await asked()).toBeUndefined()
  })

  it('with roles is kept with the first open role', async () => {
    const roles = { tank: 1, healer: 1 }
    const { keep, lobby, join, match, openTeam } = await lateMatch({
      ...{ lateJoin: true, teamComposition: { red: roles, blue: roles } },
    })
    const left = (await match()).teams.flatMap(({ players }) => players.filter(({ leftAt }) => leftAt !== null))
    await keep('eve', 'cat')
    expect((await match()).keptSeats).toMatchObject([{ team: openTeam, role: left[0]?.role }])
    await join(await lobby('eve'))
    const seated = (await match()).teams.flatMap(({ players }) => players).find(({ playerId }) => playerId === 'eve')
    expect(seated?.role).toBe(left[0]?.role)
  })
})

describe('a seat is refused', () => {
  it('where the queue lets nobody join late, in a match that was started directly, closed, or ended', async () => {
    const strict = await lateMatch({ teams: 2, playersPerTeam: 2 })
    expect(await codeOf(strict.keep('eve', 'cat'))).toBe('INVALID_MATCH_STATE')
    expect(await codeOf(strict.keep('eve'))).toBe('INVALID_MATCH_STATE')
    const { matchyard, projectId, lobby, keep, on, work, match, now } = await lateMatch()
    const direct = await lobby('fay')
    await matchyard.lobbies.start(direct)
    await work()
    const { matchId } = await now(direct)
    const seat = { projectId, matchId: matchId ?? '', targetPlayerId: 'eve', backend: true }
    expect(await codeOf(matchyard.matches.keepSeat(seat))).toBe('INVALID_MATCH_STATE')
    await keep('eve')
    const [lobbyId = ''] = (await match()).lobbyIds
    await matchyard.lobbies.end({ projectId, lobbyId, backend: true })
    expect((await match()).keptSeats).toBeUndefined()
    expect(await codeOf(matchyard.matches.keepSeat({ ...on, targetPlayerId: 'eve', backend: true }))).toBe(
      'INVALID_MATCH_STATE',
    )
  })

  it('to a player of no such match, for a time out of bounds, and for an id that no player has', async () => {
    const { matchyard, keep, on } = await lateMatch()
    expect(await codeOf(keep('eve', 'zoe'))).toBe('MATCH_NOT_FOUND')
    expect(
      await codeOf(matchyard.matches.keepSeat({ ...on, matchId: 'mat_no', targetPlayerId: 'eve', backend: true })),
    ).toBe('MATCH_NOT_FOUND')
    for (const holdSeconds of [4, 121, 5.5]) {
      await expect(keep('eve', 'cat', { holdSeconds })).rejects.toMatchObject({
        ...{ code: 'VALIDATION_FAILED', details: { issues: [{ path: 'holdSeconds' }] } },
      })
    }
    expect(await codeOf(keep('', 'cat'))).toBe('VALIDATION_FAILED')
  })

  it('for a player of the match and for a player of another match, whose match only a backend learns', async () => {
    const { matchyard, keep, lobby, on, work, now } = await lateMatch()
    const fay = await lobby('fay', { queueId: 'other' })
    await matchyard.lobbies.start(fay)
    await work()
    for (const [playerId, matchId] of [
      ['ann', on.matchId],
      ['fay', (await now(fay)).matchId],
    ] as const) {
      const refused = (players: object[]) => ({ code: 'PLAYER_IN_MATCH', details: { players } })
      const error = await keep(playerId, 'cat').catch((one: unknown) => one)
      expect(error).toMatchObject(refused([]))
      expect((error as Error).message).not.toContain(matchId)
      await expect(keep(playerId)).rejects.toMatchObject(refused([{ playerId, matchId }]))
    }
  })
})

describe('a friend joins', () => {
  it('only with a seat, as the host of a waiting lobby of one in the queue of the match', async () => {
    const { matchyard, projectId, keep, lobby, join, on, searching } = await lateMatch()
    const eve = await lobby('eve')
    expect(await codeOf(join(eve))).toBe('SEAT_NOT_FOUND')
    await keep('eve', 'cat')
    expect(await codeOf(join({ ...eve, playerId: 'zoe' }))).toBe('NOT_HOST')
    expect(await codeOf(join({ ...eve, lobbyId: 'lob_no' }))).toBe('LOBBY_NOT_FOUND')
    expect(await codeOf(join(await lobby('eve', { queueId: 'other' })))).toBe('SEAT_NOT_FOUND')
    expect(await codeOf(join(await lobby('fay')))).toBe('SEAT_NOT_FOUND')
    expect(await codeOf(join(await searching('eve')))).toBe('INVALID_LOBBY_STATE')
    await matchyard.lobbies.join({ projectId, lobbyId: eve.lobbyId, playerId: 'fay' })
    await expect(join(eve)).rejects.toMatchObject({ code: 'PARTY_TOO_LARGE' })
    await matchyard.lobbies.leave({ ...eve, playerId: 'fay' })
    // A backend names no player: the seat is that of the lobby's only player.
    const joined = await matchyard.matches.join({ ...on, lobbyId: eve.lobbyId, backend: true })
    expect(joined.status).toBe('starting')
    expect(await codeOf(join(eve))).toBe('INVALID_LOBBY_STATE')
  })

  it('not while they are banned from the project or the queue', async () => {
    const { matchyard, keep, lobby, join, projectId } = await lateMatch()
    await keep('eve', 'cat')
    const eve = await lobby('eve')
    await matchyard.bans.set({ projectId, playerId: 'eve', queues: ['arena'], reason: 'cheating' } as never)
    await expect(join(eve)).rejects.toMatchObject({
      code: 'PLAYER_BANNED',
      details: { scope: 'queue', reason: 'cheating' },
    })
    await matchyard.bans.delete({ projectId, playerId: 'eve' } as never)
    expect((await join(eve)).status).toBe('starting')
  })

  it('not while another match holds them, and their searches end when they joined', async () => {
    const { matchyard, keep, lobby, join, work, now, searching, playing, projectId } = await lateMatch()
    await keep('eve', 'cat')
    const elsewhere = await lobby('eve', { queueId: 'other' })
    const { matchId } = await matchyard.lobbies.start(elsewhere)
    const eve = await lobby('eve')
    await expect(join(eve)).rejects.toMatchObject({
      ...{ code: 'PLAYER_IN_MATCH', details: { players: [{ playerId: 'eve', matchId }] } },
    })
    await matchyard.players.leaveMatch({ projectId, playerId: 'eve' })
    const search = await searching('eve', { queueId: 'other' })
    await join(eve)
    await work()
    expect(await now(search)).toMatchObject({ status: 'waiting', lastExit: { reason: 'matched_elsewhere' } })
    expect((await playing()).map(({ playerId }) => playerId)).toContain('eve')
    expect(await codeOf(matchyard.lobbies.start(await lobby('eve')))).toBe('PLAYER_IN_MATCH')
  })

  it('without the rules of the queue, but with the game version of the match', async () => {
    const rules = [{ type: 'difference', field: 'mmr', maxDifference: 1 }] as const
    const { keep, lobby, join, match } = await lateMatch({ ...LATE, useVersionFromState: true })
    await keep('eve', 'cat')
    const old = await lobby('eve', { state: { game_version: '0', mmr: 9 } })
    await expect(join(old)).rejects.toMatchObject({ code: 'PARTY_CANNOT_MATCH', details: { rule: 'version' } })
    await join(await lobby('eve', { state: { game_version: '1' } }))
    expect((await match()).gameVersion).toBe('1')
    const far = await lateMatch({ ...LATE, rules })
    await far.keep('eve', 'cat')
    expect((await far.join(await far.lobby('eve', { state: { mmr: 9_000 } }))).status).toBe('starting')
  })

  it('while the queue takes no lobbies, and no longer once it lets nobody join late', async () => {
    const { matchyard, projectId, queueId, keep, lobby, join } = await lateMatch()
    await keep('eve', 'cat')
    const eve = await lobby('eve')
    await matchyard.queues.update({ projectId, queueId, changes: { matchmaking: { ...LATE, lateJoin: false } } })
    expect(await codeOf(join(eve))).toBe('INVALID_MATCH_STATE')
    await matchyard.queues.update({ projectId, queueId, changes: { enabled: false, matchmaking: LATE } })
    expect((await join(eve)).status).toBe('starting')
  })

  it('through the queue too, and the seat that was kept is free again', async () => {
    const { matchyard, projectId, keep, kept, tick, searching, playing, openTeam } = await lateMatch({
      ...LATE,
      backfill,
    })
    const { data } = await matchyard.lobbies.ofProject({ projectId })
    const [here] = (await playing()).filter(({ team }) => team !== openTeam)
    const lobby = data.find(({ hostPlayerId }) => hostPlayerId === here?.playerId)
    await matchyard.lobbies.leave({ projectId, lobbyId: lobby?.id ?? '', playerId: here?.playerId ?? '' })
    await keep('eve')
    await searching('eve')
    expect(await tick()).toMatchObject({ fills: 1 })
    expect(await kept()).toEqual([])
    expect(await playing()).toHaveLength(4 - 1)
  })
})

it('an erased player keeps no seat and has none kept', async () => {
  const { matchyard, projectId, keep, kept, work } = await lateMatch()
  for (const erased of ['eve', 'cat']) {
    await keep('eve', 'cat')
    expect(await kept()).toEqual(['eve'])
    await matchyard.players.erase({ projectId, playerId: erased })
    await work()
    expect(await kept()).toEqual([])
  }
})

it('a match in which a seat is kept for a player is not a match of the player', async () => {
  const { matchyard, projectId, keep } = await lateMatch()
  await keep('eve', 'cat')
  const found = await matchyard.players.find({ projectId, playerId: 'eve' })
  expect([found.liveMatch, found.matches]).toEqual([null, []])
})
