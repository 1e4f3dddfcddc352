import type { Proposal, QueueExplanation } from '../api/types'

/** A proposed match that the player must answer. */
export interface MatchProposal extends Proposal {
  /**
   * Accepts the match. If the proposal has ended meanwhile, the call does not fail: the search continues or ends by
   * itself.
   */
  accept(): Promise<void>
  /** Declines the match. The lobby returns to `waiting`, and may have to wait before its next search. */
  decline(): Promise<void>
}

/** Options of a search. */
export interface FindMatchOptions {
  /** Cancels the search when it aborts. */
  readonly signal?: AbortSignal | undefined
  /**
   * Called every few seconds with the reasons why the lobby still waits: the numbers of parties that fail each rule,
   * the next relaxation of the rules, and the usual waiting time.
   */
  readonly onWaiting?: ((why: QueueExplanation) => void) | undefined
  /**
   * Called for each proposed match of a queue with a ready check. If the player does not answer in time, the lobby
   * returns to `waiting`.
   */
  readonly onProposal?: ((proposal: MatchProposal) => unknown) | undefined
}

/** Options of a match that is started without matchmaking. */
export interface StartOptions extends Pick<FindMatchOptions, 'signal'> {
  /**
   * Teams of the match. `one` (default): all players are in one team. `even`: the teams of the queue take the players in
   * turn, in the order of joining. `state`: the field `team` of each player's state names a team of the queue.
   */
  readonly teams?: 'one' | 'even' | 'state' | undefined
}
