import type { Sorted } from './bulk-sort'
import { explainTicket } from './explain'
import { GroupEngine, type GroupMatch } from './groups/group-engine'
import { OrderedIndex } from './ordered-index'
import { PairEngine } from './pairs/pair-engine'
import { type Plan, planOf } from './plan'
import { ProposalWriter } from './proposals'
import { Relaxation } from './relaxation'
import { Store } from './store'
import { IntList } from './typed'
import type { Explanation, MatchedIds, MatchmakingConfig, Proposal, Ticket } from './types'

/** Matches written between two yields. */
const WRITES = 1 << 12
/** Gone entries an index may carry before it is worth going through it. */
const MIN_GONE = 1024

/** What changed since the last tick, and the levels of relaxation that are waiting. */
interface News {
  readonly changed: Int32Array
  /** The whole pool in order, where it was sorted anew. */
  readonly whole: Sorted | undefined
  readonly lowest: number
  readonly highest: number
}

const isPairs = (plan: Plan): boolean =>
  !plan.composed && plan.teams.length === 2 && plan.largestTeam === 1 && plan.maxPartySize >= 1

/** What is behind a pool: the store, its order, and the engine that its kind of match needs. */
export class PoolEngine {
  readonly store: Store
  readonly relaxation: Relaxation
  private readonly plan: Plan
  private readonly index: OrderedIndex
  private readonly pairs: PairEngine | undefined
  private readonly groups: GroupEngine | undefined
  private readonly writer: ProposalWriter
  /** Slots that came since the last tick. */
  private readonly arrived = new IntList()
  /** Slots that have gone and may still stand in the index. */
  private gone = 0

  constructor(config: MatchmakingConfig) {
    this.plan = planOf(config)
    this.store = new Store(this.plan)
    this.index = new OrderedIndex(this.store)
    this.relaxation = new Relaxation(this.plan, this.store)
    this.writer = new ProposalWriter(this.plan, this.store)
    if (isPairs(this.plan)) this.pairs = new PairEngine(this.store, this.index)
    else this.groups = new GroupEngine(this.plan, this.store, this.index, this.relaxation)
  }

  add(ticket: Ticket): void {
    this.remove(ticket.id)
    const slot = this.store.add(ticket)
    if (this.store.alive[slot] === 0) return
    this.relaxation.entered(slot)
    this.groups?.entered(slot)
    this.arrived.push(slot)
  }

  remove(ticketId: string): boolean {
    const slot = this.store.slotOf(ticketId)
    if (slot === undefined) return false
    const able = this.store.alive[slot] === 1
    if (able) {
      this.relaxation.left(slot)
      this.groups?.left(slot)
      this.gone++
    }
    this.store.remove(slot)
    if (!able) this.store.release(slot)
    return true
  }

  *tick(now: number): Generator<undefined, Proposal[], undefined> {
    const { writer, store } = this
    const proposals: Proposal[] = []
    if (this.groups) {
      const matches = yield* this.solveGroups(now)
      for (const { slots, teams } of matches) {
        const tickets = slots.map((slot) => store.tickets[slot] as Ticket)
        proposals.push(writer.write(tickets, teams, now))
      }
      this.takeOut(Int32Array.from(matches.flatMap((match) => match.slots)))
    } else {
      const pairs = yield* this.solvePairs(now)
      for (let index = 0; index < pairs.length; index += 2) {
        proposals.push(writer.writePair(pairs[index] as number, pairs[index + 1] as number, now))
        if (index % WRITES === 0) yield
      }
      this.takeOut(pairs)
      const alone = this.leftAlone()
      for (const slot of alone) proposals.push(writer.writeAlone(slot, now))
      this.takeOut(alone)
    }
    this.tidy()
    return proposals
  }

  *tickIds(now: number): Generator<undefined, MatchedIds, undefined> {
    const { store } = this
    let ids: string[] = []
    let starts: number[] = [0]
    if (this.groups) {
      const matches = yield* this.solveGroups(now)
      for (const { slots } of matches) {
        for (const slot of slots) ids.push(store.ids[slot] as string)
        starts.push(ids.length)
      }
      this.takeOut(Int32Array.from(matches.flatMap((match) => match.slots)))
    } else {
      const pairs = yield* this.solvePairs(now)
      ids = new Array(pairs.length)
      for (let index = 0; index < pairs.length; index++) ids[index] = store.ids[pairs[index] as number] as string
      starts = new Array(pairs.length / 2 + 1)
      for (let index = 0; index < starts.length; index++) starts[index] = index * 2
      this.takeOut(pairs)
      const alone = this.leftAlone()
      for (const slot of alone) {
        ids.push(store.ids[slot] as string)
        starts.push(ids.length)
      }
      this.takeOut(alone)
    }
    this.tidy()
    return { ids, starts }
  }

