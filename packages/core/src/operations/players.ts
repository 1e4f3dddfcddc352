import { erasePlayer } from '../use-cases/players/erase-player'
import { findPlayer } from '../use-cases/players/find-player'
import { BACKEND } from './callers'
import { type CallsOf, operation } from './operation'

/** Players: ids that a game chooses. The service stores nothing about a player except lobbies, matches and their records. */
export const players = {
  /**
   * Erases a player from the project. The player leaves all lobbies at once, and the player's id and state are removed from matches.
   * Records that expire by themselves no longer exist after a day. The call can be repeated. Rejects with `PROJECT_NOT_FOUND`.
   */
  erase: operation({
    callers: BACKEND,
    fields: ['playerId', 'projectId'],
    run: erasePlayer,
  }),

  /** Returns the lobbies, the last matches and the last exits of a player. For an unknown player all three lists are empty. */
  find: operation({
    callers: BACKEND,
    fields: ['playerId', 'projectId'],
    run: findPlayer,
  }),
}

/** Players: ids that a game chooses. The service stores nothing about a player except lobbies, matches and their records. */
export type Players = CallsOf<typeof players>
