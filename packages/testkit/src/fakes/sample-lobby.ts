import type { Lobby } from '@matchyard/core'

/**
 * Returns a new lobby in the form in which the service stores it, for benchmarks of storage. Each `n` gives a different
 * lobby.
 */
export const sampleLobby = (n: number): Lobby => ({
  id: `lob_${String(n).padStart(12, '0')}`,
  version: 1,
  projectId: 'prj_a',
  accountId: 'acc_a',
  queueId: 'ranked',
  status: 'waiting',
  hostPlayerId: 'ann',
  isPrivate: false,
  maxPlayers: 4,
  players: [{ playerId: 'ann', joinedAt: n, state: { mmr: 1_500, regions: ['iad', 'ewr'] } }],
  name: null,
  region: 'iad',
  inviteCode: `C${n}`,
  settings: { map: 'dust', mode: 'ranked' },
  server: null,
  matchId: null,
  ticket: null,
  createdAt: n,
  updatedAt: n,
})