  /** When a tick may find what the last one did not, though nothing changes; `now` where it stopped at a bound. */
  nextDueAt(now: number): number | undefined {
    return this.groups?.unfinished === true ? now : this.relaxation.nextDueAt()
  }

  explain(ticketId: string, now: number): Explanation | undefined {
    const slot = this.store.slotOf(ticketId)
    const ticket = slot === undefined ? undefined : this.store.tickets[slot]
    if (!ticket) return undefined
    const waiting = this.store.tickets.filter((other) => other !== undefined)
    return explainTicket(this.plan, ticket, waiting, now)
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
    const pairs = yield* (this.pairs as PairEngine).solve(news.changed, news.whole, news.lowest, news.highest)
    return this.byAge(pairs)
  }

  /** Lets time pass and puts what came since the last tick in order; undefined when nothing waits. */
  private *takeIn(now: number): Generator<undefined, News | undefined, undefined> {
    const { store, index, relaxation, arrived } = this
    const changed = new IntList()
    relaxation.advance(now, changed)
    let alive = 0
    for (let at = 0; at < arrived.length; at++) {
      const slot = arrived.data[at] as number
      // A ticket that came and went between two ticks was never in the index: its slot is free at once.
      if (store.alive[slot] === 1) arrived.data[alive++] = slot
      else {
        store.release(slot)
        this.gone--
      }
    }
    const fresh = arrived.data.slice(0, alive)
    arrived.clear()
    let whole: Sorted | undefined
    if (index.shouldRebuild(fresh.length)) {
      if (this.gone > 0) this.compact()
      whole = yield* index.rebuild()
    } else {
      index.insert(fresh)
      for (const slot of fresh) changed.push(slot)
    }
    const { atLevel } = relaxation
    const lowest = atLevel.findIndex((count) => count > 0)
    const highest = atLevel.findLastIndex((count) => count > 0)
    if (lowest < 0) return undefined
    if (whole && changed.length === 0) return { changed: fresh, whole, lowest, highest }
    if (whole) for (const slot of fresh) changed.push(slot)
    const unique = Int32Array.from(new Set(changed.data.subarray(0, changed.length)))
    return { changed: unique, whole, lowest, highest }
  }

  private byAge(pairs: Int32Array): Int32Array {
    const { store } = this
    const sorted = new Int32Array(pairs.length)
    if (store.slotsByAge && pairs.length > store.high / 16) {
      const partner = new Int32Array(store.high)
      for (let index = 0; index < pairs.length; index += 2) {
        partner[pairs[index] as number] = (pairs[index + 1] as number) + 1
      }
      for (let slot = 0, length = 0; slot < store.high; slot++) {
        if (partner[slot] === 0) continue
        sorted[length++] = slot
        sorted[length++] = (partner[slot] as number) - 1
      }
      return sorted
    }
    const order = Int32Array.from({ length: pairs.length / 2 }, (_, index) => index * 2)
    order.sort((a, b) => (store.older(pairs[a] as number, pairs[b] as number) ? -1 : 1))
    for (let index = 0; index < order.length; index++) {
      const at = order[index] as number
      sorted[index * 2] = pairs[at] as number
      sorted[index * 2 + 1] = pairs[at + 1] as number
    }
    return sorted
  }

  /** Where one player is a match, those who have waited long enough play alone. */
  private leftAlone(): Int32Array {
    if (this.plan.minTeams > 1 || !this.pairs) return new Int32Array(0)
    const { store, relaxation, pairs } = this
    const ripe: number[] = []
    for (let slot = 0; slot < store.high; slot++) {
      if (store.alive[slot] === 1 && relaxation.isRipe(slot) && pairs.rules.holdsAlone(slot)) ripe.push(slot)
    }
    return Int32Array.from(ripe.sort((a, b) => (store.older(a, b) ? -1 : 1)))
  }

  private takeOut(slots: Int32Array): void {
    for (let index = 0; index < slots.length; index++) this.relaxation.left(slots[index] as number)
    this.store.removeAll(slots, slots.length)
    this.gone += slots.length
  }

  private tidy(): void {
    if (this.gone > MIN_GONE && this.gone > this.index.length / 4) this.compact()
  }

  private compact(): void {
    if (this.store.size === 0) {
      this.store.reset()
      this.index.length = 0
    } else {
      this.index.compact()
    }
    this.gone = 0
  }
}
