import { releaseAll, removeAll } from '../columns/clearing'
import { Relaxation } from '../columns/relaxation'
import { PLAYING, TicketColumns } from '../columns/ticket-columns'
import { IntList } from '../columns/typed'
import { formatOf, type MatchFormat } from '../config/match-format'
import { explainIn } from '../explain/explain'
import type { Party } from '../explain/explainer'
import { RequestBook } from '../fills/request-book'
import { GroupEngine } from '../groups/group-engine'
import { type News, PairEngine } from '../pairs/pair-engine'
import type { Sorted } from '../sorting/bulk-sort'
import { mergeSort } from '../sorting/merge-sort'
import { OrderedIndex } from '../sorting/ordered-index'
import type { Explanation, MatchmakingConfig, Proposal, Ticket } from '../types'
import { IdWriter } from './id-writer'
import type { MatchWriter } from './match-writer'
import { ProposalWriter } from './proposal-writer'
import { specimens } from './specimens'

/** Number of tickets written between two yields: for matches of single players, and for larger matches. */
const WRITES = 1 << 12
const GROUP_WRITES = 16
/** Number of entries of a column handled between two yields of the generator. */
const BLOCK = 1 << 14
/** Fewest removed entries for which an index is compacted. */
const MIN_GONE = 1024

const NOBODY = new Int32Array(0)
const SPECIMENS = specimens()

const isPairs = (format: MatchFormat): boolean =>
  !format.composed && format.teams.length === 2 && format.largestTeam === 1 && format.maxPartySize >= 1

/**
 * The components of a pool: the columns, the sorted index, and the engine for the queue's kind of match (pairs or
 * groups).
 */
export class PoolEngine {
  readonly columns: TicketColumns
  readonly relaxation: Relaxation
  private readonly format: MatchFormat
  private readonly index: OrderedIndex
  private readonly pairs: PairEngine | undefined
  private readonly groups: GroupEngine | undefined
  readonly proposals: ProposalWriter
  readonly ids: IdWriter
  /** Slots that entered since the last tick. */
  private readonly arrived = new IntList()
  /** Number of removed slots that the sorted index may still contain. */
  private gone = 0
  /** The code never reads this field: it only keeps the objects alive (see `specimens`). */
  protected readonly specimens = SPECIMENS

  readonly requests: RequestBook
  /** Values that `explain` has read from the tickets, so that it reads each ticket once. */
  private read: WeakMap<Ticket, Party> | undefined

  constructor(config: MatchmakingConfig) {
    this.format = formatOf(config)
    this.columns = new TicketColumns(this.format)
    this.index = new OrderedIndex(this.columns)
    this.relaxation = new Relaxation(this.format, this.columns)
    if (isPairs(this.format)) this.pairs = new PairEngine(this.columns, this.index)
    else this.groups = new GroupEngine(this.format, this.columns, this.index, this.relaxation)
    this.requests = new RequestBook(this.format, this.columns, this.index)
    this.proposals = new ProposalWriter(this.format, this.columns, this.groups?.seat)
    this.ids = new IdWriter(this.columns)
  }

  add(ticket: Ticket): void {
    this.remove(ticket.id)
    this.read?.delete(ticket)
    const slot = this.columns.add(ticket)
    if (this.columns.alive[slot] === 0) return
    this.relaxation.entered(slot)
    this.groups?.entered(slot)
    this.arrived.push(slot)
  }

  remove(ticketId: string): boolean {
    const slot = this.columns.slotOf(ticketId)
    if (slot === undefined) return false
    const able = this.columns.alive[slot] === 1
    if (able) {
      this.relaxation.left(slot)
      this.groups?.left(slot)
      this.gone++
    }
    this.columns.remove(slot)
    if (!able) this.columns.release(slot)
    return true
  }

  /**
   * Returns the matches and fills that can be made at `now` (epoch milliseconds), as the writer builds them. Their
   * tickets and requests leave the pool.
   */
  *tick<T>(now: number, writer: MatchWriter<T>): Generator<undefined, T, undefined> {
    writer.start(now)
    this.columns.now = now
    const news = yield* this.takeIn(now)
    if (this.groups) this.groups.unfinished = false
    const fills = this.format.seatsFirst ? yield* this.fillSeats(now, news) : []
    if (news) yield* this.makeMatches(fills.length > 0 ? { ...news, whole: undefined, everything: true } : news, writer)
    writer.fills(this.format.seatsFirst ? fills : yield* this.fillSeats(now, news))
    yield* this.tidy()
    return writer.finish()
  }

  private *makeMatches(news: News, writer: MatchWriter<unknown>): Generator<undefined, void, undefined> {
    if (this.groups) {
      const matches = yield* this.groups.solve(news)
      for (let from = 0; from < matches.length; from += GROUP_WRITES) {
        writer.groups(matches, from, Math.min(matches.length, from + GROUP_WRITES))
        yield
      }
      yield* this.takeOut(Int32Array.from(matches.flat()))
    } else {
      yield* this.writeSingles(yield* this.solvePairs(news), 2, writer)
      yield* this.writeSingles(yield* this.leftAlone(), 1, writer)
    }
  }

  private *fillSeats(now: number, news: News | undefined): Generator<undefined, Proposal[], undefined> {
    const { requests, groups } = this
    const fills = yield* requests.fill(now, news?.changed ?? NOBODY, news?.highest ?? 0)
    const proposals = fills.map(({ seats, slots }) => {
      const proposal = seats.proposal(slots)
      requests.remove(seats.request.id)
      return proposal
    })
    if (fills.length === 0) return proposals
    const slots = Int32Array.from(fills.flatMap((fill) => fill.slots))
    for (const slot of slots) groups?.left(slot)
    yield* this.takeOut(slots)
    return proposals
  }

