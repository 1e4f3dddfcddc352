import { aLobby, given } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { decideBeginMatch, decideEndMatch, findMatch, leaveMatch, mayEndMatch } from '../../src/match/decide'
import { canMoveMatch, evolveMatch, evolveMatchAll } from '../../src/match/evolve'
import { MATCH_STATUSES, type Match, type MatchStatus } from '../../src/match/match'
import {
  acceptBy,
  acceptedOf,
  decideProposeMatch,
  fallThrough,
  isAcceptedByAll,
  isMade,
  makeMatch,
  spreadAnswers,
} from '../../src/match/proposal'
import { MATCH_TRANSITIONS } from '../../src/match/transitions'
import { next } from '../../src/shared/transitions'

const at = 2_000
const lobbies = [aLobby({ id: 'lob_1', settings: { map: 'dust' } }), aLobby({ id: 'lob_2', settings: { map: 'ice' } })]
const player = (playerId: string, lobbyId: string) => ({ playerId, lobbyId, role: null, state: {}, leftAt: null })

const found = findMatch({
  id: 'mat_1',
  projectId: 'prj_1',
  accountId: 'acc_1',
  queueId: 'duel',
  lobbies,
  teams: [
    { name: 'team_1', players: [player('ann', 'lob_1')] },
    { name: 'team_2', players: [player('cat', 'lob_2'), player('dan', 'lob_2')] },
  ],
  region: 'iad',
  gameVersion: null,
  waits: [],
  serverId: null,
  at: 1_000,
})
const matchIn = (status: MatchStatus): Match =>
  status === 'proposed' ? asked : { ...found, status, endedAt: status === 'ended' ? 1_500 : null }

const asked = decideProposeMatch(
  {
    id: 'mat_2',
    projectId: 'prj_1',
    accountId: 'acc_1',
    queueId: 'duel',
    lobbies,
    teams: found.teams,
    region: 'iad',
    gameVersion: null,
    at: 1_000,
  },
  { expiresAt: 16_000, penaltySeconds: 30 },
)

/** Decision that pulls each trigger of the table, except for the creation. */
const DECISIONS = {
  begin: (match: Match) => decideBeginMatch(match, at),
  end: (match: Match) => decideEndMatch(match, { reason: 'backend_ended', detail: 'ended by request' }, at),
  accept: (match: Match) => (canMoveMatch(match, 'accept') ? [makeMatch(found, at)] : []),
  fall_through: (match: Match) => fallThrough(match, { outcome: 'declined', reason: 'no' }, at),
} as const

const rows = MATCH_STATUSES.flatMap((from) =>
  (['begin', 'end', 'accept', 'fall_through'] as const).map((trigger) => ({
    from,
    trigger,
    to: next<MatchStatus>(MATCH_TRANSITIONS, from, trigger),
  })),
)

describe('the match state table, every status with every decision', () => {
  it.each(rows)('$from, $trigger: $to', ({ from, trigger, to }) => {
    const match = matchIn(from)
    expect(canMoveMatch(match, trigger)).toBe(to !== undefined)
    const { state, happened } = given(match, evolveMatch).when(DECISIONS[trigger])
    // A match that is over, or has begun, is not changed, and the call is not refused.
    if (to === undefined) expect(happened).toEqual([])
    else expect(state.status).toBe(to)
  })

  it('is pulled only where it has a row: anything else is a bug', () => {
    expect(() => evolveMatch(matchIn('ended'), { type: 'match_started', at })).toThrow(
      'a match that is ended cannot begin',
    )
  })

  it('has each row once, and nothing follows ended', () => {
    const names = MATCH_TRANSITIONS.map(({ from, trigger }) => `${from} ${trigger}`)
    expect(new Set(names).size).toBe(names.length)
    expect(MATCH_TRANSITIONS.filter(({ from }) => (from as string) === 'ended')).toEqual([])
  })
})

