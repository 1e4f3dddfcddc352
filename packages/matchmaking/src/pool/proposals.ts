import type { TicketColumns } from '../columns/ticket-columns'
import type { MatchFormat } from '../config/match-format'
import { DEFAULT_REGION } from '../rules/regions'
import type { Proposal, ProposedTeam, Ticket } from '../types'
import { matchRegion } from '../verify/match-region'
import { versionOf } from '../verify/party'

/** Writes matches out as proposals, while their tickets are still in the columns. */
export class ProposalWriter {
  /** Whether a region can be told without looking at the rules. */
  private readonly plainRegion: boolean

  constructor(
    private readonly format: MatchFormat,
    private readonly columns: TicketColumns,
  ) {
    this.plainRegion = columns.masks.length === 0
  }

  /** `tickets` are longest waiting first. */
  write(tickets: readonly Ticket[], teams: readonly ProposedTeam[], now: number): Proposal {
    const { format } = this
    const oldest = tickets[0] as Ticket
    return {
      ticketIds: tickets.map((ticket) => ticket.id),
      teams,
      region: this.plainRegion
        ? (format.serverRegion ?? oldest.region ?? DEFAULT_REGION)
        : matchRegion(format, tickets, now),
      version: format.versioned ? (versionOf(format, oldest.players) ?? null) : null,
    }
  }

  /** A match of two tickets of one player each; the older one plays in the first team. */
  writePair(a: number, b: number, now: number): Proposal {
    const { columns, format } = this
    const first = columns.tickets[a] as Ticket
    const second = columns.tickets[b] as Ticket
    return {
      ticketIds: [first.id, second.id],
      teams: [this.alone(0, first), this.alone(1, second)],
      region: this.plainRegion
        ? (format.serverRegion ?? first.region ?? DEFAULT_REGION)
        : matchRegion(format, [first, second], now),
      version: format.versioned ? (columns.groups.texts[columns.group[a] as number] as string) : null,
    }
  }

  /** A short match of one. */
  writeAlone(slot: number, now: number): Proposal {
    const ticket = this.columns.tickets[slot] as Ticket
    return this.write([ticket], [this.alone(0, ticket)], now)
  }

  private alone(team: number, { id, players }: Ticket): ProposedTeam {
    const playerId = players[0]?.playerId as string
    return { name: this.format.teams[team]?.name as string, players: [{ playerId, ticketId: id, role: null }] }
  }
}
