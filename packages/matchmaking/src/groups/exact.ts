import type { TicketColumns } from '../columns/ticket-columns'
import type { MatchFormat } from '../config/match-format'
import type { SeatMatch } from './seat-match'
import type { Selection } from './selection'
import type { Unit } from './unit'

/** Tickets up to which a unit is searched exhaustively: its sets of tickets are few enough to look at all of them. */
export const MAX_EXACT_UNIT = 12
/** Sets looked at between two yields. */
const SETS = 256

/** The full matches of a unit: sets of tickets as bits, in the order of age, and the spread of each. */
interface Matches {
  /** By the oldest ticket in them. */
  readonly byOldest: number[][]
  readonly spread: Map<number, number>
}

/**
 * Serves a small unit exactly: all full matches are found, and of all choices of matches that share no ticket the one is taken
 * that serves by age (whoever can be served beside those older is), and of those the one of the least total spread. Returns
 * the matches as places of the unit.
 */
export function* solveExactly(
  unit: Unit,
  format: MatchFormat,
  selection: Selection,
  seat: SeatMatch,
): Generator<undefined, number[][], undefined> {
  const places = [...unit.byAge].filter((place) => unit.served[place] === 0)
  const slots = places.map((place) => unit.slot(place))
  const matches = yield* allMatches(slots, unit.columns, format, selection, seat)
  if (matches.spread.size === 0) return []
  return (yield* choose(slots.length, matches)).map((bits) => places.filter((_, index) => (bits >> index) & 1))
}

/**
 * Every set of tickets that is a full match. The ticket whose wait sets the bounds comes first, the oldest or the youngest of the set;
 * then only tickets on its other side join.
 */
function* allMatches(
  slots: readonly number[],
  columns: TicketColumns,
  format: MatchFormat,
  selection: Selection,
  seat: SeatMatch,
): Generator<undefined, Matches, undefined> {
  const count = slots.length
  const oldestRules = format.ageOf === 'oldest'
  const byOldest: number[][] = slots.map(() => [])
  const spread = new Map<number, number>()
  let sets = 0
  function* grow(index: number, bits: number): Generator<undefined, void, undefined> {
    if (selection.players === format.fullSize) {
      if (seat.possible(selection.slots)) {
        spread.set(bits, selection.spread)
        byOldest[31 - Math.clz32(bits & -bits)]?.push(bits)
      }
      return
    }
    const step = oldestRules ? 1 : -1
    for (let next = index + step; next >= 0 && next < count; next += step) {
      if (++sets % SETS === 0) yield
      if (!selection.push(slots[next] as number)) continue
      yield* grow(next, bits | (1 << next))
      selection.pop()
    }
  }
  for (let ruling = 0; ruling < count; ruling++) {
    const slot = slots[ruling] as number
    selection.start(columns.level[slot] as number)
    if (selection.push(slot)) yield* grow(ruling, 1 << ruling)
  }
  return { byOldest, spread }
}

/** The choice of matches that serves by age, of the least total spread; older matches first. */
function* choose(count: number, { byOldest, spread }: Matches): Generator<undefined, number[], undefined> {
  const total = 1 << count
  // By the set of tickets served: the least spread of matches that serve exactly these, and the match with its oldest ticket.
  const least = new Float64Array(total).fill(Number.POSITIVE_INFINITY)
  const first = new Int32Array(total)
  least[0] = 0
  for (let served = 1; served < total; served++) {
    if (served % SETS === 0) yield
    for (const match of byOldest[31 - Math.clz32(served & -served)] ?? []) {
      if ((match & served) !== match) continue
      const sum = (least[served ^ match] as number) + (spread.get(match) as number)
      if (sum < (least[served] as number)) {
        least[served] = sum
        first[served] = match
      }
    }
  }
  let served = bySuperset(count, least)
  const chosen: number[] = []
  for (; served > 0; served ^= first[served] as number) chosen.push(first[served] as number)
  return chosen
}

/** Whom serving by age serves: whoever some choice of matches serves together with all who were found to be served before. */
function bySuperset(count: number, least: Float64Array): number {
  const total = 1 << count
  // Whether some choice serves these, and perhaps others.
  const within = Uint8Array.from(least, (sum) => (sum < Number.POSITIVE_INFINITY ? 1 : 0))
  for (let index = 0; index < count; index++) {
    const bit = 1 << index
    for (let set = 0; set < total; set++) if ((set & bit) === 0 && within[set | bit] === 1) within[set] = 1
  }
  let served = 0
  for (let index = 0; index < count; index++) if (within[served | (1 << index)] === 1) served |= 1 << index
  return served
}
