import { given, lobbyIn } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { accept, type Decision } from '../../src/errors/decision'
import {
  changePlayerState,
  changeSettings,
  decideCancelMatchmaking,
  decideDeleteLobby,
  decideEnqueueLobby,
  decideJoinLobby,
  decideStartLobby,
  departFromLobby,
  endGame,
  leaveQueue,
} from '../../src/lobby/decide'
import type { LobbyEvent } from '../../src/lobby/events'
import { canMove, evolveLobby } from '../../src/lobby/evolve'
import { LOBBY_STATUSES, type Lobby, type LobbyStatus } from '../../src/lobby/lobby'
import { LOBBY_TRANSITIONS, type LobbyTrigger } from '../../src/lobby/transitions'
import { next } from '../../src/shared/transitions'

const at = 1_000
type Decide = (lobby: Lobby) => Decision<LobbyEvent>

/** Command that pulls each trigger of the table. The service's own events are in `TOLD`; the proposal's triggers have their own test. */
const COMMANDS: Readonly<
  Record<Exclude<LobbyTrigger, 'create' | 'begin' | 'launch_failed' | 'match' | 'propose' | 'rejoin'>, Decide>
> = {
  enqueue: (lobby) => decideEnqueueLobby(lobby, { by: 'ann', ticketId: 'tkt_2', at, expiresAt: 9_000 }),
  leave_queue: (lobby) => decideCancelMatchmaking(lobby, { by: 'ann' }),
  start: (lobby) => decideStartLobby(lobby, { by: 'ann', matchId: 'mat_2' }),
  end: (lobby) => endGame(lobby, { reason: 'backend_ended', detail: 'ended by request' }),
  delete: (lobby) => decideDeleteLobby(lobby, { by: 'ann', backend: false }),
}

/** Events of the service itself, by the trigger of the table. */
const TOLD: Readonly<Record<'match' | 'begin' | 'launch_failed', LobbyEvent>> = {
  match: { type: 'lobby_matched', matchId: 'mat_2' },
  begin: { type: 'game_began', server: null },
  launch_failed: { type: 'launch_failed', exit: 'build_missing', reason: 'no build' },
}

const follows = (from: LobbyStatus, trigger: string) => next<LobbyStatus>(LOBBY_TRANSITIONS, from, trigger)
const pairs = <T extends string>(triggers: readonly T[]) =>
  LOBBY_STATUSES.flatMap((from) => triggers.map((trigger) => ({ from, trigger, to: follows(from, trigger) })))

