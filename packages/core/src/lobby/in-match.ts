import type { ServerSummary } from '../server/game-server'
import type { LobbyEvent } from './events'
import { canMove } from './evolve'
import { canBePutBack } from './kept-stay'
import type { Ending } from './last-exit'
import type { Lobby } from './lobby'

/** Effects of a match on its lobbies. A lobby that has left the match is not changed. */

/** Moves the lobby into the game when its match begins; `server` is null for a match without a server. */
export const beginGame = (lobby: Lobby, matchId: string, server: ServerSummary | null): LobbyEvent[] =>
  lobby.matchId === matchId && canMove(lobby, 'begin') ? [{ type: 'game_began', server }] : []

/**
 * Sets the server that the lobby shows: null before the first attempt to launch the server, and while it waits for capacity. A running
 * server moves the lobby into the game.
 */
export function showServer(lobby: Lobby, matchId: string, server: ServerSummary | null): LobbyEvent[] {
  if (lobby.matchId !== matchId) return []
  const begins = server?.status === 'running' ? beginGame(lobby, matchId, server) : []
  return begins.length > 0 ? begins : [{ type: 'server_changed', server }]
}

/**
 * Returns the lobby to `waiting` when its match is over. For a lobby that was not in the game yet, the event reports a failed launch.
 * `requeues`: the lobbies of the match are put back into their queue, each at most MAX_REQUEUES times in a row.
 */
export function leaveGame(
  lobby: Lobby,
  matchId: string,
  { reason: exit, detail: reason }: Ending,
  requeues: boolean,
): LobbyEvent[] {
  if (lobby.matchId !== matchId) return []
  if (canMove(lobby, 'end')) return [{ type: 'game_ended', exit, reason }]
  const requeue = requeues && canBePutBack(lobby) ? ({ requeue: true } as const) : {}
  return [{ type: 'launch_failed', exit, reason, ...requeue }]
}
