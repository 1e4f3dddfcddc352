import { DEFAULT_REGION } from '../catalog/regions'
import { matchRegion } from './match-region'
import { versionOf } from './party'
import type { Plan } from './plan'
import type { Store } from './store'
import type { Proposal, ProposedTeam, Ticket } from './types'

/** Writes matches out as proposals, while their tickets are still in the store. */
export class ProposalWriter {
  /** Whether a region can be told without looking at the rules. */
  private readonly plainRegion: boolean

  constructor(
    private readonly plan: Plan,
    private readonly store: Store,
  ) {
    this.plainRegion = store.masks.length === 0
  }

  /** `tickets` are longest waiting first. */
  write(tickets: readonly Ticket[], teams: readonly ProposedTeam[], now: number): Proposal {
    const { plan } = this
    const oldest = tickets[0] as Ticket
    return {
      ticketIds: tickets.map((ticket) => ticket.id),
      teams,
      region: this.plainRegion
        ? (plan.serverRegion ?? oldest.region ?? DEFAULT_REGION)
        : matchRegion(plan, tickets, now),
      version: plan.versioned ? (versionOf(plan, oldest.players) ?? null) : null,
    }
  }

  /** A match of two tickets of one player each; the older one plays in the first team. */
  writePair(a: number, b: number, now: number): Proposal {
    const { store, plan } = this
    const first = store.tickets[a] as Ticket
    const second = store.tickets[b] as Ticket
    return {
      ticketIds: [first.id, second.id],
      teams: [this.alone(0, first), this.alone(1, second)],
      region: this.plainRegion
        ? (plan.serverRegion ?? first.region ?? DEFAULT_REGION)
        : matchRegion(plan, [first, second], now),
      version: plan.versioned ? (store.groups.texts[store.group[a] as number] as string) : null,
    }
  }

  /** A short match of one. */
  writeAlone(slot: number, now: number): Proposal {
    const ticket = this.store.tickets[slot] as Ticket
    return this.write([ticket], [this.alone(0, ticket)], now)
  }

  private alone(team: number, { id, players }: Ticket): ProposedTeam {
    const playerId = players[0]?.playerId as string
    return { name: this.plan.teams[team]?.name as string, players: [{ playerId, ticketId: id, role: null }] }
  }
}
