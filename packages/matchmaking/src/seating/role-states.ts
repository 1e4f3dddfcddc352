import type { TicketColumns } from '../columns/ticket-columns'
import type { MatchFormat } from '../config/match-format'

/** Most ways (see `RoleStates`) that one state holds. Compositions of two teams of five players have a few dozen. */
const MAX_WAYS = 1024

/**
 * Remembers which places of a composition stay open, for every way to seat the parties so far. A way is the number of
 * open places by team and role. A state is the set of all ways that the seated parties allow, so a further party fits
 * exactly when at least one way has places for it. Many different sets of parties lead to the same state, so there are
 * few states, and they are remembered.
 */
export class RoleStates {
  private readonly roles: readonly string[]
  private ways: (readonly number[])[] = []
  private wayNumbers = new Map<string, number>()
  private waySteps = new Map<number, readonly number[]>()
  /** By state: the numbers of the ways that the state contains. */
  private states: (readonly number[])[] = []
  private stateNumbers = new Map<string, number>()
  /** Whether at least one state had more ways than a state can hold, so that ways were dropped. */
  lossy = false

  constructor(
    private readonly format: MatchFormat,
    private readonly columns: TicketColumns,
  ) {
    this.roles = [...new Set(format.teams.flatMap((team) => [...(team.roles?.keys() ?? [])]))]
    this.forget()
  }

  get size(): number {
    return this.states.length + this.ways.length
  }

  forget(): void {
    this.ways = []
    this.wayNumbers = new Map()
    this.waySteps = new Map()
    this.states = []
    this.stateNumbers = new Map()
    const left = this.format.teams.flatMap((team) => this.roles.map((role) => team.roles?.get(role) ?? 0))
    this.stateOf([this.wayOf(left)])
  }

  /**
   * Returns the state after one more party of a kind is seated; −1 when no way has places for the party. State 0 stands
   * for a match without parties.
   */
  next(state: number, kind: number): number {
    const reached = new Set<number>()
    for (const way of this.states[state] ?? []) for (const next of this.stepsFrom(way, kind)) reached.add(next)
    return reached.size === 0 ? -1 : this.stateOf([...reached])
  }

  private stateOf(ways: number[]): number {
    ways.sort((a, b) => a - b)
    if (ways.length > MAX_WAYS) {
      this.lossy = true
      ways.length = MAX_WAYS
    }
    const text = ways.join()
    const known = this.stateNumbers.get(text)
    if (known !== undefined) return known
    this.stateNumbers.set(text, this.states.length)
    this.states.push(ways)
    return this.states.length - 1
  }

  private wayOf(left: readonly number[]): number {
    const text = left.join()
    const known = this.wayNumbers.get(text)
    if (known !== undefined) return known
    this.wayNumbers.set(text, this.ways.length)
    this.ways.push([...left])
    return this.ways.length - 1
  }

  /** Returns all ways that result from `way` when one more party sits together in one team. */
  private stepsFrom(way: number, kind: number): readonly number[] {
    const step = way * 0x1000000 + kind
    const known = this.waySteps.get(step)
    if (known) return known
    const left = [...(this.ways[way] ?? [])]
    const players = this.columns.kindRoles[kind] ?? []
    const reached = new Set<number>()
    const width = this.roles.length
    const seat = (team: number, player: number): void => {
      const roles = players[player]
      if (!roles) {
        reached.add(this.wayOf(left))
        return
      }
      for (const role of roles) {
        const at = team * width + this.roles.indexOf(role)
        const places = left[at] as number
        if (places === 0) continue
        left[at] = places - 1
        seat(team, player + 1)
        left[at] = places
      }
    }
    for (let team = 0; team < this.format.teams.length; team++) seat(team, 0)
    const steps = [...reached]
    this.waySteps.set(step, steps)
    return steps
  }
}
