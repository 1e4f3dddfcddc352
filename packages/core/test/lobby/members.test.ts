import { aLobby, aPlayer, given, lobbyIn } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import {
  changePlayerState,
  changeSettings,
  decideDeleteLobby,
  decideJoinLobby,
  decideRemovePlayer,
  departFromLobby,
} from '../../src/lobby/decide'
import { evolveLobby } from '../../src/lobby/evolve'
import { LOBBY_STATUSES, type Lobby } from '../../src/lobby/lobby'
import type { JsonObject } from '../../src/shared/json'

const at = 1_000
const trio = aLobby({ players: [aPlayer('ann'), aPlayer('bob'), aPlayer('cat')] })
const ids = (lobby: Lobby) => lobby.players.map((player) => player.playerId)

describe('joining', () => {
  it('takes a newcomer up to the last place', () => {
    const then = given(aLobby({ maxPlayers: 3 }), evolveLobby).when((l) =>
      decideJoinLobby(l, { playerId: 'cat', by: 'id', at }),
    )
    expect(ids(then.state)).toEqual(['ann', 'bob', 'cat'])
    expect(then.state.players[2]).toEqual({ playerId: 'cat', joinedAt: at, state: {} })
  })

  it('refuses the one who comes after it', () => {
    const then = given(aLobby({ maxPlayers: 2 }), evolveLobby).when((l) =>
      decideJoinLobby(l, { playerId: 'cat', by: 'id', at }),
    )
    expect(then.rejected).toBe('LOBBY_FULL')
  })

  it('lets a member join again without a second place, in a full and private lobby too', () => {
    const lobby = aLobby({ maxPlayers: 2, isPrivate: true })
    const then = given(lobby, evolveLobby).when((l) => decideJoinLobby(l, { playerId: 'bob', by: 'id', at }))
    expect(then).toMatchObject({ rejected: undefined, events: [] })
  })

  it('merges the state that a member sends on joining again', () => {
    const lobby = aLobby({ players: [aPlayer('ann', { state: { mmr: 1, team: 'red' } })] })
    const then = given(lobby, evolveLobby).when((l) =>
      decideJoinLobby(l, { playerId: 'ann', by: 'id', state: { mmr: 2 }, at }),
    )
    expect(then.state.players[0]?.state).toEqual({ mmr: 2, team: 'red' })
  })

  it.each(LOBBY_STATUSES.filter((s) => s !== 'waiting'))('treats a member as a newcomer while %s', (status) => {
    const then = given({ ...lobbyIn(status), inviteCode: 'ABC123' }, evolveLobby).when((l) =>
      decideJoinLobby(l, { playerId: 'bob', by: { code: 'abc123' }, at }),
    )
    expect(then.rejected).toBe('LOBBY_NOT_ACCEPTING')
  })

  it('opens a private lobby by its code alone', () => {
    const lobby = aLobby({ isPrivate: true, inviteCode: 'ABC123' })
    const by = (way: 'id' | { code: string }) =>
      given(lobby, evolveLobby).when((l) => decideJoinLobby(l, { playerId: 'cat', by: way, at }))
    expect(by('id').rejected).toBe('LOBBY_NOT_ACCEPTING')
    expect(by({ code: 'another' }).rejected).toBe('INVALID_INVITE_CODE')
    expect(by({ code: 'abc123' }).happened).toEqual(['player_joined'])
  })
})

