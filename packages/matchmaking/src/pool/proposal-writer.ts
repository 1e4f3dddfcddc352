import type { TicketColumns } from '../columns/ticket-columns'
import type { MatchFormat } from '../config/match-format'
import type { SeatMatch } from '../groups/seat-match'
import type { Proposal, ProposedTeam, Ticket } from '../types'
import { matchRegion } from '../verify/match-region'
import { versionOf } from '../verify/party'
import type { MatchWriter } from './match-writer'

/** Builds complete proposals, while the tickets of the matches are still in the columns. */
export class ProposalWriter implements MatchWriter<Proposal[]> {
  private proposals: Proposal[] = []
  private now = 0
  constructor(
    private readonly format: MatchFormat,
    private readonly columns: TicketColumns,
    private readonly seat: SeatMatch | undefined,
  ) {}

  start(now: number): void {
    this.now = now
    this.proposals = []
  }

  finish(): Proposal[] {
    const { proposals } = this
    this.proposals = []
    return proposals
  }

  singles(slots: Int32Array, size: 1 | 2, from: number, to: number): void {
    for (let at = from; at < to; at += size) {
      const slot = slots[at] as number
      this.proposals.push(size === 2 ? this.pair(slot, slots[at + 1] as number) : this.group([slot]))
    }
  }

  groups(matches: readonly (readonly number[])[], from: number, to: number): void {
    for (let at = from; at < to; at++) this.proposals.push(this.group(matches[at] as readonly number[]))
  }

  fills(fills: readonly Proposal[]): void {
    this.proposals.push(...fills)
  }

  /** Returns the proposal of a match. `slots` are longest waiting first. */
  private group(slots: readonly number[]): Proposal {
    const { format, columns } = this
    const tickets = slots.map((slot) => columns.tickets[slot] as Ticket)
    const oldest = tickets[0] as Ticket
    return {
      ticketIds: tickets.map((ticket) => ticket.id),
      teams: this.seat ? this.seat.teams(slots) : [this.alone(0, oldest)],
      region: matchRegion(format, tickets, this.now),
      version: format.versioned ? (versionOf(format, oldest.players) ?? null) : null,
    }
  }

  /** Returns the proposal of two tickets of one player each; the older player is in the first team. */
  private pair(a: number, b: number): Proposal {
    const { columns, format } = this
    const first = columns.tickets[a] as Ticket
    const second = columns.tickets[b] as Ticket
    return {
      ticketIds: [first.id, second.id],
      teams: [this.alone(0, first), this.alone(1, second)],
      region: matchRegion(format, [first, second], this.now),
      version: format.versioned ? (columns.groups.texts[columns.group[a] as number] as string) : null,
    }
  }

  private alone(team: number, { id, players }: Ticket): ProposedTeam {
    const playerId = players[0]?.playerId as string
    return { name: this.format.teams[team]?.name as string, players: [{ playerId, ticketId: id, role: null }] }
  }
}
