import { aLobby, given } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import {
  askForAll,
  closeMatch,
  decideCancelBackfill,
  decideExpireBackfill,
  decideRequestBackfill,
  type Fill,
  fillMatch,
  leavesSeats,
} from '../../src/match/backfill'
import { decideEndMatch, findMatch, leaveMatch } from '../../src/match/decide'
import type { MatchEvent } from '../../src/match/events'
import { evolveMatch, evolveMatchAll } from '../../src/match/evolve'
import type { Match, MatchPlayer } from '../../src/match/match'
import { requestTicketOf } from '../../src/match/request-ticket'

const OVER = { reason: 'match_ended', detail: 'over' } as const

const player = (playerId: string, lobbyId: string, role: string | null = null): MatchPlayer => ({
  ...{ playerId, lobbyId, role, leftAt: null },
  state: { mmr: playerId.length },
})
const lobbies = [aLobby({ id: 'lob_1' }), aLobby({ id: 'lob_2' })]
const seats = ['team_1', 'team_2'].map((name) => ({ name, seats: 2, roles: null }))
const running: Match = {
  ...findMatch({
    ...{ id: 'mat_1', projectId: 'prj_1', accountId: 'acc_1', queueId: 'duel', region: 'fra', gameVersion: null },
    lobbies,
    teams: [
      { name: 'team_1', players: [player('ann', 'lob_1'), player('bea', 'lob_1')] },
      { name: 'team_2', players: [player('cat', 'lob_2'), player('dan', 'lob_2')] },
    ],
    waits: [{ lobbyId: 'lob_1', players: 2, waitedMs: 5 }],
    seats,
    serverId: null,
    at: 1_000,
  }),
  status: 'running',
}
const seating = (at = 2_000) => ({ full: seats, ticketId: `tkt_${at}`, timeoutSeconds: 300, at })
const leave = (match: Match, lobbyId: string, ...playerIds: string[]) =>
  evolveMatchAll(match, leaveMatch(match, { lobbyId, playerIds, lobbyGone: false, at: 1_500 }))
const short = leave(running, 'lob_1', 'bea')
const after = (match: Match, decision: ReturnType<typeof decideRequestBackfill>) => {
  if (!decision.ok) throw new Error(decision.rejected.detail)
  return evolveMatchAll(match, decision.events)
}
const asked = after(short, decideRequestBackfill(short, {}, seating()))
const fill = (...ids: string[]): Fill => ({
  requestId: 'tkt_2000',
  lobbyIds: ids.map((id) => `lob_${id}`),
  teams: [{ name: 'team_1', players: ids.map((id) => player(id, `lob_${id}`)) }],
  waits: [],
})