describe('the lobby state table, every status with every command', () => {
  const rows = pairs(Object.keys(COMMANDS) as (keyof typeof COMMANDS)[])

  it.each(rows.filter((row) => row.to !== undefined))('$from, $trigger: $to', ({ from, trigger, to }) => {
    const then = given(lobbyIn(from), evolveLobby).when(COMMANDS[trigger])
    expect(then.rejected).toBeUndefined()
    if (to === null) expect(then.happened).toEqual(['lobby_deleted'])
    else expect(then.state.status).toBe(to)
  })

  it.each(rows.filter((row) => row.to === undefined))('$from, $trigger: refused', ({ from, trigger }) => {
    const lobby = lobbyIn(from)
    expect(given(lobby, evolveLobby).when(COMMANDS[trigger])).toMatchObject({
      rejected: 'INVALID_LOBBY_STATE',
      state: lobby,
    })
  })

  it.each(pairs(Object.keys(TOLD) as (keyof typeof TOLD)[]))('$from, told $trigger: $to', ({ from, trigger, to }) => {
    const lobby = lobbyIn(from)
    expect(canMove(lobby, trigger)).toBe(to !== undefined)
    const tell = () => given(lobby, evolveLobby).when(() => accept(TOLD[trigger]))
    if (to === undefined) expect(tell).toThrow(`a lobby that is ${from} cannot ${trigger}`)
    else expect(tell().state.status).toBe(to)
  })

  it.each(rows.filter((row) => row.trigger !== 'end'))('$from, $trigger by another than the host: NOT_HOST', (row) => {
    const asBob: typeof COMMANDS = {
      ...COMMANDS,
      enqueue: (lobby) => decideEnqueueLobby(lobby, { by: 'bob', ticketId: 'tkt_2', at, expiresAt: 9_000 }),
      leave_queue: (lobby) => decideCancelMatchmaking(lobby, { by: 'bob' }),
      start: (lobby) => decideStartLobby(lobby, { by: 'bob', matchId: 'mat_2' }),
      delete: (lobby) => decideDeleteLobby(lobby, { by: 'bob', backend: true }),
    }
    expect(given(lobbyIn(row.from), evolveLobby).when(asBob[row.trigger]).rejected).toBe('NOT_HOST')
  })

  it('has each row once', () => {
    const names = LOBBY_TRANSITIONS.map(({ from, trigger }) => `${from} ${trigger}`)
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('what a status brings along', () => {
  const leaving = LOBBY_STATUSES.map((status) => ({ status, lobby: lobbyIn(status) }))

  it.each(leaving)('$status: a ticket exactly while in_queue, a match exactly from matched on', ({ status, lobby }) => {
    for (const [trigger, decide] of Object.entries(COMMANDS)) {
      const { state, happened } = given(lobby, evolveLobby).when(decide)
      if (happened.includes('lobby_deleted')) continue
      expect(state.ticket !== null, `${status} ${trigger}`).toBe(state.status === 'in_queue')
      expect(state.matchId !== null, `${status} ${trigger}`).toBe(
        ['matched', 'starting', 'in_game'].includes(state.status),
      )
    }
  })

  it('neither server nor match is left in waiting', () => {
    const server = {
      instanceId: 'srv_1',
      region: 'iad',
      status: 'running',
      matchId: 'mat_1',
      networkPorts: [],
    } as const
    for (const [status, event] of [
      ['in_game', { type: 'game_ended', exit: 'match_ended', reason: 'over' }],
      ['starting', { type: 'launch_failed', exit: 'build_missing', reason: 'no build' }],
      ['matched', { type: 'launch_failed', exit: 'build_missing', reason: 'no build' }],
    ] as const) {
      expect(given(lobbyIn(status, { server }), evolveLobby).when(() => accept<LobbyEvent>(event)).state).toMatchObject(
        {
          status: 'waiting',
          server: null,
          matchId: null,
        },
      )
    }
  })
})

describe('commands that keep the status', () => {
  const settings: Decide = (lobby) => changeSettings(lobby, { by: 'ann', changes: { name: 'new' } })
  const join: Decide = (lobby) => decideJoinLobby(lobby, { playerId: 'cat', by: 'id', at })
  const state: Decide = (lobby) =>
    changePlayerState(lobby, { playerId: 'bob', by: 'bob', state: { mmr: 1 }, merge: true })
  const depart: Decide = (lobby) =>
    departFromLobby(lobby, { playerId: 'bob', reason: 'left', hostLeaveBehavior: 'promote' })

  it.each([
    ['waiting', settings, ['settings_changed'], undefined],
    ['in_queue', settings, [], 'INVALID_LOBBY_STATE'],
    ['matched', settings, [], 'INVALID_LOBBY_STATE'],
    ['starting', settings, [], 'INVALID_LOBBY_STATE'],
    ['in_game', settings, [], 'INVALID_LOBBY_STATE'],
    ['waiting', join, ['player_joined'], undefined],
    ['in_queue', join, [], 'LOBBY_NOT_ACCEPTING'],
    ['matched', join, [], 'LOBBY_NOT_ACCEPTING'],
    ['starting', join, [], 'LOBBY_NOT_ACCEPTING'],
    ['in_game', join, [], 'LOBBY_NOT_ACCEPTING'],
    ['waiting', state, ['player_state_changed'], undefined],
    ['in_queue', state, ['player_state_changed', 'ticket_changed'], undefined],
    ['matched', state, ['player_state_changed'], undefined],
    ['starting', state, ['player_state_changed'], undefined],
    ['in_game', state, ['player_state_changed'], undefined],
    ['waiting', depart, ['player_left'], undefined],
    ['in_queue', depart, ['player_left', 'queue_left'], undefined],
    ['matched', depart, ['player_left'], undefined],
    ['starting', depart, ['player_left'], undefined],
    ['in_game', depart, ['player_left'], undefined],
  ] as const)('%s: %s', (status, decide, happened, rejected) => {
    expect(given(lobbyIn(status), evolveLobby).when(decide)).toMatchObject({ happened, rejected })
  })

  it.each(['cancelled', 'timeout', 'player_left', 'declined', 'not_answered', 'unmatchable'] as const)(
    'leaves the queue: %s',
    (reason) => {
      const then = given(lobbyIn('in_queue'), evolveLobby).when((lobby) => leaveQueue(lobby, reason))
      expect(then.state).toMatchObject({ status: 'waiting', ticket: null })
    },
  )
})
