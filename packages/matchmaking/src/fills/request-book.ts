import type { TicketColumns } from '../columns/ticket-columns'
import { levelAt, type MatchFormat } from '../config/match-format'
import { Nearby } from '../pairs/nearby'
import { PairRulesAt } from '../pairs/pair-rules-at'
import { regionBit } from '../rules/region-mask'
import { runSteps } from '../run-steps'
import { OrderedIndex } from '../sorting/ordered-index'
import type { SeatRequest } from '../types'
import { chooseFills } from './choose-fills'
import type { Asker, Fill } from './fill'
import { FillSearch } from './fill-search'
import { OpenSeats } from './open-seats'

/**
 * Most parties that the search considers for one request in a tick: the oldest parties. If none of them can join, the
 * next tick examines the request again.
 */
const MAX_CANDIDATES = 1_024
/**
 * Number of positions of the index that are examined between two yields, and the cost of one lookup in the index,
 * counted in positions.
 */
const LOOKS = 1 << 14
const LOOK_UP = 64
/**
 * Share of the pool's tickets. If more tickets than this share changed, examining every request is as cheap as finding
 * the affected requests.
 */
const WHOLE_SHARE = 1 / 4

/**
 * The requests for players of a pool. A request is settled when its complete search found no party: the next ticks skip
 * the request. A new or relaxed ticket near the request, or the request's own relaxation, makes the request unsettled
 * again.
 */
export class RequestBook {
  readonly byId = new Map<string, OpenSeats>()
  /**
   * Whether a search ended at a limit in a tick that filled a seat. A tick that follows at once may then fill more
   * seats.
   */
  unfinished = false
  private readonly index: OrderedIndex
  private readonly beside: PairRulesAt
  private readonly tickets: Nearby
  private readonly requests: Nearby
  private readonly search: FillSearch
  private readonly newest: boolean
  private readonly bySlot: OpenSeats[] = []
  /** Requests that are not settled. */
  private readonly asking = new Set<OpenSeats>()
  /** Number of requests whose players lack the field of at least one `key` rule. */
  private wild = 0
  /** Time (epoch milliseconds) at which the next request relaxes, or an earlier time. */
  private dueAt = Number.POSITIVE_INFINITY
  private last = Number.NEGATIVE_INFINITY
  /** Highest level of any ticket or request; used where the oldest ticket sets the bounds. */
  private top = 0

  constructor(
    private readonly format: MatchFormat,
    private readonly columns: TicketColumns,
    private readonly waiting: OrderedIndex,
  ) {
    this.index = new OrderedIndex(columns)
    this.beside = new PairRulesAt(columns)
    this.tickets = new Nearby(columns, waiting, this.beside)
    this.requests = new Nearby(columns, this.index, this.beside)
    this.search = new FillSearch(format, columns)
    this.newest = format.ageOf === 'newest'
  }

  add(request: SeatRequest): void {
    this.remove(request.id)
    const { id, requestedAt, players, version, region } = request
    const match = { id, enteredAt: requestedAt, players }
    const slot = this.columns.addPlaying(match, version ?? undefined, regionBit(region))
    const seats = new OpenSeats(this.columns, request, slot)
    this.byId.set(id, seats)
    this.bySlot[slot] = seats
    this.asking.add(seats)
    this.wild += this.columns.wild[slot] as number
    const relaxesAt = requestedAt + (this.format.thresholds[0] ?? Number.POSITIVE_INFINITY)
    this.dueAt = Math.min(this.dueAt, relaxesAt, this.columns.nextExpiry(slot, this.last))
    runSteps(this.index.insert(Int32Array.of(slot)))
  }

  remove(id: string): boolean {
    const seats = this.byId.get(id)
    if (!seats) return false
    this.wild -= this.columns.wild[seats.slot] as number
    this.index.remove(seats.slot)
    this.columns.removePlaying(seats.slot)
    this.asking.delete(seats)
    return this.byId.delete(id)
  }

  /**
   * Returns the time (epoch milliseconds) at which a tick could fill seats that the last tick did not fill, if no
   * ticket changes; undefined when no such time exists.
   */
  nextDueAt(now: number): number | undefined {
    if (this.unfinished) return now
    return this.byId.size > 0 && this.dueAt < Number.POSITIVE_INFINITY ? this.dueAt : undefined
  }

  /**
   * Returns the fills that can be made at `now`. `changed` are the slots of the new or relaxed tickets; `highest` is
   * the highest level of a ticket. The caller must remove the filled requests.
   */
  *fill(now: number, changed: Int32Array, highest: number): Generator<undefined, Fill[], undefined> {
    this.unfinished = false
    if (this.byId.size === 0) return []
    this.relax(now, highest)
    yield* this.wake(changed)
    if (this.asking.size === 0) return []
    const bounded = new Set<OpenSeats>()
    const askers = yield* this.askers(bounded)
    const fills = askers.length > 0 ? yield* chooseFills(this.columns, this.search, askers, bounded) : []
    this.asking.clear()
    for (const { seats } of fills) bounded.delete(seats)
    for (const seats of bounded) this.asking.add(seats)
    this.unfinished = fills.length > 0 && bounded.size > 0
    return fills
  }

