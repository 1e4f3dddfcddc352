import type { TicketColumns } from '../columns/ticket-columns'
import type { MatchFormat } from '../config/match-format'
import { divide, divideEvenly } from './packing'
import { RoleStates } from './role-states'

/**
 * Most states whose results are remembered. When the limit is reached, all remembered results are dropped, which does
 * not change any result.
 */
const MAX_STATES = 1 << 17

/**
 * Decides whether parties can sit together in the teams of a match, and remembers the results by kind of party. A state
 * is a number that stands for a set of seated parties. A search moves from one state to the next with one lookup per
 * added party.
 */
export class Fit {
  private readonly roles: RoleStates | undefined
  /**
   * By state: the largest number of teams that a match of the seated parties can have; undefined until it is needed.
   */
  private teams: number[] = []
  /** By state, for teams without roles: the sizes of the seated parties, largest first. */
  private sizes: (readonly number[])[] = [[]]
  private bySizes = new Map<string, number>()
  /**
   * First index: the state. Second index: the kind of the added party. The value is the next state plus 2, so that 0
   * and a missing entry mean "unknown".
   */
  private steps: number[][] = []
  private known = 0

  constructor(
    private readonly format: MatchFormat,
    private readonly columns: TicketColumns,
  ) {
    this.roles = format.composed ? new RoleStates(format, columns) : undefined
  }

  /** Whether the result may be "no" for parties that can in fact sit together, because a search has a limit. */
  get lossy(): boolean {
    return this.roles?.lossy === true
  }

  /** Drops all remembered results when there are too many. Must not be called during a search. */
  trim(): void {
    if (this.known < MAX_STATES) return
    this.roles?.forget()
    this.teams = []
    this.sizes = [[]]
    this.bySizes = new Map()
    this.steps = []
    this.known = 0
  }

  /**
   * Returns the state after one more party of a kind is seated; −1 when the party does not fit. State 0 stands for a
   * match without parties.
   */
  next(state: number, kind: number): number {
    const steps = this.steps[state]
    const known = steps?.[kind]
    if (known) return known - 2
    const next = this.roles
      ? this.roles.next(state, kind)
      : this.nextSizes(state, this.columns.kindSizes[kind] as number)
    if (steps) steps[kind] = next + 2
    else {
      const first: number[] = new Array(this.columns.kinds.size + 1).fill(0)
      first[kind] = next + 2
      this.steps[state] = first
    }
    this.known++
    return next
  }

  private nextSizes(state: number, size: number): number {
    const sizes = [...(this.sizes[state] ?? []), size].sort((a, b) => b - a)
    const text = sizes.join()
    const known = this.bySizes.get(text)
    if (known !== undefined) return known
    const next = divide(sizes, this.format.teams.length, 0, this.format.largestTeam) ? this.sizes.length : -1
    if (next >= 0) this.sizes.push(sizes)
    this.bySizes.set(text, next)
    return next
  }

  /**
   * Returns the largest number of teams with which the seated parties form a match, short or full; 0 when they form no
   * match.
   */
  shortTeams(state: number): number {
    const { format, sizes } = this
    const known = this.teams[state]
    if (known !== undefined) return known
    let teams = format.teams.length
    while (teams >= format.minTeams && !divideEvenly(format, sizes[state] ?? [], teams)) teams--
    this.teams[state] = teams < format.minTeams ? 0 : teams
    return this.teams[state]
  }
}
