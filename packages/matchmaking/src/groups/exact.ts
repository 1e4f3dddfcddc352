import type { Relaxation } from '../columns/relaxation'
import type { TicketColumns } from '../columns/ticket-columns'
import type { MatchFormat } from '../config/match-format'
import { first, SubsetSeating } from '../seating/subset-seating'
import { Selection } from './selection'
import { older, serveByAge } from './serve-by-age'
import type { Unit } from './unit'
import { type ValidSet, ValidSets } from './valid-sets'

/** Most tickets of a unit that is searched exhaustively. The search can examine every set of so few tickets. */
export const MAX_EXACT_UNIT = 12

/**
 * Searches a small unit exhaustively. It takes the full matches that serve by age: every ticket that can be served
 * together with the older served tickets is served. Among equal choices it takes the choice with the least total
 * spread. Then each remaining ticket, oldest first, leads its largest possible short match.
 */
export class ExactSearch {
  private readonly selection: Selection

  constructor(
    private readonly format: MatchFormat,
    private readonly columns: TicketColumns,
    private readonly relaxation: Relaxation,
  ) {
    this.selection = new Selection(columns)
  }

  /**
   * Returns the matches, each as places (positions in the unit); undefined where the search ended at a limit, so that
   * the caller must use the usual search.
   */
  *solve(unit: Unit): Generator<undefined, number[][] | undefined, undefined> {
    const { format, columns, relaxation } = this
    const slots = Array.from(unit.byAge, (place) => unit.slot(place))
    const players = slots.reduce((sum, slot) => sum + (columns.players[slot] as number), 0)
    if (players < format.leastSize || slots.length < format.minTeams) return []
    const ripe = slots.map((slot) => relaxation.isRipe(slot))
    if (players < format.fullSize && !ripe.includes(true)) return []
    const seating = new SubsetSeating(format, columns, slots)
    yield
    const valid = new ValidSets(columns, slots, seating, this.selection, ripe.includes(true))
    yield* valid.find()
    const full: ValidSet[] = []
    for (const one of valid.found) {
      if (one.players !== format.fullSize) continue
      if (seating.mostTeams(one.set, one.level) > 0) full.push(one)
      yield
    }
    const chosen = yield* serveByAge(seating.players, full, format.fullSize)
    let left = chosen.reduce((sets, set) => sets ^ set, seating.players.length - 1)
    for (let leader = 0; leader < slots.length; leader++) {
      if (((left >> leader) & 1) === 0 || !ripe[leader]) continue
      const set = yield* largest(valid.found, leader, left, seating)
      if (set > 0) chosen.push(set)
      left ^= set
    }
    if (valid.bounded || seating.bounded) return undefined
    return chosen.map((set) => [...unit.byAge].filter((_, index) => (set >> index) & 1))
  }
}

/**
 * Returns the largest match that a ticket can lead among the tickets in `left`: most players, then most teams, then the
 * least spread; 0 when the ticket can lead no match.
 */
function* largest(
  valid: readonly ValidSet[],
  leader: number,
  left: number,
  seating: SubsetSeating,
): Generator<undefined, number, undefined> {
  const led = valid.filter(({ set }) => first(set) === leader && (set & left) === set)
  led.sort((a, b) => b.players - a.players || a.spread - b.spread || (older(a.set, b.set) ? -1 : 1))
  let best = 0
  let most = 0
  let players = 0
  for (const one of led) {
    if (one.players < players) break
    const teams = seating.mostTeams(one.set, one.level)
    yield
    if (teams <= most) continue
    best = one.set
    most = teams
    players = one.players
  }
  return best
}
