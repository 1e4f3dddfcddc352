import type { Clock } from '@matchyard/core/ports'
import { costOf } from './fairness/cost'
import { Lanes } from './fairness/lanes'
import { type Party, STRANGERS } from './fairness/party'

/**
 * Minimum and maximum number of calls that are begun in one turn of the event loop. Between them, a turn begins as many
 * calls as should take `TURN_MS` together: a turn has costs of its own, which cheap calls should share.
 */
const [FEWEST_PER_TURN, MOST_PER_TURN] = [2, 8]
/** Milliseconds that the calls of one turn should take together. Node accepts a new connection only between turns. */
const TURN_MS = 1
/** Number of recently begun calls from which their time is known well enough for longer turns. */
const ENOUGH_CALLS = 16
/**
 * Probes that are begun in one turn besides the calls. More probes wait in the line of their party, and are never
 * refused.
 */
const PROBES_PER_TURN = 4
/**
 * Calls per turn that are begun only to be refused, besides the others. A refusal is cheap, but a caller that never
 * pauses calls again at once. So a turn refuses 2 while the line is short, one more for each 64 waiting calls
 * (`TOLD_ONE_MORE`), and at most 16 (`TOLD_PER_TURN`).
 */
const FEW_TOLD = 2
const TOLD_ONE_MORE = 64
const TOLD_PER_TURN = 16
/**
 * Maximum number of waiting calls. Past it, calls of an account that has its equal part of the line, or more, are begun
 * at once.
 */
export const MAX_IN_LINE = 20_000
/** Fraction of the measured speed of the line that each turn keeps; the rest is forgotten. */
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
 * Begins calls a few at a time. Node accepts one new connection in each turn of its event loop, and first answers all
 * calls of the open connections. So a few hundred callers that call without a pause would keep all new callers out,
 * probes of a balancer included (docs/adr/0130). Therefore a turn begins few calls. The others wait in lanes, one for
 * each party, and the lanes have turns one after the other. The wait of a call is known in advance, so a call that
 * would wait too long is refused at once.
 */
export class Turns {
  private readonly lanes = new Lanes<Waiting>()
  private begun = 0
  private told = 0
  private probes = 0
  private isTurnComing = false
  private current: Waiting | undefined
  /** Longest wait, in milliseconds, of the calls that left the line since the last call of `longestMs`. */
  private longest = 0
  /** Time of the last turn, if it left calls in the line. */
  private turnAt: number | undefined
  /**
   * Milliseconds that recent turns took, and the number of calls that left the line in them. Older turns count less
   * (`REMEMBERED`).
   */
  private spentMs = 0
  private left = 0
  /** Number of calls that were begun in recent turns, without those that were begun only to be refused. */
  private worked = 0
  /** Reset when the line is empty: later calls may be slower, and without a line nothing is measured. */
  private perTurn = FEWEST_PER_TURN

  constructor(
    private readonly clock: Clock,
    private readonly afterOthers: (callback: () => void) => void = setImmediate,
  ) {}

  /**
   * Runs `begin` now or in its turn. `isTooLate` says whether the call will be refused because of the wait in the line.
   * `partyOf` returns the party of the call, and runs only if the call cannot start at once.
   */
  take(begin: () => void, isTooLate: IsTooLate, partyOf: () => Party = () => STRANGER): void {
    if (!this.isTurnComing) this.come()
    if (this.begun < this.perTurn && this.lanes.size === 0) {
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

  /**
   * Runs a call that only asks for the health of the process: at once, or in the turn of its party when more than 4
   * probes come in one turn. It is never too late.
   */
  takeProbe(begin: () => void, partyOf: () => Party): void {
    if (this.probes >= PROBES_PER_TURN) {
      this.take(begin, () => false, partyOf)
      return
    }
    if (!this.isTurnComing) this.come()
    this.probes++
    begin()
  }

  /**
   * Charges the party of an answer for its length, while other calls wait: the party then skips one turn for each small
   * call that the answer additionally cost.
   */
  charge(bytesOut: number, partyOf: () => Party): void {
    const cost = costOf(bytesOut)
    if (cost > 0 && this.lanes.size > 0) this.lanes.charge(partyOf(), cost)
  }

  /**
   * Milliseconds that the call which is being begun has waited. For a new call of `party`, it is the least expected
   * wait: the greater of the wait of the party's first call, and the time that the calls before it take.
   */
  waitMs(now: number, party: Party): number {
    if (this.current !== undefined) return Math.max(0, now - this.current.cameAt)
    if (this.lanes.size === 0) return 0
    const first = this.lanes.firstOf(party)
    const perCall = this.left < 1 ? 0 : this.spentMs / this.left
    return Math.max(first === undefined ? 0 : now - first.cameAt, this.lanes.ahead(party) * perCall)
  }

  /**
   * Returns the longest wait, in milliseconds, of the next call and of the calls that left the line since this method
   * was last called.
   */
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
      this.perTurn = FEWEST_PER_TURN
      this.turnAt = undefined
      return
    }
    this.come()
    const now = this.clock.now()
    const sizeBefore = this.lanes.size
    while (this.begun < this.perTurn && this.told < this.mayTell && this.lanes.size > 0) this.beginNext(now)
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
      this.worked = REMEMBERED * this.worked + this.begun
    }
    this.turnAt = this.lanes.size > 0 ? now : undefined
    this.perTurn = this.fittingCalls()
  }

  /** Returns the number of calls that should take `TURN_MS`, by the time that recent calls took. */
  private fittingCalls(): number {
    if (this.worked < ENOUGH_CALLS || this.spentMs === 0) return FEWEST_PER_TURN
    const fitting = Math.floor((TURN_MS * this.worked) / this.spentMs)
    return Math.max(FEWEST_PER_TURN, Math.min(MOST_PER_TURN, fitting))
  }
}