describe('a request for newcomers', () => {
  it('asks for every open seat where none is named', () => {
    expect(asked.backfill).toEqual({
      ticketId: 'tkt_2000',
      version: 1,
      teams: [{ name: 'team_1', open: 1, roles: null }],
      requestedAt: 2_000,
      expiresAt: 302_000,
    })
    expect(requestTicketOf(asked)).toMatchObject({
      ...{ id: 'tkt_2000', version: 1, queueKey: 'prj_1/duel', enteredAt: 2_000, region: 'fra', players: [] },
      request: { matchId: 'mat_1', players: [{ playerId: 'ann' }, { playerId: 'cat' }, { playerId: 'dan' }] },
    })
  })

  it('replaces the one before and keeps its age; the row goes on in its next version', () => {
    const again = after(asked, decideRequestBackfill(asked, { timeoutSeconds: 10 }, seating(9_000)))
    expect(again.backfill).toMatchObject({ ticketId: 'tkt_2000', version: 2, requestedAt: 2_000, expiresAt: 19_000 })
  })

  it.each<[string, Partial<Match>]>([
    ['launches', { status: 'launching' }],
    ['has ended', { status: 'ended', endedAt: 1_500 }],
    ['was started directly', { seats: undefined as never }],
    ['is closed', { closedAt: 1_200 }],
    ['is full', { teams: running.teams }],
  ])('is refused by a match that %s', (_, parts) => {
    const { rejected } = given({ ...short, ...parts }, evolveMatch).when((match) =>
      decideRequestBackfill(match, {}, seating()),
    )
    expect(rejected).toBe('INVALID_MATCH_STATE')
  })

  it.each([
    [{ teams: [{ name: 'team_1', open: 2 }] }, 'teams.0.open: exceeds the open seats: team team_1 has 1'],
    [{ teams: [{ name: 'team_2', open: 1 }] }, 'teams.0.open: exceeds the open seats: team team_2 has 0'],
    [
      { teams: [{ name: 'team_3', open: 1 }] },
      'teams.0.name: is not a team of the match; its teams are team_1, team_2',
    ],
    [
      {
        teams: [
          { name: 'team_1', open: 1 },
          { name: 'team_1', open: 1 },
        ],
      },
      'teams.1.name: appears twice',
    ],
    [{ teams: [{ name: 'team_1', open: 0 }] }, 'teams.0.open: must be a whole number, at least 1'],
    [{ players: [{ playerId: 'bea', state: {} }] }, 'players.0.playerId: is not a player of this match'],
  ])('is refused for what is asked: %j', (wish, detail) => {
    const decision = decideRequestBackfill(short, wish, seating())
    expect(decision).toMatchObject({ ok: false, rejected: { code: 'VALIDATION_FAILED', detail } })
  })

  it('brings up to date by which states rules judge those who play', () => {
    const told = after(
      short,
      decideRequestBackfill(short, { players: [{ playerId: 'ann', state: { mmr: 9 } }] }, seating()),
    )
    expect(requestTicketOf(told)?.request?.players[0]).toMatchObject({ playerId: 'ann', state: { mmr: 9 } })
    expect(told.backfill?.version).toBe(1)
  })

  it('has another version with each form of its match', () => {
    const fewer = leave(asked, 'lob_2', 'dan')
    expect(fewer.backfill).toMatchObject({ ticketId: 'tkt_2000', version: 2, teams: asked.backfill?.teams })
    expect(requestTicketOf(fewer)?.request?.players.map(({ playerId }) => playerId)).toEqual(['ann', 'cat'])
  })

  it('of seats with roles takes those that come first in the team', () => {
    const full = [{ name: 'raid', seats: 3, roles: { tank: 1, healer: 2 } }]
    const raid = { ...running, seats: full, teams: [{ name: 'raid', players: [player('ann', 'lob_1', 'healer')] }] }
    const all = after(raid, decideRequestBackfill(raid, {}, { ...seating(), full }))
    expect(all.backfill?.teams).toEqual([{ name: 'raid', open: 2, roles: { tank: 1, healer: 1 } }])
    const one = after(raid, decideRequestBackfill(raid, { teams: [{ name: 'raid', open: 1 }] }, { ...seating(), full }))
    expect(one.backfill?.teams).toEqual([{ name: 'raid', open: 1, roles: { tank: 1 } }])
    const healer = { ...fill('eve'), teams: [{ name: 'raid', players: [player('eve', 'lob_3', 'healer')] }] }
    expect(fillMatch(one, healer)).toMatchObject({ ok: false, rejected: { code: 'INVALID_MATCH_STATE' } })
    expect(after(all, fillMatch(all, healer)).backfill?.teams).toEqual([{ name: 'raid', open: 1, roles: { tank: 1 } }])
  })

  it('ends by request, by being filled, with its match, by being closed; each time its row is gone', () => {
    const ends: readonly MatchEvent[][] = [
      [{ type: 'backfill_ended' }],
      closeMatch(asked, 3_000),
      decideEndMatch(asked, OVER, 3_000),
      [...(fillMatch(asked, fill('eve')) as { events: readonly MatchEvent[] }).events],
    ]
    for (const events of ends) expect(requestTicketOf(evolveMatchAll(asked, events))).toBeUndefined()
    expect(decideCancelBackfill(short)).toMatchObject({ ok: false, rejected: { code: 'BACKFILL_NOT_FOUND' } })
    expect(closeMatch({ ...asked, closedAt: 2_500 }, 3_000)).toEqual([])
  })
})