  private *writeSingles(
    slots: Int32Array,
    size: 1 | 2,
    writer: MatchWriter<unknown>,
  ): Generator<undefined, void, undefined> {
    for (let from = 0; from < slots.length; from += WRITES) {
      writer.singles(slots, size, from, Math.min(slots.length, from + WRITES))
      yield
    }
    yield* this.takeOut(slots)
  }

  /**
   * Returns the time (epoch milliseconds) at which a tick could find a match that the last tick did not find, if no
   * ticket changes. Returns `now` where the last tick stopped at a limit, and undefined when no such time exists.
   */
  nextDueAt(now: number): number | undefined {
    if (this.groups?.unfinished) return now
    const due = Math.min(
      ...[this.relaxation.nextDueAt(), this.requests.nextDueAt(now)].filter((at) => at !== undefined),
    )
    return due < Number.POSITIVE_INFINITY ? due : undefined
  }

  explain(ticketId: string, now: number): Explanation | undefined {
    const { tickets, alive } = this.columns
    const waiting = tickets.filter((ticket, slot) => ticket !== undefined && alive[slot] !== PLAYING) as Ticket[]
    const requests = [...this.requests.byId.values()].map(({ request }) => request)
    this.read ??= new WeakMap()
    return explainIn(this.format, waiting, ticketId, now, requests, this.read)
  }

  /** Returns the pairs as a flat list of slots, in the order of age of each pair's older ticket. */
  private *solvePairs(news: News): Generator<undefined, Int32Array, undefined> {
    if (!news.whole && news.changed.length === 0) return NOBODY
    return yield* (this.pairs as PairEngine).solve(news)
  }

  /**
   * Advances the relaxation of the tickets to `now` and puts the new slots into the index. Returns the changes;
   * undefined when no waiting ticket can match.
   */
  private *takeIn(now: number): Generator<undefined, News | undefined, undefined> {
    const { index, relaxation, arrived } = this
    const changed = new IntList()
    yield* relaxation.advance(now, changed)
    let alive = 0
    for (let from = 0; from < arrived.length; from += BLOCK) {
      alive = this.keepAlive(arrived.data, from, Math.min(arrived.length, from + BLOCK), alive)
      yield
    }
    const fresh = arrived.data.subarray(0, alive)
    arrived.clear()
    let whole: Sorted | undefined
    let placed: Int32Array = NOBODY
    const steps = changed.length
    if (index.shouldRebuild(fresh.length)) {
      if (this.gone > 0) yield* this.compact()
      whole = yield* index.rebuild()
    } else {
      placed = yield* index.insert(fresh)
      for (let at = 0; at < fresh.length; at++) changed.push(fresh[at] as number)
    }
    const { atLevel } = relaxation
    const lowest = atLevel.findIndex((count) => count > 0)
    const highest = atLevel.findLastIndex((count) => count > 0)
    if (lowest < 0) return undefined
    const how = { placed, whole, lowest, highest, everything: false }
    if (whole && changed.length === 0) return { ...how, changed: fresh, relaxed: NOBODY }
    if (whole) for (let at = 0; at < fresh.length; at++) changed.push(fresh[at] as number)
    return { ...how, changed: changed.data.subarray(0, changed.length), relaxed: changed.data.subarray(0, steps) }
  }

  /**
   * Moves the slots that still wait to the front of `arrived`. A ticket that entered and left between two ticks was
   * never in the index, so its slot is released at once.
   */
  private keepAlive(arrived: Int32Array, from: number, to: number, kept: number): number {
    const { columns } = this
    let end = kept
    for (let at = from; at < to; at++) {
      const slot = arrived[at] as number
      if (columns.alive[slot] === 1) arrived[end++] = slot
      else {
        columns.release(slot)
        this.gone--
      }
    }
    return end
  }

  /**
   * Returns the tickets that play alone, the longest wait first. A ticket plays alone where one player is enough for a
   * match, after the wait for a partial fill.
   */
  private *leftAlone(): Generator<undefined, Int32Array, undefined> {
    if (this.format.minTeams > 1 || !this.pairs) return new Int32Array(0)
    const { columns, relaxation, pairs } = this
    const ripe = new IntList()
    for (let slot = 0; slot < columns.high; slot++) {
      if (columns.alive[slot] === 1 && relaxation.isRipe(slot) && pairs.rules.holdsAlone(slot)) ripe.push(slot)
      if (slot % BLOCK === BLOCK - 1) yield
    }
    const slots = ripe.data.subarray(0, ripe.length)
    yield* mergeSort(slots, (a, b) => columns.older(a, b))
    return slots
  }

  private *takeOut(slots: Int32Array): Generator<undefined, void, undefined> {
    for (let from = 0; from < slots.length; from += BLOCK) {
      this.relaxation.leftAll(slots.subarray(from, from + BLOCK))
      yield
    }
    yield* removeAll(this.columns, slots)
    this.gone += slots.length
  }

  private *tidy(): Generator<undefined, void, undefined> {
    if (this.gone > MIN_GONE && this.gone > this.index.length / 4) yield* this.compact()
  }

  private *compact(): Generator<undefined, void, undefined> {
    const { columns, index } = this
    if (columns.size + columns.playing === 0) {
      columns.reset()
      index.length = 0
    } else {
      // For many removed tickets, one pass over all slots is cheaper than releasing them one by one.
      const most = this.gone > columns.high / 4
      yield* index.compact(!most)
      if (most) yield* releaseAll(columns)
    }
    this.gone = 0
  }
}
