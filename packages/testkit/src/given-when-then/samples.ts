import type { GameServer, Lobby, LobbyPlayer, LobbyStatus, ServerStatus } from '@matchyard/core'
import { FAKE_START } from '../fakes/clock'

/** Returns a player of a lobby, with an empty state. */
export const aPlayer = (playerId: string, over: Partial<LobbyPlayer> = {}): LobbyPlayer => ({
  playerId,
  joinedAt: FAKE_START,
  state: {},
  ...over,
})

/** Returns a public lobby in status `waiting`, with the players ann (the host) and bob. */
export const aLobby = (over: Partial<Lobby> = {}): Lobby => ({
  id: 'lob_1',
  version: 1,
  projectId: 'prj_1',
  accountId: 'acc_1',
  queueId: 'duel',
  status: 'waiting',
  hostPlayerId: 'ann',
  isPrivate: false,
  maxPlayers: 4,
  players: [aPlayer('ann'), aPlayer('bob')],
  name: null,
  region: null,
  inviteCode: 'ABC123',
  settings: {},
  server: null,
  matchId: null,
  ticket: null,
  createdAt: FAKE_START,
  updatedAt: FAKE_START,
  ...over,
})

/** Returns a lobby in the given status, with the ticket or the match that this status needs. */
export function lobbyIn(status: LobbyStatus, over: Partial<Lobby> = {}): Lobby {
  const ticket = status === 'in_queue' ? { id: 'tkt_1', version: 1, enteredAt: FAKE_START } : null
  const matchId = status === 'waiting' || status === 'in_queue' ? null : 'mat_1'
  return aLobby({ status, ticket, matchId, ...over })
}

/** Returns a match's server in status `launching`, before its first launch attempt. */
export const aServer = (over: Partial<GameServer> = {}): GameServer => ({
  id: 'srv_1',
  version: 1,
  projectId: 'prj_1',
  accountId: 'acc_1',
  name: 'srv_1',
  status: 'launching',
  region: 'iad',
  tier: '1x-1g',
  versionTag: 'arena',
  buildId: null,
  buildVersion: null,
  portRequests: [],
  networkPorts: [],
  startupArgs: '',
  ttlSeconds: null,
  autoRestart: false,
  customData: {},
  queueId: 'duel',
  matchId: 'mat_1',
  nodeId: null,
  attempt: 0,
  attemptOpen: false,
  launchAttempts: 0,
  launchDeadlineAt: FAKE_START + 60_000,
  exitCode: null,
  stopReason: null,
  restarts: 0,
  crashesInARow: 0,
  relaunchAt: null,
  launchedAt: null,
  createdAt: FAKE_START,
  runningAt: null,
  stoppedAt: null,
  expiresAt: null,
  updatedAt: FAKE_START,
  ...over,
})

/** Returns a server in the given status, which was launched once and has a node. */
export function serverIn(status: ServerStatus, over: Partial<GameServer> = {}): GameServer {
  const launched = {
    nodeId: 'node',
    attempt: 1,
    attemptOpen: true,
    launchAttempts: 1,
    buildId: 'bld_1',
    buildVersion: 1,
  }
  const running = { runningAt: FAKE_START, launchedAt: FAKE_START }
  const ended = { stoppedAt: FAKE_START + 1_000, stopReason: 'exited with code 0' }
  return aServer({
    status,
    ...launched,
    ...(status === 'launching' ? {} : running),
    ...(status === 'stopped' || status === 'failed' ? ended : {}),
    ...over,
  })
}
