import type { Instant } from '../shared/time'
import { traceOf } from '../shared/trace'
import type { Lobby } from './lobby'
import type { LobbyProposal } from './proposal'

/** Returns the proposal that holds a lobby now; undefined without one. */
export const proposalOf = ({ status, proposal }: Lobby): LobbyProposal | undefined =>
  status === 'in_queue' ? proposal : undefined

export const isHeldBy = (lobby: Lobby, matchId: string): boolean => proposalOf(lobby)?.matchId === matchId

/** A stay in the queue, with a waiting ticket or a proposed match. */
export interface QueueStay {
  readonly ticketId: string
  readonly version: number
  readonly enteredAt: Instant
  /** Trace context of the call that put the lobby into the queue. */
  readonly trace?: string
  /** Present when a backend put the lobby into the queue. */
  readonly vouched?: true
}

/** Returns the mark `vouched` of a ticket or a proposal, as an object to spread. */
export const vouchedOf = ({ vouched }: { readonly vouched?: true } = {}): { readonly vouched?: true } =>
  vouched === undefined ? {} : { vouched }

/** Returns the lobby's stay in the queue; undefined when the lobby is not in the queue. */
export function stayOf(lobby: Lobby): QueueStay | undefined {
  const { ticket } = lobby
  if (ticket !== null)
    return {
      ticketId: ticket.id,
      version: ticket.version,
      enteredAt: ticket.enteredAt,
      ...traceOf(ticket),
      ...vouchedOf(ticket),
    }
  const held = proposalOf(lobby)
  // A proposal has no version of its own. The version of the lobby changes with every change of the proposal.
  return (
    held && {
      ticketId: held.ticketId,
      version: lobby.version,
      enteredAt: held.enteredAt,
      ...traceOf(held),
      ...vouchedOf(held),
    }
  )
}
