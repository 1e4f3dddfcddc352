import type { TicketColumns } from '../columns/ticket-columns'
import type { Proposal, SeatRequest, Ticket } from '../types'
import { rolesOf } from '../verify/party'
import { Division } from './division'
import type { OpenTeam } from './open-team'
import { cheapestRoles } from './roles'

/** Open seats of one request, and the parties that may take them. */
export class OpenSeats {
  readonly open: number
  readonly teams: readonly OpenTeam[]
  /** Whether a question met a bound, and how many places were tried, since these were set back. */
  bounded = false
  places = 0
  /** By kind of party: whether one fits at all. */
  private readonly known: boolean[] = []
  /** Whether parties of a kind are alike to it: its roles may be those of a queue that has changed since. */
  private readonly byKind: boolean

  constructor(
    private readonly columns: TicketColumns,
    readonly request: SeatRequest,
    /** Slot of the request. */
    readonly slot: number,
  ) {
    const names = new Set([...request.teams.map(({ name }) => name), ...request.players.map(({ team }) => team)])
    this.teams = [...names].map((name) => this.teamOf(name))
    this.open = this.teams.reduce((sum, { open }) => sum + open, 0)
    this.byKind = this.teams.every(({ roles }) =>
      [...(roles?.keys() ?? [])].every((role) => columns.roles.includes(role)),
    )
  }

  private teamOf(name: string): OpenTeam {
    const { teams, players } = this.request
    const asked = teams.find((team) => team.name === name)
    const values = this.columns.sums.map(({ levels: { kind, rule } }) =>
      players
        .flatMap(({ team, state }) => (team === name ? [kind.read(state, rule) as number | undefined] : []))
        .filter((value) => value !== undefined),
    )
    return {
      name,
      open: asked?.open ?? 0,
      roles: asked?.roles ? new Map(Object.entries(asked.roles)) : undefined,
      sums: values.map((own) => own.reduce((sum, value) => sum + value, 0)),
      counts: values.map((own) => own.length),
    }
  }

  /** Whether a party like this one could sit, if nobody else did. */
  takes(slot: number): boolean {
    if (!this.byKind) return this.divide([slot]) !== undefined
    const kind = this.columns.kind[slot] as number
    this.known[kind] ??= this.divide([slot]) !== undefined
    return this.known[kind] as boolean
  }

  /**
   * The team of each party: with the rules on teams held at `level` and the smallest spread of team averages, then the best roles.
   * Without a level: any way to sit. Undefined where there is none.
   */
  divide(slots: readonly number[], level?: number): readonly number[] | undefined {
    const division = new Division(this.columns, this.teams, slots, level)
    const teamOf = division.find()
    this.bounded ||= division.bounded
    this.places += division.places
    return teamOf
  }

  /** The fill by these parties, longest waiting first, which can be divided. */
  proposal(slots: readonly number[]): Proposal {
    const { id, region, version } = this.request
    const levels = [this.slot, ...slots].map((slot) => this.columns.level[slot] as number)
    const level = this.columns.format.ageOf === 'newest' ? Math.min(...levels) : Math.max(...levels)
    const tickets = slots.map((slot) => this.columns.tickets[slot] as Ticket)
    const teamOf = this.divide(slots, level) as readonly number[]
    const teams = this.teams.map(({ name, roles }, team) => {
      const players = tickets.flatMap((ticket, index) =>
        teamOf[index] === team ? ticket.players.map((player) => ({ ...player, ticketId: ticket.id })) : [],
      )
      const chosen =
        roles &&
        cheapestRoles(
          roles,
          players.map(({ state }) => rolesOf(state)),
        )
      return {
        name,
        players: players.map(({ playerId, ticketId }, seat) => ({
          playerId,
          ticketId,
          role: chosen?.roles[seat] ?? null,
        })),
      }
    })
    return {
      requestId: id,
      ticketIds: tickets.map((ticket) => ticket.id),
      teams: teams.filter(({ players }) => players.length > 0),
      region,
      version,
    }
  }
}
