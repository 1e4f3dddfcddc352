import type { SumColumn } from '../columns/extraction'
import type { TicketColumns } from '../columns/ticket-columns'
import type { MatchFormat, TeamFormat } from '../config/match-format'
import { rolesOf } from '../verify/party'
import { RoleSeats, type Wish } from '../verify/role-seats'
import { clashesOf } from './team-clashes'

/** Most teams that all divisions by one `SubsetSeating` try. After that the result is "no", and `bounded` is true. */
const MAX_STEPS = 1 << 16

/** The teams of a match that have the same roles. */
interface TeamKind {
  /** Indices of these teams in the match. */
  readonly numbers: readonly number[]
  /** By the first ticket of a set: the sets of tickets that fill such a team. */
  readonly fills: readonly (readonly number[])[]
  /** Number of these teams that the current division has filled. */
  filled: number
}

/** A rule on teams, with the averages of the teams that the current division has filled so far. */
interface TeamRule {
  readonly column: SumColumn
  /** By set of tickets: the average of the team that they form. */
  readonly averages: Float64Array
  readonly filled: number[]
}

/**
 * Decides which sets of a few tickets can sit together in teams. A set is a number whose bit i stands for the ticket
 * `slots[i]`. Time and memory double with each ticket.
 */
export class SubsetSeating {
  /** By set of tickets: the number of players. */
  readonly players: Uint16Array
  /**
   * By set of tickets: bit t says that all tickets of the set together fill exactly t teams. Rules on teams and the
   * evenness of sizes are not checked here.
   */
  readonly teams: Uint16Array
  bounded = false
  private steps = 0
  private kinds: readonly TeamKind[] | undefined
  private readonly teamRules: readonly TeamRule[]
  /** By level: for each set of tickets, 1 where two of its tickets clash in a team; undefined where none clash. */
  private readonly clashing: (Uint8Array | undefined)[] = []
  private clashes: Uint8Array | undefined
  private readonly beside = new Map<RoleSeats, Map<number, RoleSeats | undefined>>()

  constructor(
    private readonly format: MatchFormat,
    private readonly columns: TicketColumns,
    private readonly slots: readonly number[],
  ) {
    const sets = 1 << slots.length
    this.players = new Uint16Array(sets)
    this.teams = new Uint16Array(sets)
    for (let set = 1; set < sets; set++) {
      this.players[set] =
        (this.players[set & (set - 1)] as number) + (columns.players[slots[first(set)] as number] as number)
    }
    this.teamRules = columns.sums
      .filter(({ levels }) => levels.kind.shape === 'teams')
      .map((column) => ({ column, averages: this.averagesOf(column), filled: [] }))
    if (format.composed) this.fillRoles()
    else this.fillSizes(format.teams[0] as TeamFormat)
  }

  /**
   * Returns the largest number of teams that the tickets of a set fill while every rule on teams holds at `level`; 0
   * when no number of teams is possible.
   */
  mostTeams(set: number, level: number): number {
    const free =
      !this.clashesAt(level) &&
      this.format.maxSizeDifference === Number.POSITIVE_INFINITY &&
      this.teamRules.every(({ column }) => column.levels.off[level])
    for (let teams = this.slots.length; teams >= this.format.minTeams; teams--) {
      if (((this.teams[set] as number) >> teams) & 1 && (free || this.divide(set, teams, level))) return teams
    }
    return 0
  }

  /**
   * Returns the team of each ticket of a set, for a given number of teams, so that every rule on teams holds at
   * `level`; undefined where no such division exists.
   */
  divide(set: number, teams: number, level: number): number[] | undefined {
    this.kinds ??= this.teamKinds()
    this.clashes = this.clashesAt(level)
    for (const kind of this.kinds) kind.filled = 0
    for (const rule of this.teamRules) rule.filled.length = 0
    const teamOf = new Array<number>(this.slots.length).fill(-1)
    return this.place(set, teams, level, teamOf, Number.POSITIVE_INFINITY, 0) ? teamOf : undefined
  }

  /**
   * Fills teams with the remaining tickets. The first remaining ticket goes into the next team of each kind, together
   * with some of the other tickets. `least` and `most` are the smallest and the largest team size so far. Returns
   * whether the search found a division.
   */
  private place(rest: number, left: number, level: number, teamOf: number[], least: number, most: number): boolean {
    if (rest === 0) return left === 0
    const { maxSizeDifference: bound } = this.format
    for (const kind of this.kinds as readonly TeamKind[]) {
      const team = kind.numbers[kind.filled]
      if (team === undefined) continue
      for (const set of kind.fills[first(rest)] as readonly number[]) {
        const after = rest ^ set
        if ((set & rest) !== set || this.clashes?.[set]) continue
        if (!this.format.composed && (((this.teams[after] as number) >> (left - 1)) & 1) === 0) continue
        const lower = Math.min(least, this.players[set] as number)
        const upper = Math.max(most, this.players[set] as number)
        const others = this.players[after] as number
        if (upper - lower > bound || others < (upper - bound) * (left - 1) || others > (lower + bound) * (left - 1)) {
          continue
        }
        if (++this.steps > MAX_STEPS) {
          this.bounded = true
          return false
        }
        const held = this.fill(set, after, level)
        kind.filled++
        if (held && this.place(after, left - 1, level, teamOf, lower, upper)) {
          for (let place = 0; place < teamOf.length; place++) if ((set >> place) & 1) teamOf[place] = team
          return true
        }
        kind.filled--
        for (const { averages, filled } of this.teamRules) if (!Number.isNaN(averages[set])) filled.pop()
      }
    }
    return false
  }

