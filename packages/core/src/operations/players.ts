import { erasePlayer } from '../use-cases/players/erase-player'
import { findPlayer } from '../use-cases/players/find-player'
import { leaveLiveMatch } from '../use-cases/players/leave-live-match'
import { findSelf } from '../use-cases/players/self'
import { BACKEND, PLAYERS } from './callers'
import { type CallsOf, operation } from './operation'

/** Players: ids that a game chooses. The service stores nothing about a player except lobbies, matches and their records. */
export const players = {
  /**
   * Erases a player from the project. The player leaves all lobbies at once, and the player's id and state are removed from matches.
   * Records that expire by themselves no longer exist after a day. The call can be repeated. Rejects with `PROJECT_NOT_FOUND`.
   */
  erase: operation({
    callers: BACKEND,
    role: 'developer',
    fields: ['playerId', 'projectId'],
    audit: 'sessions',
    run: erasePlayer,
  }),

  /**
   * Returns the live match, the searches, the cooldowns, the lobbies, the last matches and the last exits of a player. For an unknown player
   * all lists are empty.
   */
  find: operation({
    callers: BACKEND,
    role: 'viewer',
    fields: ['playerId', 'projectId'],
    run: findPlayer,
  }),

  /**
   * Returns the same data about the calling player, as players see them: without proposed matches, and with only the last exit of each
   * lobby in which the player is.
   */
  self: operation({
    callers: PLAYERS,
    role: 'viewer',
    player: 'required',
    fields: ['playerId', 'projectId'],
    run: findSelf,
  }),

  /**
   * Takes the calling player out of the live match that keeps the player out of other matches, as when the player leaves the lobby. A
   * proposed match is declined. Rejects with `MATCH_NOT_FOUND` when the player is in no such match.
   */
  leaveMatch: operation({
    callers: PLAYERS,
    role: 'developer',
    player: 'required',
    fields: ['playerId', 'projectId'],
    refusals: ['MATCH_NOT_FOUND'],
    audit: 'sessions',
    run: leaveLiveMatch,
  }),
}

/**
 * Players: ids that a game chooses. The service stores nothing about a player except lobbies, matches and their records.
 *
 * @interface
 */
export type Players = CallsOf<typeof players>