describe('a match that is proposed', () => {
  const all = ['ann', 'cat', 'dan']

  it('has asked everybody, and is none yet', () => {
    expect(asked).toMatchObject({ status: 'proposed', lobbyIds: ['lob_1', 'lob_2'], waits: [], serverId: null })
    expect(asked.teams.flatMap(({ players }) => players.map(({ answer }) => answer))).toEqual(['none', 'none', 'none'])
    expect([isMade(asked), isMade(found)]).toEqual([false, true])
  })

  it('counts each answer once, and tells others at intervals', () => {
    const one = evolveMatchAll(asked, acceptBy(asked, ['cat'], at))
    expect(acceptedOf(one)).toBe(1)
    expect(acceptBy(one, ['cat'], at)).toEqual([])
    const [next] = acceptBy(one, ['ann', 'cat'], at + 1)
    expect(next).toEqual({ type: 'match_answered', playerIds: ['ann'], spreadAt: null })
    expect(isAcceptedByAll(evolveMatchAll(one, acceptBy(one, all, at + 1)))).toBe(true)
    const due = one.proposal?.spreadAt ?? 0
    // Until the count has been sent to the lobbies, later answers schedule no other time, however late they are.
    expect(acceptBy(one, ['ann'], due + 1)).toMatchObject([{ spreadAt: null }])
    const told = evolveMatchAll(one, spreadAnswers(one))
    expect(acceptBy(told, ['ann'], due)).toMatchObject([{ spreadAt: due + (due - at) }])
    expect([spreadAnswers(told), spreadAnswers(asked)]).toEqual([[], []])
  })

  it('says how it came out, with the version that did it, and stays so', () => {
    const over = evolveMatchAll(asked, fallThrough(asked, { outcome: 'expired', reason: 'silence' }, at))
    expect(over).toMatchObject({
      status: 'ended',
      endedAt: at,
      version: 2,
      proposal: { settled: { outcome: 'expired', version: 2 } },
    })
    expect([isMade(over), acceptBy(over, all, at), fallThrough(over, { outcome: 'declined', reason: '' }, at)]).toEqual(
      [false, [], []],
    )
    const made = evolveMatchAll(asked, [...acceptBy(asked, all, at), makeMatch(found, at)])
    expect(made).toMatchObject({
      status: 'launching',
      createdAt: at,
      proposal: { settled: { outcome: 'accepted', version: 2 } },
    })
    expect([isMade(made), fallThrough(made, { outcome: 'declined', reason: '' }, at)]).toEqual([true, []])
  })
})

describe('a match that was found', () => {
  it('is on its way, with the settings of whoever waited longest', () => {
    expect(found).toMatchObject({ status: 'launching', lobbyIds: ['lob_1', 'lob_2'], settings: { map: 'dust' } })
  })
})

describe('how a match came out', () => {
  const over = { reason: 'server_failed', detail: 'killed by SIGSEGV', exitCode: null, exitSignal: 'SIGSEGV' } as const

  it('is told with the instant at which it began, and the reason of its end', () => {
    const running = evolveMatchAll(matchIn('launching'), decideBeginMatch(matchIn('launching'), at))
    expect(running).toMatchObject({ startedAt: at })
    expect(evolveMatchAll(running, decideEndMatch(running, over, at + 5))).toMatchObject({
      startedAt: at,
      endedAt: at + 5,
      ending: over,
    })
  })

  it('is told without a beginning where nobody could play', () => {
    const never = matchIn('launching')
    const ended = evolveMatchAll(never, decideEndMatch(never, { reason: 'launch_failed', detail: 'no such file' }, at))
    expect(ended.startedAt).toBeUndefined()
    expect(ended.ending).toEqual({ reason: 'launch_failed', detail: 'no such file', exitCode: null, exitSignal: null })
  })
})

describe('who leaves a match', () => {
  const leave = (playerIds: string[], lobbyGone: boolean) => (match: Match) =>
    leaveMatch(match, { lobbyId: 'lob_2', playerIds, lobbyGone, at })
  const leftAt = (match: Match) => match.teams.flatMap(({ players }) => players.map((one) => one.leftAt))

  it('is marked in its roster, alone', () => {
    const { state } = given(matchIn('running'), evolveMatch).when(leave(['cat'], false))
    expect(leftAt(state)).toEqual([null, at, null])
    expect(state).toMatchObject({ status: 'running', lobbyIds: ['lob_1', 'lob_2'] })
  })

  it('takes the others of a lobby along that is gone; the match goes on without it', () => {
    const { state } = given(matchIn('running'), evolveMatch).when(leave([], true))
    expect(leftAt(state)).toEqual([null, at, at])
    expect(state).toMatchObject({ status: 'running', lobbyIds: ['lob_1'] })
  })

  it.each(['launching', 'running'] as const)('ends it with its last lobby, while %s', (status) => {
    const alone = { ...matchIn(status), lobbyIds: ['lob_2'] }
    const { state } = given(alone, evolveMatch).when(leave(['cat', 'dan'], true))
    expect(state).toMatchObject({ status: 'ended', lobbyIds: [], endedAt: at })
  })

  it('does not end it a second time', () => {
    const over = { ...matchIn('ended'), lobbyIds: ['lob_2'] }
    expect(given(over, evolveMatch).when(leave([], true))).toMatchObject({
      happened: ['match_lobby_left'],
      state: { endedAt: 1_500 },
    })
  })
})

describe('who may end a match', () => {
  it.each([
    ['the backend, whoever plays in it', 2, true, undefined],
    ['the host of its only lobby', 1, false, undefined],
    ['not the host of one of several', 2, false, 'NOT_HOST'],
  ] as const)('%s', (_who, count, backend, code) => {
    const verdict = mayEndMatch({ ...found, lobbyIds: found.lobbyIds.slice(0, count) }, { backend })
    expect(verdict.ok ? undefined : verdict.rejected.code).toBe(code)
  })
})
