import type { Instant } from '../shared/time'
import { traceOf } from '../shared/trace'
import type { Lobby } from './lobby'
import type { LobbyProposal } from './proposal'

/** The proposal that holds a lobby now. */
export const proposalOf = ({ status, proposal }: Lobby): LobbyProposal | undefined =>
  status === 'in_queue' ? proposal : undefined

export const isHeldBy = (lobby: Lobby, matchId: string): boolean => proposalOf(lobby)?.matchId === matchId

/** A stay in the queue, whether its ticket waits or a proposal holds it. */
export interface QueueStay {
  readonly ticketId: string
  readonly version: number
  readonly enteredAt: Instant
  /** The place in a trace of the call that entered. */
  readonly trace?: string
}

/** The lobby's stay in the queue; undefined where it is in none. */
export function stayOf(lobby: Lobby): QueueStay | undefined {
  const { ticket } = lobby
  if (ticket !== null)
    return { ticketId: ticket.id, version: ticket.version, enteredAt: ticket.enteredAt, ...traceOf(ticket) }
  const held = proposalOf(lobby)
  // While it is held nobody counts its changes; the lobby's own version tells them.
  return held && { ticketId: held.ticketId, version: lobby.version, enteredAt: held.enteredAt, ...traceOf(held) }
}
