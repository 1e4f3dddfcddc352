import { erasePlayer } from '../use-cases/players/erase-player'
import { findPlayer } from '../use-cases/players/find-player'
import { BACKEND } from './callers'
import { type CallsOf, operation } from './operation'

/** Players: ids that a game chooses. The service stores nothing about a player except lobbies, matches and their records. */
export const players = {
  /**
   * Erases a player from the project. The player leaves its lobbies at once; its id and state are removed from its matches. Records with an
   * expiry are gone within a day. The call can be repeated. Rejects with `PROJECT_NOT_FOUND`.
   */
  erase: operation({
    callers: BACKEND,
    fields: ['playerId', 'projectId'],
    run: erasePlayer,
  }),

  /** Where a player is, what it played last and how that ended; of one whom nobody knows nothing. */
  find: operation({
    callers: BACKEND,
    fields: ['playerId', 'projectId'],
    run: findPlayer,
  }),
}

/** Players: ids that a game chooses. The service stores nothing about a player except lobbies, matches and their records. */
export type Players = CallsOf<typeof players>
