import type { Instant } from '../shared/time'

/** Answers of a player to a proposed match. */
export const PROPOSAL_ANSWERS = ['none', 'accepted', 'declined'] as const
export type ProposalAnswer = (typeof PROPOSAL_ANSWERS)[number]

/**
 * A proposed match that holds the lobby: it is `in_queue` without a ticket, so that no pool has it. Its own players by name, all
 * others as two numbers; and the stay that goes on with its age if the match is not made.
 */
export interface LobbyProposal {
  readonly matchId: string
  /** Deadline for the answers. */
  readonly expiresAt: Instant
  /** Players of the match. */
  readonly needed: number
  /** Number of players who have accepted; for other lobbies the last known number. */
  readonly accepted: number
  readonly players: readonly { readonly playerId: string; readonly answer: ProposalAnswer }[]
  /** Ticket that was taken out of the queue. A lobby that returns gets another ticket with the same age and deadline. */
  readonly ticketId: string
  readonly enteredAt: Instant
  readonly ticketExpiresAt: Instant
  /** That of the ticket. Not told to callers. */
  readonly trace?: string
}
