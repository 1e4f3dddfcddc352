import type { CallOptions } from '../context/context'
import type { ErasePlayerInput } from '../use-cases/players/erase-player'
import type { FindPlayerInput, FoundPlayer } from '../use-cases/players/find-player'

/** Players: they are whoever a game says; nothing is kept of them but what they do. */
export interface Players {
  /** Where a player is, what it played last and how that ended; of one whom nobody knows nothing. */
  find(input: FindPlayerInput): Promise<FoundPlayer>

  /**
   * Takes a player out of the project: out of its lobbies at once, as by leaving, and, with its id and state, out of its matches. What
   * expires by itself is gone within a day. Again is fine. Throws PROJECT_NOT_FOUND.
   */
  erase(input: ErasePlayerInput, call?: CallOptions): Promise<void>
}
