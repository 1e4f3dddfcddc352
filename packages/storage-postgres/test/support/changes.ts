import type { Lobby, QueueTicket } from '@matchyard/core'
import type { Commit } from '@matchyard/core/ports'

let counted = 0

/** Returns a commit that contains only the given parts. */
export const change = (parts: Partial<Commit>): Commit => ({
  id: `commit_${++counted}`,
  at: 1_000,
  checks: [],
  writes: [],
  counters: [],
  events: [],
  jobs: [],
  ...parts,
})

export const aLobby = (parts: Partial<Lobby> = {}): Lobby => ({
  id: `lob_${++counted}`,
  version: 1,
  projectId: 'prj_a',
  accountId: 'acc_a',
  queueId: 'ranked',
  status: 'waiting',
  hostPlayerId: 'ann',
  isPrivate: false,
  maxPlayers: 4,
  players: [{ playerId: 'ann', joinedAt: 1, state: {} }],
  name: null,
  region: null,
  inviteCode: null,
  settings: {},
  server: null,
  matchId: null,
  ticket: null,
  createdAt: 1_000,
  updatedAt: 1_000,
  ...parts,
})

export const aTicket = (parts: Partial<QueueTicket> = {}): QueueTicket => ({
  id: `tic_${++counted}`,
  version: 1,
  projectId: 'prj_a',
  queueKey: 'prj_a/ranked',
  lobbyId: 'lob_a',
  enteredAt: 1_000,
  region: null,
  players: [],
  ...parts,
})

/** Returns a commit that writes a lobby in its current version, with its event. */
export const putLobby = (lobby: Lobby): Commit =>
  change({
    writes: [{ kind: 'lobby', id: lobby.id, expected: lobby.version === 1 ? 'absent' : lobby.version - 1, put: lobby }],
    events: [{ lobbyId: lobby.id, version: lobby.version, name: 'lobby_updated', at: 1_000, lobby }],
  })

export const putTicket = (ticket: QueueTicket): Commit =>
  change({ writes: [{ kind: 'ticket', id: ticket.id, expected: 'absent', put: ticket }] })
