import type { Proposal, QueueExplanation } from '../api/types'

/** A match that the player is asked about. */
export interface MatchProposal extends Proposal {
  /** Says yes. One that is over meanwhile is no error: the search goes on, or ends, by itself. */
  accept(): Promise<void>
  /** Says no: the lobby is back in `waiting`, and may have to pause before it searches again. */
  decline(): Promise<void>
}

/** How a match is searched for. */
export interface FindMatchOptions {
  /** Calls the search off. */
  readonly signal?: AbortSignal | undefined
  /** Told every few seconds why the lobby still waits: which rules how many others fail, what loosens next, how long it usually takes. */
  readonly onWaiting?: ((why: QueueExplanation) => void) | undefined
  /** Asked, where the queue has a ready check, for each match that is proposed. Without an answer in time the lobby is back in `waiting`. */
  readonly onProposal?: ((proposal: MatchProposal) => unknown) | undefined
}
