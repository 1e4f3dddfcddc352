import { explainTicket } from './explain'
import { OrderedIndex } from './ordered-index'
import { PairEngine } from './pairs/pair-engine'
import { type Plan, planOf } from './plan'
import { ProposalWriter } from './proposals'
import { Relaxation } from './relaxation'
import { simpleSearch } from './simple-search'
import { Store } from './store'
import { IntList } from './typed'
import type { Explanation, MatchedIds, MatchmakingConfig, Proposal, Ticket } from './types'

/** Matches written between two yields. */
const WRITES = 1 << 12
/** Gone entries an index may carry before it is worth going through it. */
const MIN_GONE = 1024

const isPairs = (plan: Plan): boolean =>
  !plan.composed && plan.teams.length === 2 && plan.largestTeam === 1 && plan.maxPartySize >= 1

/** What is behind a pool: the store, its order, and the engine that its kind of match needs. */
export class PoolEngine {
  readonly store: Store
  readonly relaxation: Relaxation
  private readonly plan: Plan
  private readonly index: OrderedIndex
  private readonly pairs: PairEngine | undefined
  private readonly writer: ProposalWriter
  /** Slots that came since the last tick. */
  private readonly arrived = new IntList()
  /** Slots that have gone and may still stand in the index. */
  private gone = 0

  constructor(private readonly config: MatchmakingConfig) {
    this.plan = planOf(config)
    this.store = new Store(this.plan)
    this.index = new OrderedIndex(this.store)
    this.relaxation = new Relaxation(this.plan, this.store)
    this.writer = new ProposalWriter(this.plan, this.store)
    this.pairs = isPairs(this.plan) ? new PairEngine(this.store, this.index) : undefined
  }

  add(ticket: Ticket): void {
    this.remove(ticket.id)
    const slot = this.store.add(ticket)
    if (this.store.alive[slot] === 0) return
    this.relaxation.entered(slot)
    this.arrived.push(slot)
  }

  remove(ticketId: string): boolean {
    const slot = this.store.slotOf(ticketId)
    if (slot === undefined) return false
    const able = this.store.alive[slot] === 1
    if (able) {
      this.relaxation.left(slot)
      this.gone++
    }
    this.store.remove(slot)
    if (!able) this.store.release(slot)
    return true
  }

  *tick(now: number): Generator<undefined, Proposal[], undefined> {
    if (!this.pairs) return this.tickSimply(now)
    const pairs = yield* this.solvePairs(now)
    const proposals: Proposal[] = []
    for (let index = 0; index < pairs.length; index += 2) {
      proposals.push(this.writer.writePair(pairs[index] as number, pairs[index + 1] as number, now))
      if (index % WRITES === 0) yield
    }
    this.takeOut(pairs)
    const alone = this.leftAlone(now)
    for (const slot of alone) proposals.push(this.writer.writeAlone(slot, now))
    this.takeOut(alone)
    this.tidy()
    return proposals
  }

  *tickIds(now: number): Generator<undefined, MatchedIds, undefined> {
    const { store } = this
    if (!this.pairs) {
      const proposals = this.tickSimply(now)
      const starts = [0]
      for (const { ticketIds } of proposals) starts.push((starts.at(-1) as number) + ticketIds.length)
      return { ids: proposals.flatMap((proposal) => proposal.ticketIds), starts }
    }
    const pairs = yield* this.solvePairs(now)
    const ids: string[] = new Array(pairs.length)
    const starts: number[] = new Array(pairs.length / 2 + 1)
    for (let index = 0; index < pairs.length; index++) ids[index] = store.ids[pairs[index] as number] as string
    for (let index = 0; index < starts.length; index++) starts[index] = index * 2
    this.takeOut(pairs)
    const alone = this.leftAlone(now)
    for (const slot of alone) {
      ids.push(store.ids[slot] as string)
      starts.push(ids.length)
    }
    this.takeOut(alone)
    this.tidy()
    return { ids, starts }
  }

  explain(ticketId: string, now: number): Explanation | undefined {
    const slot = this.store.slotOf(ticketId)
    const ticket = slot === undefined ? undefined : this.store.tickets[slot]
    if (!ticket) return undefined
    const waiting = this.store.tickets.filter((other) => other !== undefined)
    return explainTicket(this.plan, ticket, waiting, now)
  }

  private tickSimply(now: number): Proposal[] {
    const { store } = this
    const able = store.tickets.filter(
      (ticket, slot): ticket is Ticket => ticket !== undefined && store.alive[slot] === 1,
    )
    const proposals = simpleSearch(this.config, this.plan, able, now)
    for (const { ticketIds } of proposals) for (const id of ticketIds) this.remove(id)
    return proposals
  }

  /** Pairs by age of their older ticket, flat. */
  private *solvePairs(now: number): Generator<undefined, Int32Array, undefined> {
    const { store, index, relaxation, arrived } = this
    const changed = new IntList()
    relaxation.advance(now, changed)
    let whole: { slots: Int32Array; values: Float64Array } | undefined
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
    if (index.shouldRebuild(fresh.length)) {
      if (this.gone > 0) this.compact()
      whole = yield* index.rebuild()
    } else {
      index.insert(fresh)
    }
    if (!whole) for (const slot of fresh) changed.push(slot)
    if (!whole && changed.length === 0) return new Int32Array(0)
    const levels = relaxation.atLevel
    const lowest = levels.findIndex((count) => count > 0)
    const highest = levels.findLastIndex((count) => count > 0)
    const unique = whole ? fresh : Int32Array.from(new Set(changed.data.subarray(0, changed.length)))
    if (lowest < 0) return new Int32Array(0)
    const pairs = yield* (this.pairs as PairEngine).solve(unique, whole, lowest, highest)
    return this.byAge(pairs)
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
  private leftAlone(_now: number): Int32Array {
    if (this.plan.minTeams > 1) return new Int32Array(0)
    const { store, relaxation } = this
    const ripe: number[] = []
    for (let slot = 0; slot < store.high; slot++)
      if (store.alive[slot] === 1 && relaxation.isRipe(slot)) ripe.push(slot)
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
    this.index.compact()
    this.gone = 0
  }
}
