import type { Instant } from '../shared/time'
import { traceOf } from '../shared/trace'
import { type CarriedByStay, carriedOf } from './carried'
import type { Lobby } from './lobby'
import type { LobbyProposal } from './proposal'

/** Returns the proposal that holds a lobby now; undefined without one. */
export const proposalOf = ({ status, proposal }: Lobby): LobbyProposal | undefined =>
  status === 'in_queue' ? proposal : undefined

export const isHeldBy = (lobby: Lobby, matchId: string): boolean => proposalOf(lobby)?.matchId === matchId

/** A stay in the queue, with a waiting ticket or a proposed match. */
export interface QueueStay extends CarriedByStay {
  readonly ticketId: string
  readonly version: number
  readonly enteredAt: Instant
  /** Trace context of the call that put the lobby into the queue. */
  readonly trace?: string
}

/** Returns the lobby's stay in the queue; undefined when the lobby is not in the queue. */
export function stayOf(lobby: Lobby): QueueStay | undefined {
  const { ticket } = lobby
  if (ticket !== null)
    return {
      ticketId: ticket.id,
      version: ticket.version,
      enteredAt: ticket.enteredAt,
      ...traceOf(ticket),
      ...carriedOf(ticket),
    }
  const held = proposalOf(lobby)
  // A proposal has no version of its own. The version of the lobby changes with every change of the proposal.
  return (
    held && {
      ticketId: held.ticketId,
      version: lobby.version,
      enteredAt: held.enteredAt,
      ...traceOf(held),
      ...carriedOf(held),
    }
  )
}