describe('a departure', () => {
  const depart = (playerId: string, hostLeaveBehavior: 'promote' | 'delete') => (lobby: Lobby) =>
    departFromLobby(lobby, { playerId, reason: 'left', hostLeaveBehavior })

  it('of the host passes the lobby to the longest present', () => {
    const then = given(trio, evolveLobby).when(depart('ann', 'promote'))
    expect(then.happened).toEqual(['player_left', 'host_changed'])
    expect(then.state).toMatchObject({ hostPlayerId: 'bob' })
    expect(ids(then.state)).toEqual(['bob', 'cat'])
  })

  it('of the host ends the lobby where the queue says so', () => {
    expect(given(trio, evolveLobby).when(depart('ann', 'delete')).happened).toEqual(['player_left', 'lobby_deleted'])
  })

  it.each(['promote', 'delete'] as const)('of another changes no host (%s)', (behavior) => {
    expect(given(trio, evolveLobby).when(depart('bob', behavior)).happened).toEqual(['player_left'])
  })

  it.each(LOBBY_STATUSES)('of the last player ends the lobby while %s', (status) => {
    const lobby = lobbyIn(status, { players: [aPlayer('ann')] })
    expect(given(lobby, evolveLobby).when(depart('ann', 'promote')).happened).toEqual(['player_left', 'lobby_deleted'])
  })

  it('takes a queued lobby out of the queue, under its new host', () => {
    const then = given(lobbyIn('in_queue'), evolveLobby).when(depart('ann', 'promote'))
    expect(then.happened).toEqual(['player_left', 'host_changed', 'queue_left'])
    expect(then.state).toMatchObject({ status: 'waiting', ticket: null, hostPlayerId: 'bob' })
  })

  it('is a kick by the host, and by nobody else', () => {
    const kick = (by: string) => (lobby: Lobby) =>
      decideRemovePlayer(lobby, { playerId: 'cat', by, hostLeaveBehavior: 'promote' })
    expect(given(trio, evolveLobby).when(kick('ann')).events[0]).toMatchObject({
      type: 'player_left',
      reason: 'kicked',
    })
    expect(given(trio, evolveLobby).when(kick('bob')).rejected).toBe('NOT_HOST')
  })

  it('of a stranger is refused', () => {
    expect(given(trio, evolveLobby).when(depart('dan', 'promote')).rejected).toBe('PLAYER_NOT_IN_LOBBY')
  })
})

describe("a player's state", () => {
  const change =
    (by: string, playerId: string, merge = true) =>
    (lobby: Lobby) =>
      changePlayerState(lobby, { by, playerId, state: { mmr: null }, merge })
  const lobby = aLobby({
    players: [aPlayer('ann'), aPlayer('bob', { state: { mmr: 1, team: 'red' } }), aPlayer('cat')],
  })

  it.each([
    ['the player', 'bob'],
    ['the host', 'ann'],
  ])('is changed by %s', (_, by) => {
    expect(given(lobby, evolveLobby).when(change(by, 'bob')).state.players[1]?.state).toEqual({
      mmr: null,
      team: 'red',
    })
  })

  it('is replaced wholesale without merging', () => {
    expect(given(lobby, evolveLobby).when(change('bob', 'bob', false)).state.players[1]?.state).toEqual({ mmr: null })
  })

  it.each([
    ['another member', 'cat', 'bob', 'PLAYER_STATE_FORBIDDEN'],
    ['a stranger', 'dan', 'bob', 'PLAYER_NOT_IN_LOBBY'],
    ['the host, of a stranger,', 'ann', 'dan', 'PLAYER_NOT_IN_LOBBY'],
  ])('changed by %s is refused', (_, by, of, code) => {
    expect(given(lobby, evolveLobby).when(change(by, of)).rejected).toBe(code)
  })
})

describe('settings', () => {
  it('that are what they were make no event; another order of their keys is a change', () => {
    const lobby = aLobby({ settings: { map: 'dust', mode: 'ctf' }, name: null })
    const change = (settings: JsonObject) => (l: Lobby) =>
      changeSettings(l, { by: 'ann', changes: { settings, name: null, maxPlayers: 4 } })
    expect(given(lobby, evolveLobby).when(change({ map: 'dust', mode: 'ctf' })).events).toEqual([])
    const turned = given(lobby, evolveLobby).when(change({ mode: 'ctf', map: 'dust' }))
    expect(Object.keys(turned.state.settings)).toEqual(['mode', 'map'])
  })

  it('keep id, players and host', () => {
    const changes = { name: 'x', settings: { map: 'dust' } }
    const { state } = given(trio, evolveLobby).when((l) => changeSettings(l, { by: 'ann', changes }))
    expect(state).toEqual({ ...trio, ...changes })
  })
})

describe('deletion', () => {
  it.each([
    ['the host', 'ann', false, true],
    ['a backend that names nobody', undefined, true, true],
    ['a backend that names a member', 'bob', true, false],
    ['nobody', undefined, false, false],
  ])('by %s', (_, by, backend, allowed) => {
    const then = given(trio, evolveLobby).when((lobby) => decideDeleteLobby(lobby, { by, backend }))
    expect(then.rejected).toBe(allowed ? undefined : 'NOT_HOST')
  })
})
