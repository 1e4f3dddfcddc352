import type { Clock } from '@matchyard/core/ports'
import { costOf } from './fairness/cost'
import { Lanes } from './fairness/lanes'
import { type Party, STRANGERS } from './fairness/party'

/**
 * Minimum and maximum number of calls that are begun in one turn of the event loop. Between these bounds, as many calls
 * are begun as should take `TURN_MS` together. A turn itself costs time, which several cheap calls should share.
 */
const [FEWEST_PER_TURN, MOST_PER_TURN] = [2, 8]
/**
 * Milliseconds that the calls of one turn of the event loop should take together. Node accepts a new connection only
 * between turns.
 */
const TURN_MS = 1
/** Number of recently begun calls after which their duration is known well enough to begin more calls per turn. */
const ENOUGH_CALLS = 16
/**
 * Number of health probes that are begun in one turn of the event loop, in addition to the calls. Further probes wait
 * in their callers' queues. Probes are never refused.
 */
const PROBES_PER_TURN = 4
/**
 * Minimum number of calls per turn of the event loop that are begun only to be refused, in addition to the other calls.
 * A refusal is cheap, but a caller that never pauses calls again at once. A turn therefore refuses 2 calls while the
 * queue is short, one more for each 64 waiting calls (`TOLD_ONE_MORE`), and at most 16 (`TOLD_PER_TURN`).
 */
const FEW_TOLD = 2
const TOLD_ONE_MORE = 64
const TOLD_PER_TURN = 16
/**
 * Maximum number of waiting calls. Beyond it, calls of an account that has at least its equal share of the queue are
 * begun at once.
 */
export const MAX_IN_LINE = 20_000
/** Factor by which each turn multiplies the sums of earlier measurements, so that older turns count less. */
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
 * calls on connections that are open already. Without a limit, a few hundred callers that call without a pause would
 * keep all new callers out, including the probes of a load balancer (docs/adr/0130). Each turn of the event loop
 * therefore begins only a few calls. The others wait in lanes, one for each caller, and the lanes take turns. The wait
 * of a call is estimated when it arrives, so a call that would wait too long is refused at once.
 */
export class Turns {
  private readonly lanes = new Lanes<Waiting>()
  private begun = 0
  private told = 0
  private probes = 0
  private isTurnComing = false
  private current: Waiting | undefined
  /** Longest wait, in milliseconds, of the calls that left the queue since the last call of `longestMs`. */
  private longest = 0
  /** Time of the last turn of the event loop, if calls waited after that turn. */
  private turnAt: number | undefined
  /**
   * Milliseconds that recent turns of the event loop took, and the number of calls that left the queue in them. Older
   * turns count less (`REMEMBERED`).
   */
  private spentMs = 0
  private left = 0
  /** Number of calls that were begun in recent turns, without the calls that were begun only to be refused. */
  private worked = 0
  /**
   * Number of calls that a turn begins. It returns to the minimum when the queue is empty: later calls may be slower,
   * and nothing is measured while there is no queue.
   */
  private perTurn = FEWEST_PER_TURN

  constructor(
    private readonly clock: Clock,
    private readonly afterOthers: (callback: () => void) => void = setImmediate,
  ) {}

  /**
   * Runs `begin` at once or later, from the queue. `isTooLate` returns whether the call must be refused because of its
   * wait in the queue. `partyOf` returns the caller, and runs only if the call cannot start at once.
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
   * Runs a health probe at once, or from the queue of its caller when more than 4 probes arrive in one turn of the
   * event loop. A probe is never refused.
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
   * Charges the caller for the length of an answer, while other calls wait. The caller then skips one turn for each
   * whole 16 KiB of the answer, but at most 256 turns.
   */
  charge(bytesOut: number, partyOf: () => Party): void {
    const cost = costOf(bytesOut)
    if (cost > 0 && this.lanes.size > 0) this.lanes.charge(partyOf(), cost)
  }

  /**
   * Milliseconds that the call which is being begun has waited. For a new call of `party`, the minimum of its expected
   * wait, which is the longer of two times: the wait of the caller's first call, and the time that the calls before the
   * new call take.
   */
  waitMs(now: number, party: Party): number {
    if (this.current !== undefined) return Math.max(0, now - this.current.cameAt)
    if (this.lanes.size === 0) return 0
    const first = this.lanes.firstOf(party)
    const perCall = this.left < 1 ? 0 : this.spentMs / this.left
    return Math.max(first === undefined ? 0 : now - first.cameAt, this.lanes.ahead(party) * perCall)
  }

  /**
   * Returns the longest wait, in milliseconds, of the next call and of the calls that left the queue since this method
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

  /** Returns the number of calls that should take `TURN_MS`, by the duration of recent calls. */
  private fittingCalls(): number {
    if (this.worked < ENOUGH_CALLS || this.spentMs === 0) return FEWEST_PER_TURN
    const fitting = Math.floor((TURN_MS * this.worked) / this.spentMs)
    return Math.max(FEWEST_PER_TURN, Math.min(MOST_PER_TURN, fitting))
  }
}
