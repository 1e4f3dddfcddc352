import { aLobby } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import type { Decision } from '../../src/errors/decision'
import {
  awaitsAssignment,
  decideAssignServer,
  decideErasePlayer,
  findMatch,
  isOn,
  leaveMatch,
  mayEndMatch,
  seatOf,
  takesPlayers,
} from '../../src/match/decide'
import { evolveMatch, evolveMatchAll } from '../../src/match/evolve'
import type { Match } from '../../src/match/match'

const at = 2_000
const player = (playerId: string, lobbyId: string) => ({ playerId, lobbyId, role: null, state: {}, leftAt: null })
const assignment = { host: 'eu.example', ports: [], region: 'iad', customData: {}, joinTokenKey: 'k', at } as never

/** Returns a match of two lobbies without a server. */
const found = (parts: Partial<Match> = {}, assignBy?: number): Match => ({
  ...findMatch({
    ...{ id: 'mat_1', projectId: 'prj_1', accountId: 'acc_1', queueId: 'duel', region: 'iad', gameVersion: null },
    lobbies: [aLobby({ id: 'lob_1', settings: { map: 'dust' } }), aLobby({ id: 'lob_2' })],
    teams: [
      { name: 'team_1', players: [player('ann', 'lob_1')] },
      { name: 'team_2', players: [player('cat', 'lob_2'), player('dan', 'lob_2')] },
    ],
    ...{ waits: [], serverId: null, at: 1_000 },
    ...(assignBy === undefined ? {} : { assignBy }),
  }),
  ...parts,
})
const rejected = (decision: Decision<unknown>) => (decision.ok ? undefined : decision.rejected)
const ended = (match: Match) =>
  evolveMatch(match, {
    type: 'match_ended',
    at,
    ending: { reason: 'backend_ended', detail: '', exitCode: null, exitSignal: null },
  })

it('a new match has the settings of the first lobby, and none without a lobby', () => {
  expect(found().settings).toEqual({ map: 'dust' })
  const design = { ...found(), lobbies: [], at: 1_000 }
  expect(findMatch(design).settings).toEqual({})
})

describe('the server of a studio', () => {
  it('is assigned to a match that waits for it, once for each value', () => {
    const match = found({}, 9_000)
    expect(awaitsAssignment(match)).toBe(true)
    const decision = decideAssignServer(match, assignment, at)
    expect(decision).toMatchObject({ events: [{ type: 'match_assigned' }, { type: 'match_started' }] })
    const running = decision.ok ? evolveMatchAll(match, decision.events) : match
    expect([isOn(match), isOn(running), awaitsAssignment(running)]).toEqual([false, true, false])
    expect(decideAssignServer(running, assignment, at)).toEqual({ ok: true, events: [] })
  })

  it('is refused by a match of another kind, a proposed one and an ended one', () => {
    expect(rejected(decideAssignServer(found(), assignment, at))?.detail).toContain('was not "external"')
    expect(awaitsAssignment(found())).toBe(false)
    const proposed = found({ status: 'proposed' }, 9_000)
    expect(rejected(decideAssignServer(proposed, assignment, at))).toMatchObject({
      code: 'INVALID_MATCH_STATE',
      detail: expect.stringContaining('only proposed'),
      details: { status: 'proposed' },
    })
    const over = ended(found({}, 9_000))
    expect(rejected(decideAssignServer(over, assignment, at))?.detail).toContain('has ended')
    expect(evolveMatch(found(), { type: 'match_assigned', assignment })).not.toHaveProperty('external')
  })

  it('takes players until the match ends', () => {
    expect(takesPlayers(found()).ok).toBe(true)
    expect(rejected(takesPlayers(ended(found())))).toMatchObject({ details: { status: 'ended' } })
  })
})

describe('a departure', () => {
  const leave = (match: Match, lobbyId: string, lobbyGone: boolean) =>
    leaveMatch(match, { lobbyId, playerIds: ['ann'], lobbyGone, at })

  it('of the last lobby ends the match, with the reason', () => {
    expect(leave(found(), 'lob_1', false).map(({ type }) => type)).toEqual(['match_player_left'])
    expect(leave(found(), 'lob_1', true).map(({ type }) => type)).toEqual(['match_player_left', 'match_lobby_left'])
    const alone = found({ lobbyIds: ['lob_1'] })
    expect(leave(alone, 'lob_1', true).at(-1)).toMatchObject({
      type: 'match_ended',
      ending: { reason: 'player_left', exitCode: null },
    })
  })

  it('is reported for a seat that is still taken in a live match', () => {
    expect(seatOf(found(), 'ann')).toMatchObject({ ok: true, events: [{ playerId: 'ann' }] })
    expect(seatOf(ended(found()), 'ann')).toEqual({ ok: true, events: [] })
    const gone = evolveMatch(found(), { type: 'match_player_left', lobbyId: 'lob_1', playerId: 'ann', at })
    expect(seatOf(gone, 'ann')).toEqual({ ok: true, events: [] })
    expect(rejected(seatOf(found(), 'eve'))).toMatchObject({ code: 'PLAYER_NOT_IN_LOBBY', kind: 'absent' })
  })

  it('by erasure changes only matches of that player', () => {
    expect(decideErasePlayer(found(), 'dan')).toEqual([{ type: 'match_player_erased', playerId: 'dan' }])
    expect(decideErasePlayer(found(), 'eve')).toEqual([])
  })
})

it('a host ends a match without other lobbies alone; the backend ends every match', () => {
  expect(rejected(mayEndMatch(found(), { backend: false }))?.code).toBe('NOT_HOST')
  expect(mayEndMatch(found(), { backend: true }).ok).toBe(true)
  expect(mayEndMatch(found({ lobbyIds: ['lob_1'] }), { backend: false }).ok).toBe(true)
})

it('events without a proposal or a change leave the match as it is', () => {
  const match = found()
  expect(evolveMatch(match, { type: 'answers_spread' })).toBe(match)
  expect(evolveMatchAll(match, [])).toBe(match)
  expect(evolveMatch(match, { type: 'match_closed', at })).toMatchObject({ closedAt: at })
})
