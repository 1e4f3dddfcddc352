import type { ServerSummary } from '../server/game-server'
import type { LobbyEvent } from './events'
import { canMove } from './evolve'
import type { Ending } from './last-exit'
import type { Lobby } from './lobby'

/** Effects of a match on its lobbies. A lobby that has left the match, or has moved on by itself, is not changed. */

/** The match is on: the lobby enters the game, with its server where it has one. */
export const beginGame = (lobby: Lobby, matchId: string, server: ServerSummary | null): LobbyEvent[] =>
  lobby.matchId === matchId && canMove(lobby, 'begin') ? [{ type: 'game_began', server }] : []

/** Sets the server that the lobby shows: none while the server has no place to run; a running server moves the lobby into the game. */
export function showServer(lobby: Lobby, matchId: string, server: ServerSummary | null): LobbyEvent[] {
  if (lobby.matchId !== matchId) return []
  const begins = server?.status === 'running' ? beginGame(lobby, matchId, server) : []
  return begins.length > 0 ? begins : [{ type: 'server_changed', server }]
}

/** The match is over: the lobby waits again. One that was not yet in the game returns because its launch failed. */
export function leaveGame(lobby: Lobby, matchId: string, { reason: exit, detail: reason }: Ending): LobbyEvent[] {
  if (lobby.matchId !== matchId) return []
  return [canMove(lobby, 'end') ? { type: 'game_ended', exit, reason } : { type: 'launch_failed', exit, reason }]
}
