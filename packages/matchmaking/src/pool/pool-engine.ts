import { releaseAll, removeAll } from '../columns/clearing'
import { Relaxation } from '../columns/relaxation'
import { TicketColumns } from '../columns/ticket-columns'
import { IntList } from '../columns/typed'
import { formatOf, type MatchFormat } from '../config/match-format'
import { Explainer } from '../explain/explainer'
import { GroupEngine, type GroupMatch } from '../groups/group-engine'
import { type News, PairEngine } from '../pairs/pair-engine'
import type { Sorted } from '../sorting/bulk-sort'
import { mergeSort } from '../sorting/merge-sort'
import { OrderedIndex } from '../sorting/ordered-index'
import type { Explanation, MatchedIds, MatchmakingConfig, Proposal, Ticket } from '../types'
import { ProposalWriter } from './proposals'
import { specimens } from './specimens'

/** Matches written between two yields. */
const WRITES = 1 << 11
/** Entries of a column handled between two yields. */
const BLOCK = 1 << 14
/** Gone entries an index may carry before it is worth going through it. */
const MIN_GONE = 1024

const NOBODY = new Int32Array(0)
const SPECIMENS = specimens()

const isPairs = (format: MatchFormat): boolean =>
  !format.composed && format.teams.length === 2 && format.largestTeam === 1 && format.maxPartySize >= 1

const emit = (
  names: readonly string[],
  pairs: Int32Array,
  from: number,
  to: number,
  ids: string[],
  starts: number[],
): void => {
  for (let index = from; index < to; index += 2) {
    ids[index] = names[pairs[index] as number] as string
    ids[index + 1] = names[pairs[index + 1] as number] as string
    starts[(index >> 1) + 1] = index + 2
  }
}

/** What is behind a pool: the columns, its order, and the engine that its kind of match needs. */
export class PoolEngine {
  readonly columns: TicketColumns
  readonly relaxation: Relaxation
  private readonly format: MatchFormat
  private readonly index: OrderedIndex
  private readonly pairs: PairEngine | undefined
  private readonly groups: GroupEngine | undefined
  private readonly writer: ProposalWriter
  /** Slots that came since the last tick. */
  private readonly arrived = new IntList()
  /** Slots that have gone and may still stand in the index. */
  private gone = 0
  /** Read by nobody: to be held is what they are for. */
  protected readonly specimens = SPECIMENS

  constructor(config: MatchmakingConfig) {
    this.format = formatOf(config)
    this.columns = new TicketColumns(this.format)
    this.index = new OrderedIndex(this.columns)
    this.relaxation = new Relaxation(this.format, this.columns)
    this.writer = new ProposalWriter(this.format, this.columns)
    if (isPairs(this.format)) this.pairs = new PairEngine(this.columns, this.index)
    else this.groups = new GroupEngine(this.format, this.columns, this.index, this.relaxation)
  }

  add(ticket: Ticket): void {
    this.remove(ticket.id)
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

  *tick(now: number): Generator<undefined, Proposal[], undefined> {
    const { writer, columns } = this
    const proposals: Proposal[] = []
    if (this.groups) {
      const matches = yield* this.solveGroups(now)
      for (const { slots, teams } of matches) {
        const tickets = slots.map((slot) => columns.tickets[slot] as Ticket)
        proposals.push(writer.write(tickets, teams, now))
      }
      yield* this.takeOut(Int32Array.from(matches.flatMap((match) => match.slots)))
    } else {
      const pairs = yield* this.solvePairs(now)
      for (let index = 0; index < pairs.length; index += 2) {
        proposals.push(writer.writePair(pairs[index] as number, pairs[index + 1] as number, now))
        if (index % WRITES === 0) yield
      }
      yield* this.takeOut(pairs)
      const alone = yield* this.leftAlone()
      for (const slot of alone) {
        proposals.push(writer.writeAlone(slot, now))
        if (proposals.length % WRITES === 0) yield
      }
      yield* this.takeOut(alone)
    }
    yield* this.tidy()
    return proposals
  }

  *tickIds(now: number): Generator<undefined, MatchedIds, undefined> {
    const { columns } = this
    let ids: string[] = []
    let starts: number[] = [0]
    if (this.groups) {
      const matches = yield* this.solveGroups(now)
      for (const { slots } of matches) {
        for (const slot of slots) ids.push(columns.ids[slot] as string)
        starts.push(ids.length)
      }
      yield* this.takeOut(Int32Array.from(matches.flatMap((match) => match.slots)))
    } else {
      const pairs = yield* this.solvePairs(now)
      ids = new Array(pairs.length)
      starts = new Array(pairs.length / 2 + 1)
      starts[0] = 0
      for (let from = 0; from < pairs.length; from += BLOCK) {
        emit(columns.ids, pairs, from, Math.min(pairs.length, from + BLOCK), ids, starts)
        yield
      }
      yield* this.takeOut(pairs)
      const alone = yield* this.leftAlone()
      for (const slot of alone) {
        ids.push(columns.ids[slot] as string)
        starts.push(ids.length)
      }
      yield* this.takeOut(alone)
    }
    yield* this.tidy()
    return { ids, starts }
  }

  /** When a tick may find what the last one did not, though nothing changes; `now` where it stopped at a bound. */
  nextDueAt(now: number): number | undefined {
    return this.groups?.unfinished === true ? now : this.relaxation.nextDueAt()
  }

  *explain(ticketId: string, now: number): Generator<undefined, Explanation | undefined, undefined> {
    const slot = this.columns.slotOf(ticketId)
    const ticket = slot === undefined ? undefined : this.columns.tickets[slot]
    if (!ticket) return undefined
    const waiting = this.columns.tickets.filter((other) => other !== undefined)
    return yield* new Explainer(this.format, waiting, waiting.length).explain(ticket, now, waiting.length)
  }

  private *solveGroups(now: number): Generator<undefined, readonly GroupMatch[], undefined> {
    const groups = this.groups as GroupEngine
    const news = yield* this.takeIn(now)
    groups.unfinished = false
    return news ? yield* groups.solve(news.changed, news.highest) : []
  }

  /** Pairs by age of their older ticket, flat. */
  private *solvePairs(now: number): Generator<undefined, Int32Array, undefined> {
    const news = yield* this.takeIn(now)
    if (!news || (!news.whole && news.changed.length === 0)) return new Int32Array(0)
    return yield* (this.pairs as PairEngine).solve(news)
  }

  /** Lets time pass and puts what came since the last tick in order; undefined when nothing waits. */
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
    const how = { placed, whole, lowest, highest }
    if (whole && changed.length === 0) return { ...how, changed: fresh, relaxed: NOBODY }
    if (whole) for (let at = 0; at < fresh.length; at++) changed.push(fresh[at] as number)
    return { ...how, changed: changed.data.subarray(0, changed.length), relaxed: changed.data.subarray(0, steps) }
  }

  /** A ticket that came and went between two ticks was never in the index: its slot is free at once. */
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

  /** Where one player is a match, those who have waited long enough play alone. */
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
    if (columns.size === 0) {
      columns.reset()
      index.length = 0
    } else {
      // Where many go, one pass over all slots is cheaper than jumping from slot to slot.
      const most = this.gone > columns.high / 4
      yield* index.compact(!most)
      if (most) yield* releaseAll(columns)
    }
    this.gone = 0
  }
}
