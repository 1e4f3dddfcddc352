import type { TicketColumns } from '../columns/ticket-columns'
import type { Proposal, SeatRequest, Ticket } from '../types'
import { rolesOf } from '../verify/party'
import { Division } from './division'
import type { OpenTeam } from './open-team'
import { cheapestRoles } from './roles'

/** The open seats of one request, with the methods that check which parties fit into them. */
export class OpenSeats {
  readonly open: number
  readonly teams: readonly OpenTeam[]
  /**
   * Whether a division search ended at its limit, and the number of placements tried, since the caller last reset these
   * two fields.
   */
  bounded = false
  places = 0
  /** By kind of party: whether a party of this kind has a place when it joins alone. */
  private readonly known: boolean[] = []
  /**
   * Whether the kind of a party decides if the party has a place. False when the request names roles that the queue no
   * longer has, because kinds ignore such roles.
   */
  private readonly byKind: boolean

  constructor(
    private readonly columns: TicketColumns,
    readonly request: SeatRequest,
    /** Slot that holds the players of the match. */
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
      players: players.filter(({ team }) => team === name),
    }
  }

  /** Whether a party has a place in the open seats when it joins alone. */
  takes(slot: number): boolean {
    if (!this.byKind) return this.divide([slot]) !== undefined
    const kind = this.columns.kind[slot] as number
    this.known[kind] ??= this.divide([slot]) !== undefined
    return this.known[kind] as boolean
  }

  /**
   * Returns the team of each party; undefined where no division exists. With a level, every rule on teams holds at that
   * level, the difference of team averages is the smallest that was found, and then the roles are the best. Without a
   * level, any division is good enough.
   */
  divide(slots: readonly number[], level?: number): readonly number[] | undefined {
    const division = new Division(this.columns, this.teams, slots, level)
    const teamOf = division.find()
    this.bounded ||= division.bounded
    this.places += division.places
    return teamOf
  }

  /**
   * Returns the proposal in which these parties join the match. The party that has waited longest comes first in
   * `slots`. A division of the parties must exist.
   */
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
