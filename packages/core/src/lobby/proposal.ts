import type { Instant } from '../shared/time'

/** Answers of a player to a proposed match; `none`: no answer yet. */
export const PROPOSAL_ANSWERS = ['none', 'accepted', 'declined'] as const
export type ProposalAnswer = (typeof PROPOSAL_ANSWERS)[number]

/**
 * A proposed match that holds the lobby. The lobby is `in_queue` without a ticket, so that no pool contains it. The proposal has the
 * answers of the lobby's own players, and only numbers for all players of the match. It also has the stay in the queue that continues if
 * the match is not made.
 */
export interface LobbyProposal {
  readonly matchId: string
  /** Deadline for the answers. */
  readonly expiresAt: Instant
  /** Number of players of the match, who must all accept. */
  readonly needed: number
  /** Number of players who have accepted; for other lobbies the last known number. */
  readonly accepted: number
  readonly players: readonly { readonly playerId: string; readonly answer: ProposalAnswer }[]
  /** Ticket that was taken out of the queue. A lobby that returns gets another ticket with the same age and deadline. */
  readonly ticketId: string
  readonly enteredAt: Instant
  readonly ticketExpiresAt: Instant
  /** Place of the ticket in its trace. Not shown to callers. */
  readonly trace?: string
}
