import type { Lobby } from '@matchyard/core'
import type { Commit } from '@matchyard/core/ports'

export const lobby = (id: string, parts: Partial<Lobby> = {}): Lobby => ({
  id,
  version: 1,
  projectId: 'prj_a',
  accountId: 'acc_a',
  queueId: 'ranked',
  status: 'waiting',
  hostPlayerId: 'ann',
  isPrivate: false,
  maxPlayers: 4,
  players: [{ playerId: 'ann', joinedAt: 1_000, state: { mmr: 1_500 } }],
  name: null,
  region: 'iad',
  inviteCode: null,
  settings: { map: 'dust', mode: 'ranked' },
  server: null,
  matchId: null,
  ticket: null,
  createdAt: 1_000,
  updatedAt: 1_000,
  ...parts,
})

/**
 * Returns the commit of a new lobby as the service makes it: the row, its first event, a follow-up job, and a counter
 * of all lobbies.
 */
export const creation = (id: string, parts: Partial<Lobby> = {}): Commit => {
  const value = lobby(id, parts)
  return {
    id: `commit of ${id}`,
    at: 1_000,
    checks: [],
    writes: [{ kind: 'lobby', id, expected: 'absent', put: value }],
    counters: [{ id: 'lobbies', add: 1 }],
    events: [{ lobbyId: id, version: 1, name: 'lobby_updated', at: 1_000, lobby: value }],
    jobs: [{ id: `expire-lobby:${id}`, kind: 'expire-lobby', runAt: 9_000, tenant: 'acc_a', payload: { lobbyId: id } }],
  }
}
