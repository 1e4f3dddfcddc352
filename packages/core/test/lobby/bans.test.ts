import { aLobby, aPlayer, given, lobbyIn } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { MAX_LOBBY_BANS } from '../../src/catalog/limits'
import { decideBanPlayer, decideUnbanPlayer, mayBeBanned } from '../../src/lobby/bans'
import { decideJoinLobby } from '../../src/lobby/decide'
import { evolveLobby } from '../../src/lobby/evolve'
import { LOBBY_STATUSES, type Lobby } from '../../src/lobby/lobby'

const ban = (lobby: Lobby, playerId: string, by: string | undefined = 'ann', backend = false) =>
  given(lobby, evolveLobby).when((l) => decideBanPlayer(l, { playerId, by, backend, hostLeaveBehavior: 'promote' }))
const unban = (lobby: Lobby, playerId: string, by: string | undefined = 'ann', backend = false) =>
  given(lobby, evolveLobby).when((l) => decideUnbanPlayer(l, { playerId, by, backend }))

describe('a ban', () => {
  it('kicks who is there, keeps out who is not, and happens once', () => {
    const then = ban(aLobby(), 'bob')
    expect(then.happened).toEqual(['lobby_ban_added', 'player_left'])
    expect(then.events).toContainEqual({ type: 'player_left', playerId: 'bob', reason: 'kicked' })
    expect(then.state).toMatchObject({ banned: ['bob'], players: [{ playerId: 'ann' }] })
    const more = ban(then.state, 'cat')
    expect([more.happened, more.state.banned]).toEqual([['lobby_ban_added'], ['bob', 'cat']])
    expect(ban(more.state, 'bob')).toMatchObject({ rejected: undefined, events: [] })
  })

  it.each(LOBBY_STATUSES)('is made while %s; who is there leaves as by a kick', (status) => {
    const then = ban(lobbyIn(status), 'bob')
    expect(then.happened).toEqual(['lobby_ban_added', 'player_left', ...(status === 'in_queue' ? ['queue_left'] : [])])
  })

  it('is for the host and the backend, which may ban the host as well', () => {
    expect(ban(aLobby(), 'ann', 'bob').rejected).toBe('NOT_HOST')
    expect(unban(aLobby(), 'cat', 'bob').rejected).toBe('NOT_HOST')
    const then = ban(aLobby(), 'ann', undefined, true)
    expect(then.state).toMatchObject({ hostPlayerId: 'bob', banned: ['ann'] })
    expect(ban(aLobby({ players: [aPlayer('ann')] }), 'ann', undefined, true).happened).toContain('lobby_deleted')
  })

  it('is neither of oneself nor of an id that no player can have', () => {
    for (const playerId of ['ann', '', 'x'.repeat(129), 'a\u0000b']) {
      expect(mayBeBanned({ playerId, by: 'ann' })).toMatchObject({ rejected: { code: 'VALIDATION_FAILED' } })
    }
    expect(mayBeBanned({ playerId: 'bob', by: 'ann' }).ok).toBe(true)
  })

  it('is refused past a hundred, and one that stands already is not', () => {
    const full = aLobby({ banned: Array.from({ length: MAX_LOBBY_BANS }, (_, n) => `guest ${n}`) })
    expect(ban(full, 'bob').rejected).toBe('BAN_LIMIT')
    expect(ban(full, 'guest 7')).toMatchObject({ rejected: undefined, events: [] })
    expect(ban(unban(full, 'guest 7').state, 'bob').state.banned).toHaveLength(MAX_LOBBY_BANS)
  })

  it('is over once it is taken back, and cannot be taken back twice', () => {
    const then = unban(aLobby({ banned: ['bob', 'cat'] }), 'bob')
    expect(then.state.banned).toEqual(['cat'])
    expect(unban(then.state, 'bob').rejected).toBe('BAN_NOT_FOUND')
  })
})

describe('a banned player who joins', () => {
  it('is refused before anything of the lobby or the state, but after a code that is another one', () => {
    const lobby = { ...lobbyIn('in_game'), isPrivate: true, banned: ['cat'], inviteCode: 'ABC123' }
    const join = (by: 'id' | { code: string }) =>
      decideJoinLobby(lobby, {
        playerId: 'cat',
        by,
        at: 1_000,
        state: { mmr: 9 },
        source: { trusted: ['mmr'], hidden: [], client: { proven: {} } },
      })
    const banned = { rejected: { code: 'PLAYER_BANNED', details: { scope: 'lobby' } } }
    expect(join('id')).toMatchObject(banned)
    expect(join({ code: 'abc123' })).toMatchObject(banned)
    expect(join({ code: 'another' })).toMatchObject({ rejected: { code: 'INVALID_INVITE_CODE' } })
  })
})
