import type { Party } from '../fairness/party'
import { Shares } from '../fairness/shares'

/** Minimum milliseconds of answers that are judged together. */
const WINDOW_MS = 100
/** Minimum number of answers from which a queue can be judged. */
const FEW = 5
/** Factor over the time without a queue. Fastest answers that take longer show a queue in which all callers stand. */
const STANDING = 4
/** Factor over `delayMs`. Fastest answers that take longer show a queue, however long answers took before. */
const TOO_LONG = 10
/** Factor over the time without a queue: the time that accepted calls should take while there is a queue. */
const WORKING = 2
/** Milliseconds for which the fastest answer is remembered. */
const FASTEST_FOR_MS = 10_000
/** Number of calls that may always be under way at once: so few are no load. */
const ALWAYS = 16
/** Factor by which the limit of calls under way grows after each period with a short queue. */
const MORE = 1.1

const ANY = Number.POSITIVE_INFINITY

/**
 * How long calls of one kind take, to distinguish a queue that stays (in a database, for example) from one that comes
 * and goes. The measure is the fastest answer of a period: in a queue that stays, even the fastest call has waited.
 * While such a queue lasts, the calls under way are limited, so that the queue stays short: to about as many as are
 * answered in the time that one call should take.
 */
export class AnswerTimes {
  /** Number of calls that were begun and not answered yet. */
  underWay = 0
  private count = 0
  private fastest = ANY
  private since: number | undefined
  /** Milliseconds of the fastest answer in the previous period of `FASTEST_FOR_MS`, and in the present one. */
  private floors: readonly [number, number] = [ANY, ANY]
  private floorsTurnAt = Number.NEGATIVE_INFINITY
  private standsSince: number | undefined
  private atMost = ANY
  /** Parties of the calls under way, if known at their start. */
  private readonly shares = new Shares()

  constructor(
    private readonly delayMs: number,
    private readonly patienceMs: number,
  ) {}

  /** Whether the number of calls under way is limited. */
  get isBounded(): boolean {
    return this.atMost !== ANY
  }

  begin(now: number, party?: Party): void {
    this.underWay++
    if (party !== undefined) this.shares.add(party)
    this.since ??= now
  }

  /** Notes the end of a call. `party` is the party that was passed to `begin`. */
  end(ms: number, party?: Party): void {
    this.underWay--
    if (party !== undefined) this.shares.remove(party)
    this.count++
    if (ms < this.fastest) this.fastest = ms
  }

  /**
   * Whether too many calls are under way to accept another. A party with less than its share of them has room, and each
   * party has room for one call.
   */
  isFull(share: number, party?: Party): boolean {
    const whole = this.atMost * share
    return this.underWay >= whole && !(party !== undefined && this.shares.isBelow(party, whole))
  }

  look(now: number): void {
    const { since, count, fastest } = this
    if (since === undefined || now - since < WINDOW_MS) return
    // Slow calls must be waited for: few answers do not prove that there is no queue.
    if (count < FEW && this.underWay > 0) return
    this.count = 0
    this.fastest = ANY
    this.since = this.underWay > 0 ? now : undefined
    if (count < FEW) this.open()
    else this.judge(since, now, count, fastest)
  }

  private judge(since: number, now: number, count: number, fastest: number): void {
    const floor = this.floor(fastest, now)
    const long = Math.min(STANDING * floor, TOO_LONG * this.delayMs)
    if (fastest <= Math.max(this.delayMs, long)) {
      this.wasShort()
      return
    }
    this.standsSince ??= since
    if (now - this.standsSince < this.patienceMs) return
    const working = Math.max(this.delayMs, WORKING * floor)
    this.atMost = Math.max(ALWAYS, Math.ceil((count / (now - since)) * working))
  }

  private wasShort(): void {
    this.standsSince = undefined
    // The limit grows step by step: otherwise all callers that were kept out would form a new queue.
    this.atMost = this.underWay <= this.atMost / 2 ? ANY : MORE * this.atMost
  }

  private open(): void {
    this.standsSince = undefined
    this.atMost = ANY
  }

  /**
   * Returns the milliseconds of the fastest recent answer. The periods do not advance during a queue, because the time
   * without a queue cannot be measured then.
   */
  private floor(fastest: number, now: number): number {
    const [before, current] = this.floors
    const isLine = this.atMost !== ANY || this.standsSince !== undefined
    if (now >= this.floorsTurnAt && !isLine) {
      this.floors = [current, fastest]
      this.floorsTurnAt = now + FASTEST_FOR_MS
    } else this.floors = [before, Math.min(current, fastest)]
    return Math.min(...this.floors)
  }
}