  private clashesAt(level: number): Uint8Array | undefined {
    if (level in this.clashing) return this.clashing[level]
    const clashes = clashesOf(this.columns, this.slots, level)
    const masks = clashes?.map((others) => others.reduce((mask, other) => mask | (1 << other), 0))
    const sets = masks && new Uint8Array(this.players.length)
    for (let set = 1; sets && set < sets.length; set++) {
      const others = set & (set - 1)
      sets[set] = sets[others] === 1 || (masks?.[first(set)] as number) & others ? 1 : 0
    }
    this.clashing[level] = sets
    return sets
  }

  /**
   * Adds one filled team; returns whether the rules on teams may still hold. The average of the remaining tickets lies
   * between the averages of the teams that these tickets will fill. So a rule that is broken with this average stays
   * broken for every division.
   */
  private fill(set: number, after: number, level: number): boolean {
    let held = true
    for (const { column, averages, filled } of this.teamRules) {
      const { kind, bounds, off } = column.levels
      if (!Number.isNaN(averages[set])) filled.push(averages[set] as number)
      if (!held || off[level]) continue
      const rest = averages[after] as number
      held = kind.holds(Number.isNaN(rest) ? filled : [...filled, rest], bounds[level] as number)
    }
    return held
  }

  /** Returns, by set of tickets, the average of a field; NaN where no player has the field. */
  private averagesOf({ sum, count }: SumColumn): Float64Array {
    const totals = new Float64Array(this.players.length)
    const present = new Uint16Array(this.players.length)
    for (let set = 1; set < totals.length; set++) {
      const slot = this.slots[first(set)] as number
      totals[set] = (totals[set & (set - 1)] as number) + (sum[slot] as number)
      present[set] = (present[set & (set - 1)] as number) + (count[slot] as number)
    }
    return totals.map((total, set) => total / (present[set] as number))
  }

  private fillSizes({ min, max }: TeamFormat): void {
    const { players, teams, format } = this
    const all = (1 << (Math.min(format.teams.length, this.slots.length) + 1)) - 1
    teams[0] = 1
    for (let set = 1; set < teams.length; set++) {
      const size = players[set] as number
      if (size > format.fullSize) continue
      // The first ticket sits in one of the teams, together with some of the other tickets.
      const others = set & (set - 1)
      let found = 0
      for (let rest = others; ; rest = (rest - 1) & others) {
        const inTeam = size - (players[rest] as number)
        if (inTeam >= min && inTeam <= max) found |= (teams[rest] as number) << 1
        if (rest === 0) break
      }
      teams[set] = found & all
    }
  }

  private fillRoles(): void {
    const { teams, format } = this
    if (format.teams.length > this.slots.length) return
    teams[0] = 1
    this.kinds = this.teamKinds()
    let filled = 0
    for (const { fills, numbers } of this.kinds) {
      const all = fills.flat()
      for (let team = 0; team < numbers.length; team++, filled++) {
        // Only sets that exactly fill the teams added so far can be extended by the next team.
        for (let set = 0; set < teams.length; set++) {
          if (teams[set] !== 1 << filled) continue
          for (const fill of all) if ((set & fill) === 0) teams[set | fill] = 2 << filled
        }
      }
    }
    for (let set = 0; set < teams.length; set++) if (teams[set] !== 1 << format.teams.length) teams[set] = 0
  }

  private teamKinds(): TeamKind[] {
    const numbers = new Map<string, number[]>()
    this.format.teams.forEach(({ roles }, team) => {
      const text = JSON.stringify([...(roles ?? [])].sort())
      numbers.set(text, [...(numbers.get(text) ?? []), team])
    })
    return [...numbers.values()].map((alike) => ({
      numbers: alike,
      fills: this.fillsOf(this.format.teams[alike[0] as number] as TeamFormat),
      filled: 0,
    }))
  }

  private fillsOf({ min, max, roles }: TeamFormat): number[][] {
    const { columns, players, slots } = this
    const wishes = slots.map((slot) => columns.tickets[slot]?.players.map(({ state }) => rolesOf(state)) ?? [])
    const fills: number[][] = slots.map(() => [])
    /** By set of tickets: the seats of its players; undefined where the players do not fit. */
    const seated: (RoleSeats | undefined)[] = [roles && RoleSeats.of(roles)]
    for (let set = 1; set < players.length; set++) {
      if ((players[set] as number) > max) continue
      if (roles) {
        const before = seated[set & (set - 1)]
        const place = first(set)
        seated[set] =
          before && this.seatBeside(before, columns.kind[slots[place] as number] as number, wishes[place] ?? [])
        if (!seated[set]) continue
      }
      if ((players[set] as number) >= min) fills[first(set)]?.push(set)
    }
    return fills
  }

  /**
   * Returns the seats of a team after a party has joined; undefined where the party does not fit. Parties of one kind
   * are equal, so the result is remembered by kind.
   */
  private seatBeside(before: RoleSeats, kind: number, party: readonly Wish[]): RoleSeats | undefined {
    const known = this.beside.get(before) ?? new Map<number, RoleSeats | undefined>()
    this.beside.set(before, known)
    if (!known.has(kind)) {
      const seats = before.copy()
      known.set(kind, party.every((wish) => seats.seat(wish)) ? seats : undefined)
    }
    return known.get(kind)
  }
}

/** Returns the number of the first ticket of a set. */
export const first = (set: number): number => 31 - Math.clz32(set & -set)
