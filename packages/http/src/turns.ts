import type { Clock } from '@matchyard/core/ports'
import { costOf } from './fairness/cost'
import { Lanes } from './fairness/lanes'
import { type Party, STRANGERS } from './fairness/party'

/** Begun before the process looks at what else there is. */
const PER_TURN = 2
/** Probes that are begun besides in one turn; more of them stand in line, as the calls of strangers do, and are never refused. */
const PROBES_PER_TURN = 4
/**
 * Number of additional calls per turn that only get a refusal: they are cheap, but a caller that never pauses returns at once. Few are refused
 * in a turn while the line is short, one more for each `TOLD_ONE_MORE` waiting calls, and at most `TOLD_PER_TURN`.
 */
const FEW_TOLD = 2
const TOLD_ONE_MORE = 64
const TOLD_PER_TURN = 16
/** Calls that stand in line. Past it those of an account that has more than its part of the line are begun as they come. */
export const MAX_IN_LINE = 20_000
/** Fraction of the line's measured speed that each turn keeps. */
const REMEMBERED = 0.9

export type IsTooLate = (now: number, party: Party) => boolean

interface Waiting {
  readonly cameAt: number
  readonly party: Party
  readonly begin: () => void
  readonly isTooLate: IsTooLate
}

const STRANGER: Party = { account: STRANGERS, project: '', key: '', address: '' }

/**
 * Begins calls a few at a time. Node takes one new connection in each turn of its event loop, and answers all that came on those it has before the
 * next: a few hundred callers that call without end keep everybody else out, probes of a balancer among them, for as long as they do
 * (docs/adr/0130). So a turn begins few calls; the others stand in lines, one for each party, and the lines have their turns one after the
 * other. How long they wait is known. Those for whom it is too late already are told so at once.
 */
export class Turns {
  private readonly lanes = new Lanes<Waiting>()
  private begun = 0
  private told = 0
  private probes = 0
  private isTurnComing = false
  private current: Waiting | undefined
  /** The longest wait of the calls that left the line since `longestMs` was asked for. */
  private longest = 0
  /** When the last turn was, where it left calls in the line. */
  private turnAt: number | undefined
  /** Recent time of the line and its number of calls. */
  private spentMs = 0
  private left = 0

  constructor(
    private readonly clock: Clock,
    private readonly afterOthers: (callback: () => void) => void = setImmediate,
  ) {}

  /**
   * Runs `begin` now or in its turn. `isTooLate`: whether the call is to be refused after the line's wait. `partyOf`: the party of the call,
   * asked only where the call cannot start at once.
   */
  take(begin: () => void, isTooLate: IsTooLate, partyOf: () => Party = () => STRANGER): void {
    if (!this.isTurnComing) this.come()
    if (this.begun < PER_TURN && this.lanes.size === 0) {
      this.begun++
      begin()
      return
    }
    const now = this.clock.now()
    const party = partyOf()
    if (this.told < this.mayTell && isTooLate(now, party)) {
      this.told++
      begin()
    } else if (this.isFull(party)) begin()
    else this.lanes.push(party, { cameAt: now, party, begin, isTooLate })
  }

  /** Runs a call that asks only how the process is: at once, or, where many come, in the turn of its party. It is never too late. */
  takeProbe(begin: () => void, partyOf: () => Party): void {
    if (this.probes >= PROBES_PER_TURN) {
      this.take(begin, () => false, partyOf)
      return
    }
    if (!this.isTurnComing) this.come()
    this.probes++
    begin()
  }

  /** Notes an answer of so many bytes: beside others, its party passes as many turns as a long one costs more than a small one. */
  charge(bytesOut: number, partyOf: () => Party): void {
    const cost = costOf(bytesOut)
    if (cost > 0 && this.lanes.size > 0) this.lanes.charge(partyOf(), cost)
  }

  /**
   * For how long, in milliseconds, the call that is being begun has stood in line; of another one, how long it will at the least: as long as
   * the first of its party has, or as the calls that have their turn before it take.
   */
  waitMs(now: number, party: Party): number {
    if (this.current !== undefined) return Math.max(0, now - this.current.cameAt)
    if (this.lanes.size === 0) return 0
    const first = this.lanes.firstOf(party)
    const perCall = this.left < 1 ? 0 : this.spentMs / this.left
    return Math.max(first === undefined ? 0 : now - first.cameAt, this.lanes.ahead(party) * perCall)
  }

  /** The longest wait, in milliseconds, of the calls that left the line since this was asked for, and of the one that is next. */
  longestMs(now: number): number {
    const { first } = this.lanes
    const longest = Math.max(this.longest, first === undefined ? 0 : now - first.cameAt)
    this.longest = 0
    return longest
  }

  private isFull({ account }: Party): boolean {
    const { size, accountCount } = this.lanes
    return size >= MAX_IN_LINE && this.lanes.sizeOf(account) >= size / accountCount
  }

  private get mayTell(): number {
    return Math.min(TOLD_PER_TURN, FEW_TOLD + Math.floor(this.lanes.size / TOLD_ONE_MORE))
  }

  private come(): void {
    this.isTurnComing = true
    this.afterOthers(() => this.turn())
  }

  private turn(): void {
    this.isTurnComing = false
    this.begun = 0
    this.told = 0
    this.probes = 0
    if (this.lanes.size === 0) {
      this.turnAt = undefined
      return
    }
    this.come()
    const now = this.clock.now()
    const sizeBefore = this.lanes.size
    while (this.begun < PER_TURN && this.told < this.mayTell && this.lanes.size > 0) this.beginNext(now)
    this.current = undefined
    this.measure(now, sizeBefore - this.lanes.size)
  }

  private beginNext(now: number): void {
    const next = this.lanes.shift()
    if (next === undefined) return
    this.current = next
    this.longest = Math.max(this.longest, now - next.cameAt)
    if (next.isTooLate(now, next.party)) this.told++
    else this.begun++
    next.begin()
  }

  private measure(now: number, left: number): void {
    if (this.turnAt !== undefined) {
      this.spentMs = REMEMBERED * this.spentMs + (now - this.turnAt)
      this.left = REMEMBERED * this.left + left
    }
    this.turnAt = this.lanes.size > 0 ? now : undefined
  }
}
