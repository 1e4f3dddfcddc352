import type { Instant } from '../shared/time'

/** What a player has said to a proposed match. */
export const PROPOSAL_ANSWERS = ['none', 'accepted', 'declined'] as const
export type ProposalAnswer = (typeof PROPOSAL_ANSWERS)[number]

/**
 * A proposed match that holds the lobby: it is `in_queue` without a ticket, so that no pool has it. Its own players by name, all
 * others as two numbers; and the stay that goes on with its age if the match is not made.
 */
export interface LobbyProposal {
  readonly matchId: string
  /** Who has not answered by then is silent. */
  readonly expiresAt: Instant
  /** Players of the match. */
  readonly needed: number
  /** Of them, those who have accepted; of other lobbies as it was told last. */
  readonly accepted: number
  readonly players: readonly { readonly playerId: string; readonly answer: ProposalAnswer }[]
  /** The ticket that was taken out of the queue; whoever comes back gets another one, with the same age and deadline. */
  readonly ticketId: string
  readonly enteredAt: Instant
  readonly ticketExpiresAt: Instant
  /** That of the ticket. Not told to callers. */
  readonly trace?: string
}
