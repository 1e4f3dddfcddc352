import { aLobby, aPlayer, lobbyIn } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { MAX_LOBBY_BYTES } from '../../src/catalog/limits'
import type { Decision } from '../../src/errors/decision'
import { answeredBytes } from '../../src/lobby/answered-bytes'
import {
  changePlayerState,
  changeSettings,
  decideDeleteLobby,
  decideEnqueueLobby,
  decideJoinLobby,
  decideRemovePlayer,
  decideStartLobby,
  departFromLobby,
  endGame,
  endTicket,
  holdsPlayers,
  leaveQueue,
  matchLobby,
  withinSize,
} from '../../src/lobby/decide'
import type { LobbyEvent } from '../../src/lobby/events'
import { evolveLobby, evolveLobbyAll } from '../../src/lobby/evolve'
import { quickJoinKeyOf } from '../../src/lobby/labels'
import type { StateSource } from '../../src/lobby/trusted-state'

const at = 1_000
const trio = aLobby({ players: [aPlayer('ann'), aPlayer('bob'), aPlayer('cat')] })
const rejected = (decision: Decision<unknown>) => (decision.ok ? undefined : decision.rejected)
const first = (decision: Decision<LobbyEvent>): LobbyEvent | undefined => (decision.ok ? decision.events[0] : undefined)

describe('a call in the wrong status', () => {
  it.each([
    ['waiting', changeSettings(lobbyIn('in_game'), { by: 'ann', changes: { name: 'x' } }), 'in_game'],
    ['waiting', decideEnqueueLobby(lobbyIn('in_queue'), { by: 'ann', ticketId: 't', at, expiresAt: 9 }), 'in_queue'],
    ['waiting', decideStartLobby(lobbyIn('in_game'), { by: 'ann', matchId: 'm' }), 'in_game'],
    ['in_queue', leaveQueue(lobbyIn('in_game'), 'cancelled'), 'in_game'],
    ['in_queue', matchLobby(lobbyIn('waiting'), 'm'), 'waiting'],
    ['in_game', endGame(lobbyIn('waiting'), { reason: 'match_ended', detail: 'over' }), 'waiting'],
  ])('names the status that it needs (%s) and the present one', (needed, decision, status) => {
    expect(rejected(decision)).toMatchObject({ code: 'INVALID_LOBBY_STATE', details: { status } })
    expect(rejected(decision)?.detail).toContain(`while the lobby is ${needed}`)
  })

  it('is a join as well', () => {
    const decision = decideJoinLobby(lobbyIn('in_game'), { playerId: 'dan', by: 'id', at })
    expect(rejected(decision)).toMatchObject({ code: 'LOBBY_NOT_ACCEPTING', details: { status: 'in_game' } })
  })
})

describe('a refusal of a player who is not the host', () => {
  it.each([
    ['settings', changeSettings(trio, { by: 'bob', changes: { name: 'x' } })],
    ['a kick', decideRemovePlayer(trio, { playerId: 'cat', by: 'bob', hostLeaveBehavior: 'promote' })],
  ])('names the player: %s', (_, decision) => {
    expect(rejected(decision)).toMatchObject({ code: 'NOT_HOST' })
    expect(rejected(decision)?.detail).toContain('"bob"')
  })

  it('says null without a player', () => {
    expect(rejected(decideDeleteLobby(trio, { by: undefined, backend: false }))?.detail).toContain('null')
  })
})

it('a kick of a stranger is a call on a missing player; a kick of the caller is a departure', () => {
  const kick = (playerId: string) => decideRemovePlayer(trio, { playerId, by: 'ann', hostLeaveBehavior: 'promote' })
  expect(rejected(kick('dan'))).toMatchObject({ code: 'PLAYER_NOT_IN_LOBBY', kind: 'absent' })
  expect(first(kick('ann'))).toEqual({ type: 'player_left', playerId: 'ann', reason: 'left' })
  const gone = departFromLobby(trio, { playerId: 'dan', reason: 'left', hostLeaveBehavior: 'promote' })
  expect(rejected(gone)?.kind).toBeUndefined()
})

it('a lobby that its host ends by leaving has the reason host_left', () => {
  const decision = departFromLobby(trio, { playerId: 'ann', reason: 'left', hostLeaveBehavior: 'delete' })
  expect(decision).toMatchObject({ events: [{}, { type: 'lobby_deleted', reason: 'host_left' }] })
})

it('a lobby without an invite code accepts no code', () => {
  const decision = decideJoinLobby(aLobby({ inviteCode: null }), { playerId: 'dan', by: { code: 'null' }, at })
  expect(rejected(decision)).toMatchObject({ code: 'INVALID_INVITE_CODE' })
})

it('an event has no player where no player was the cause', () => {
  expect(Object.keys(first(leaveQueue(lobbyIn('in_queue'), 'timeout')) ?? {})).toEqual(['type', 'reason'])
  expect(Object.keys(first(decideDeleteLobby(trio, { by: undefined, backend: true })) ?? {})).not.toContain('by')
  expect(Object.keys(first(matchLobby(lobbyIn('in_queue'), 'm')) ?? {})).toEqual(['type', 'matchId'])
})

