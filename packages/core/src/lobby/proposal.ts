import type { Instant } from '../shared/time'
import type { CarriedByStay } from './carried'

/** Answers of a player to a proposed match; `none`: no answer yet. */
export const PROPOSAL_ANSWERS = ['none', 'accepted', 'declined'] as const
/** Answer of a player to a proposed match, one of `PROPOSAL_ANSWERS`. */
export type ProposalAnswer = (typeof PROPOSAL_ANSWERS)[number]

/**
 * Proposed match that holds the lobby. The lobby is `in_queue` without a ticket, so that no pool contains it. The proposal has the answers
 * of the lobby's own players. Of the whole match it only has the number of players and the number who accepted. It also keeps the lobby's
 * stay in the queue, which continues if the match is not made.
 */
export interface LobbyProposal extends CarriedByStay {
  /** Id of the proposed match: `mat_` and a ULID. */
  readonly matchId: string
  /** Deadline for the answers. */
  readonly expiresAt: Instant
  /** Number of players of the match, who must all accept. */
  readonly needed: number
  /** Number of players who have accepted. The answers of other lobbies may be counted a little later. */
  readonly accepted: number
  /** Players of this lobby with their answers. */
  readonly players: readonly {
    /** Id of the player. */
    readonly playerId: string
    /** Answer of the player; `none` before it. */
    readonly answer: ProposalAnswer
  }[]
  /** Ticket that was taken out of the queue. When the lobby returns to the queue, it gets a new ticket with the same age and deadline. */
  readonly ticketId: string
  /** Time at which the lobby entered the queue. */
  readonly enteredAt: Instant
  /** Time at which the lobby's search times out. A ticket that continues the stay keeps this deadline. */
  readonly ticketExpiresAt: Instant
  /** Number of times in a row that the service put the lobby back after a failed launch; absent for none. */
  readonly requeues?: number
  /** Trace context of the ticket. The API does not show it. */
  readonly trace?: string
}