  private relax(now: number, highest: number): void {
    const { columns, format } = this
    if (now < this.last || now >= this.dueAt) {
      this.dueAt = Number.POSITIVE_INFINITY
      for (const seats of this.byId.values()) {
        const { requestedAt } = seats.request
        const level = levelAt(format, requestedAt, now)
        const meetsAgain = columns.nextExpiry(seats.slot, this.last) <= now
        if (level !== columns.level[seats.slot] || meetsAgain) this.asking.add(seats)
        columns.level[seats.slot] = level
        const relaxesAt = requestedAt + (format.thresholds[level] ?? Number.POSITIVE_INFINITY)
        this.dueAt = Math.min(this.dueAt, relaxesAt, columns.nextExpiry(seats.slot, now))
      }
    }
    this.last = now
    this.top = highest
    for (const { slot } of this.byId.values()) this.top = Math.max(this.top, columns.level[slot] as number)
  }

  /** Makes each request near a changed ticket unsettled. */
  private *wake(changed: Int32Array): Generator<undefined, void, undefined> {
    const { columns, asking, index } = this
    if (changed.length > columns.size * WHOLE_SHARE) for (const seats of this.byId.values()) asking.add(seats)
    this.requests.forget()
    let looks = 0
    for (let at = 0; at < changed.length && asking.size < this.byId.size; at++) {
      const slot = changed[at] as number
      if (columns.alive[slot] !== 1) continue
      for (const [from, to] of this.requests.spans(slot, this.levelOf(slot), this.crosses(slot, this.wild))) {
        for (let place = from; place < to; place++) {
          const request = index.slots[place] as number
          const seats = this.bySlot[request] as OpenSeats
          if (!asking.has(seats) && this.suits(request, slot) && seats.takes(slot)) asking.add(seats)
        }
        looks += LOOK_UP + to - from
      }
      if (looks > LOOKS) {
        looks = 0
        yield
      }
    }
  }

  /**
   * Returns the unsettled requests that at least one party can join, oldest first. Adds requests whose search ended at
   * a limit to `bounded`.
   */
  private *askers(bounded: Set<OpenSeats>): Generator<undefined, Asker[], undefined> {
    const { columns, search } = this
    const asking = [...this.asking].sort((a, b) => (columns.older(a.slot, b.slot) ? -1 : 1))
    const askers: Asker[] = []
    this.tickets.forget()
    for (const seats of asking) {
      const near = yield* this.gather(seats)
      const candidates = near.slice(0, MAX_CANDIDATES)
      const able: number[] = []
      search.run(seats, candidates, ([party]) => {
        able.push(party as number)
        return seats.open > 1
      })
      if (search.bounded || near.length > candidates.length) bounded.add(seats)
      if (able.length > 0) askers.push({ seats, candidates: seats.open === 1 ? able : candidates })
    }
    return askers
  }

  /** Returns the parties that might join a match, the longest wait first. Each party is checked separately. */
  private *gather(seats: OpenSeats): Generator<undefined, number[], undefined> {
    const { columns, waiting } = this
    const { slot } = seats
    const found: number[] = []
    const crossing = this.crosses(slot, columns.wildTickets)
    // Without a `range` rule, a bucket is in order of age: its first entries are its oldest tickets.
    const most = columns.ranges.length > 0 || crossing ? Number.POSITIVE_INFINITY : MAX_CANDIDATES
    for (const [from, to] of this.tickets.spans(slot, this.levelOf(slot), crossing)) {
      for (let place = from; place < to && found.length <= most; place++) {
        const party = waiting.slots[place] as number
        if (columns.alive[party] === 1 && this.suits(slot, party) && seats.takes(party)) found.push(party)
        if ((place - from) % LOOKS === 0) yield
      }
    }
    return found.sort((a, b) => (columns.older(a, b) ? -1 : 1))
  }

  /** Returns the loosest level at which another party could be in a match with this slot. */
  private levelOf(slot: number): number {
    return this.newest ? (this.columns.level[slot] as number) : this.top
  }

  private suits(request: number, ticket: number): boolean {
    return this.beside.fits(request, ticket, Math.min(this.levelOf(request), this.levelOf(ticket)))
  }

  /**
   * Whether tickets of other buckets may fit this slot. `wildOthers` is the number of other tickets that lack the field
   * of at least one `key` rule.
   */
  private crosses(slot: number, wildOthers: number): boolean {
    const { columns } = this
    const level = this.levelOf(slot)
    return (
      wildOthers > 0 ||
      (columns.keys.length > 0 && columns.wild[slot] === 1) ||
      columns.levels.keysOff.some((off) => off[level])
    )
  }
}