it('only the stay of the ticket is ended', () => {
  const searching = lobbyIn('in_queue')
  const own = { ticketId: searching.ticket?.id ?? '', reason: 'timeout' as const }
  expect(first(endTicket(searching, own))).toMatchObject({ type: 'queue_left', reason: 'timeout' })
  expect(endTicket(searching, { ...own, ticketId: 'tkt_other' })).toEqual({ ok: true, events: [] })
  expect(endTicket(lobbyIn('waiting'), own)).toEqual({ ok: true, events: [] })
})

it('a maximum below the present number of players is rejected', () => {
  expect(holdsPlayers(trio, 3).ok).toBe(true)
  expect(rejected(holdsPlayers(trio, 2))).toMatchObject({ code: 'VALIDATION_FAILED' })
})

describe('a state', () => {
  const source = { trusted: ['mmr'], hidden: [], client: { proven: { mmr: 5 } } }
  const write = (playerId: string, given: StateSource) =>
    changePlayerState(trio, { by: 'ann', playerId, state: { mmr: 5 }, merge: true, source: given })

  it('is proven by a token for its own player alone', () => {
    expect(first(write('ann', source))).toMatchObject({ playerId: 'ann', proven: ['mmr'] })
    expect(rejected(write('bob', source))).toMatchObject({ code: 'PLAYER_STATE_FORBIDDEN' })
    expect(first(write('bob', { trusted: ['mmr'], hidden: [] }))).toMatchObject({ playerId: 'bob', proven: ['mmr'] })
  })

  it('is not confirmed to a host who guesses a private trusted field of another player', () => {
    const avoid = ['cat']
    const bob = { ...aPlayer('bob', { state: { avoid } }), hidden: ['avoid'] }
    const lobby = aLobby({ players: [aPlayer('ann'), bob] })
    const mine: StateSource = { trusted: ['avoid'], hidden: ['avoid'], client: { proven: {} } }
    const guess = (by: string, state: { avoid: string[] }) =>
      changePlayerState(lobby, { by, playerId: 'bob', state, merge: true, source: mine })
    for (const state of [{ avoid }, { avoid: ['dan'] }]) {
      expect(rejected(guess('ann', state))).toMatchObject({ code: 'PLAYER_STATE_FORBIDDEN' })
    }
    expect(guess('bob', { avoid }).ok).toBe(true)
  })

  it('is bounded as it is after the merge', () => {
    const part = { a: 'x'.repeat(10_000) }
    const lobby = aLobby({ players: [aPlayer('ann', { state: part })] })
    const more = { by: 'ann', playerId: 'ann', state: { b: 'x'.repeat(10_000) } }
    expect(rejected(changePlayerState(lobby, { ...more, merge: true }))).toMatchObject({ code: 'VALIDATION_FAILED' })
    expect(changePlayerState(lobby, { ...more, merge: false }).ok).toBe(true)
  })

  it('changes no other player, and keeps no proof that is over', () => {
    const lobby = aLobby({ players: [aPlayer('ann', { state: { a: 1 } }), aPlayer('bob')] })
    const after = evolveLobby(lobby, { type: 'player_state_changed', playerId: 'bob', state: { b: 1 } })
    expect(after.players.map(({ state }) => state)).toEqual([{ a: 1 }, { b: 1 }])
    expect('proven' in (after.players[1] ?? {})).toBe(false)
  })
})

it('the bound of a lobby in bytes holds to the byte', () => {
  const sized = (length: number) => aLobby({ settings: { text: 'x'.repeat(length) } })
  const room = MAX_LOBBY_BYTES - answeredBytes(sized(0))
  expect(answeredBytes(sized(room))).toBe(MAX_LOBBY_BYTES)
  expect(withinSize(sized(room)).ok).toBe(true)
  expect(rejected(withinSize(sized(room + 1)))).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
})

it('a full lobby loses its key for quick joins', () => {
  const key = quickJoinKeyOf('duel', {})
  const lobby = aLobby({ queueId: 'duel', settings: {}, maxPlayers: 3, quickJoinKey: key })
  const join = (playerId: string): LobbyEvent => ({ type: 'player_joined', player: aPlayer(playerId) })
  expect(evolveLobbyAll({ ...lobby, maxPlayers: 4 }, [join('cat')], at).quickJoinKey).toBe(key)
  expect('quickJoinKey' in evolveLobbyAll(lobby, [join('cat')], at)).toBe(false)
})

it('a lobby without a proposal cannot return from one', () => {
  const event = { type: 'queue_rejoined', ticketId: 't', expiresAt: 9 } as LobbyEvent
  expect(() => evolveLobby(lobbyIn('in_queue'), event)).toThrow('never held it')
})