describe('newcomers', () => {
  it('sit at the end of their team, and the request asks for the rest', () => {
    const two = leave(asked, 'lob_1', 'ann')
    const wide = after(two, decideRequestBackfill(two, {}, seating()))
    const filled = after(wide, fillMatch(wide, fill('eve')))
    expect(filled.lobbyIds).toEqual(['lob_1', 'lob_2', 'lob_eve'])
    expect(filled.teams[0]?.players.map(({ playerId }) => playerId)).toEqual(['ann', 'bea', 'eve'])
    expect(filled.backfill).toMatchObject({ version: (wide.backfill?.version ?? 0) + 1, teams: [{ open: 1 }] })
  })

  it.each<[string, Match, Fill]>([
    ['two take one seat', asked, fill('eve', 'fay')],
    ['one plays already', asked, fill('cat')],
    ['it is by a request that is gone', short, fill('eve')],
    ['the match has ended', evolveMatchAll(asked, decideEndMatch(asked, OVER, 3_000)), fill('eve')],
  ])('are refused where %s', (_, match, newcomers) => {
    expect(fillMatch(match, newcomers)).toMatchObject({ ok: false, rejected: { code: 'INVALID_MATCH_STATE' } })
  })

  it('may be one who left', () => {
    const filled = after(asked, fillMatch(asked, fill('bea')))
    expect(filled.teams[0]?.players.map(({ playerId, leftAt }) => [playerId, leftAt])).toEqual([
      ['ann', null],
      ['bea', 1_500],
      ['bea', null],
    ])
  })

  it('of a match that goes on for days do not make it grow for ever', () => {
    let match = running
    for (let round = 0; round < 600; round++) {
      const id = `guest_${round}`
      const seat = match.teams[0]?.players.find(({ leftAt }) => leftAt === null)
      match = evolveMatchAll(
        match,
        leaveMatch(match, {
          lobbyId: seat?.lobbyId ?? '',
          playerIds: [seat?.playerId ?? ''],
          lobbyGone: false,
          at: 10 + round,
        }),
      )
      match = after(match, decideRequestBackfill(match, {}, seating(5)))
      match = after(match, fillMatch(match, { ...fill(id), requestId: 'tkt_5' }))
    }
    const all = match.teams.flatMap(({ players }) => players)
    expect(all.filter(({ leftAt }) => leftAt === null)).toHaveLength(4)
    expect(all.filter(({ leftAt }) => leftAt !== null)).toHaveLength(200)
    expect(all.every(({ leftAt, state }) => leftAt === null || Object.keys(state).length === 0)).toBe(true)
  })
})

describe('a queue that asks by itself', () => {
  const left = (match: Match, lobbyId: string, ...playerIds: string[]) =>
    leaveMatch(match, { lobbyId, playerIds, lobbyGone: false, at: 1_500 })

  it('asks when a running match is left short, or begins so', () => {
    const events = left(running, 'lob_1', 'ann')
    expect(leavesSeats(running, events)).toBe(true)
    expect(askForAll(running, events, seating())).toMatchObject([{ request: { teams: [{ name: 'team_1', open: 1 }] } }])
    const launching: Match = { ...short, status: 'launching' }
    expect(leavesSeats(launching, [{ type: 'match_started', at: 1_500 }])).toBe(true)
    expect(leavesSeats({ ...running, status: 'launching' }, [{ type: 'match_started', at: 1_500 }])).toBe(false)
  })

  it.each<[string, Match]>([
    ['has not begun', { ...running, status: 'launching' }],
    ['was started directly', { ...running, seats: undefined as never }],
    ['is closed', { ...running, closedAt: 1_200 }],
  ])('does not for a match that %s', (_, match) => {
    expect(leavesSeats(match, left(match, 'lob_1', 'ann'))).toBe(false)
  })

  it('does not for a match that ends with its last lobby', () => {
    const alone = { ...running, lobbyIds: ['lob_1'] }
    const events = leaveMatch(alone, { lobbyId: 'lob_1', playerIds: ['ann', 'bea'], lobbyGone: true, at: 1_500 })
    expect(leavesSeats(alone, events)).toBe(false)
  })

  it('widens a request to what was left since, and renews one whose time is over, with its age', () => {
    const more = askForAll(asked, left(asked, 'lob_2', 'dan'), seating(5_000))
    expect(more).toMatchObject([
      { request: { ticketId: 'tkt_2000', requestedAt: 2_000, teams: [{ name: 'team_1' }, { name: 'team_2' }] } },
    ])
    expect(decideExpireBackfill(asked, 302_000, seating(302_000))).toMatchObject([
      { type: 'backfill_requested', request: { ticketId: 'tkt_2000', requestedAt: 2_000, expiresAt: 602_000 } },
    ])
    expect(decideExpireBackfill(asked, 302_000, undefined)).toEqual([{ type: 'backfill_ended' }])
    expect(decideExpireBackfill(asked, 301_999, undefined)).toEqual([])
  })

  it('ends a request that was left behind by a match that is over', () => {
    // A node of an earlier release, which knows no requests, ended the match.
    const over: Match = { ...asked, status: 'ended', endedAt: 2_500 }
    expect(decideExpireBackfill(over, 2_600, seating(2_600))).toEqual([{ type: 'backfill_ended' }])
  })
})
