import { erasePlayer } from '../use-cases/players/erase-player'
import { findPlayer } from '../use-cases/players/find-player'
import { BACKEND } from './callers'
import { type CallsOf, operation } from './operation'

/** Players: they are whoever a game says; nothing is kept of them but what they do. */
export const players = {
  /**
   * Takes a player out of the project: out of its lobbies at once, as by leaving, and, with its id and state, out of its matches. What
   * expires by itself is gone within a day. Again is fine. Rejects with `PROJECT_NOT_FOUND`.
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

/** Players: they are whoever a game says; nothing is kept of them but what they do. */
export type Players = CallsOf<typeof players>
