import type { IncomingMessage } from 'node:http'
import { isFromThisMachine } from './own-machine'

/**
 * Operations that `dev --lan` answers for other machines: the calls of players' clients and of game servers, health
 * checks, and pages without secrets. Every other operation, also an operation that is added later, answers programs of
 * this machine alone.
 */
export const OPEN_ON_LAN: ReadonlySet<string> = new Set([
  ...['lobbies.create', 'lobbies.browse', 'lobbies.get', 'lobbies.updateSettings', 'lobbies.renewInviteCode'],
  ...['lobbies.delete', 'lobbies.banPlayer', 'lobbies.unbanPlayer', 'lobbies.events', 'lobbies.start', 'lobbies.end'],
  ...['lobbies.enqueue', 'lobbies.cancelMatchmaking', 'lobbies.explainMatchmaking', 'lobbies.accept'],
  ...['lobbies.decline', 'lobbies.join', 'lobbies.joinByCode', 'lobbies.quickJoin', 'lobbies.ofPlayer'],
  ...['lobbies.leave', 'lobbies.removePlayer', 'lobbies.updatePlayer', 'lobbies.heartbeat'],
  ...['matches.list', 'matches.get', 'matches.joinToken', 'matches.keepSeat', 'matches.freeSeat', 'matches.join'],
  ...['regions.list', 'players.self', 'players.leaveMatch', 'ratings.leaderboard', 'ratings.ofPlayer'],
  ...['servers.selfReady', 'servers.selfHeartbeat', 'servers.selfShutdown', 'servers.selfGet', 'servers.selfEvents'],
  ...['servers.selfBackfill', 'servers.selfGetBackfill', 'servers.selfCancelBackfill', 'servers.selfKeepSeat'],
  ...['servers.selfFreeSeat', 'servers.selfPlayerLeft', 'servers.selfClose', 'servers.selfResult'],
  ...['system.start', 'system.live', 'system.ready', 'system.errors', 'system.error'],
])

const REASON = 'dev --lan answers this call only to programs on its own machine; call it there, at http://127.0.0.1'

/** Returns the reason why an operation, or a page beside the API, does not answer a request of another machine. */
export const whyClosedOnLan = (operation: string, incoming: IncomingMessage | undefined): string | undefined =>
  OPEN_ON_LAN.has(operation) || (incoming !== undefined && isFromThisMachine(incoming)) ? undefined : REASON
