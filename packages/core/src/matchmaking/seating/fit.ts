import { canSeat } from '../party'
import type { Plan } from '../plan'
import type { Store } from '../store'
import { canDivide } from './packing'

/** Remembered states; past them the memory starts over, which changes no answer. */
const MAX_STATES = 1 << 17

/**
 * Whether parties can sit together, remembered by what kinds of party they are. A state is a multiset of kinds that fits into
 * the teams of a match; a search walks from state to state with one look-up per step.
 */
export class Fit {
  private states: { kinds: readonly number[]; players: number; teams: number }[] = []
  private byKinds = new Map<string, number>()
  private steps = new Map<number, number>()

  constructor(
    private readonly plan: Plan,
    private readonly store: Store,
  ) {
    this.forget()
  }

  private forget(): void {
    this.states = [{ kinds: [], players: 0, teams: -1 }]
    this.byKinds = new Map([['', 0]])
    this.steps = new Map()
  }

  /** To be called between searches, never within one. */
  trim(): void {
    if (this.states.length > MAX_STATES) this.forget()
  }

  /** The state with one more party of a kind; −1 when it does not fit. State 0 is empty. */
  next(state: number, kind: number): number {
    const step = state * 0x1000000 + kind
    const known = this.steps.get(step)
    if (known !== undefined) return known
    const kinds = [...(this.states[state]?.kinds ?? []), kind].sort((a, b) => a - b)
    const text = kinds.join()
    let next = this.byKinds.get(text)
    if (next === undefined) {
      next = this.holds(kinds) ? this.states.length : -1
      if (next >= 0) this.states.push({ kinds, players: this.playersOf(kinds), teams: -1 })
      this.byKinds.set(text, next)
    }
    this.steps.set(step, next)
    return next
  }

  players(state: number): number {
    return (this.states[state] as { players: number }).players
  }

  /** The most teams of a short match that these parties could be, 0 when none. */
  shortTeams(state: number): number {
    const entry = this.states[state] as { kinds: readonly number[]; players: number; teams: number }
    if (entry.teams < 0) entry.teams = this.countTeams(entry.kinds)
    return entry.teams
  }

  private countTeams(kinds: readonly number[]): number {
    const { plan } = this
    const { min, max } = plan.teams[0] as Plan['teams'][0]
    const sizes = this.sizesOf(kinds)
    for (let teams = plan.teams.length; teams >= plan.minTeams; teams--)
      if (canDivide(sizes, teams, min, max)) return teams
    return 0
  }

  private sizesOf(kinds: readonly number[]): number[] {
    return kinds.map((kind) => this.store.kindSizes[kind] as number).sort((a, b) => b - a)
  }

  private playersOf(kinds: readonly number[]): number {
    return kinds.reduce((sum, kind) => sum + (this.store.kindSizes[kind] as number), 0)
  }

  private holds(kinds: readonly number[]): boolean {
    const { plan } = this
    if (this.playersOf(kinds) > plan.fullSize) return false
    if (!plan.composed) return canDivide(this.sizesOf(kinds), plan.teams.length, 0, plan.largestTeam)
    const rooms = plan.teams.map((team) => ({ team, players: [] as (readonly string[])[] }))
    const parties = kinds.map((kind) => this.store.kindRoles[kind] ?? []).sort((a, b) => b.length - a.length)
    const place = (index: number): boolean => {
      const party = parties[index]
      if (!party) return true
      for (const room of rooms) {
        const before = room.players
        if (before.length + party.length > room.team.max) continue
        const together = [...before, ...party]
        if (!room.team.roles || !canSeat(room.team.roles, together)) continue
        room.players = together
        if (place(index + 1)) return true
        room.players = before
      }
      return false
    }
    return place(0)
  }
}
