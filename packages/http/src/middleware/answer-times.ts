import type { Party } from '../fairness/party'
import { Shares } from '../fairness/shares'

/** Milliseconds of a period: the answers of one period are evaluated together. A period may be longer. */
const WINDOW_MS = 100
/** Number of answers in a period below which no queue can be detected. */
const FEW = 5
/**
 * Multiple of the answer time without a queue. If even the fastest answer of a period takes longer than this multiple,
 * a lasting queue exists.
 */
const STANDING = 4
/**
 * Multiple of `delayMs`. If even the fastest answer of a period takes longer than this multiple, a queue exists,
 * whatever the earlier answer times were.
 */
const TOO_LONG = 10
/** Multiple of the answer time without a queue. While a queue exists, accepted calls should take this long. */
const WORKING = 2
/** Milliseconds for which the duration of the fastest answer is remembered. */
const FASTEST_FOR_MS = 10_000
/** Number of calls that may always run at the same time, because they are too few to overload anything. */
const ALWAYS = 16
/** Factor by which the limit of running calls grows after each period with a short queue. */
const MORE = 1.1

const ANY = Number.POSITIVE_INFINITY

/**
 * Durations of the calls of one kind. They distinguish a queue that stays (in a database, for example) from a queue
 * that comes and goes. The measure is the fastest answer of a period: in a queue that stays, even the fastest call has
 * waited. While such a queue lasts, the number of running calls is limited, so that the queue stays short. The limit is
 * about the number of calls that are answered in the time that one call should take.
 */
export class AnswerTimes {
  /** Number of calls that have begun and are not answered yet. */
  underWay = 0
  private count = 0
  private fastest = ANY
  private since: number | undefined
  /** Milliseconds that the fastest answer took, in the previous period of `FASTEST_FOR_MS` and in the current one. */
  private floors: readonly [number, number] = [ANY, ANY]
  private floorsTurnAt = Number.NEGATIVE_INFINITY
  private standsSince: number | undefined
  private atMost = ANY
  /** Running calls by caller, if the caller was known at the start of the call. */
  private readonly shares = new Shares()

  constructor(
    private readonly delayMs: number,
    private readonly patienceMs: number,
  ) {}

  /** Whether the number of running calls is limited. */
  get isBounded(): boolean {
    return this.atMost !== ANY
  }

  begin(now: number, party?: Party): void {
    this.underWay++
    if (party !== undefined) this.shares.add(party)
    this.since ??= now
  }

  /** Records the end of a call. `party` is the caller that was passed to `begin`. */
  end(ms: number, party?: Party): void {
    this.underWay--
    if (party !== undefined) this.shares.remove(party)
    this.count++
    if (ms < this.fastest) this.fastest = ms
  }

  /**
   * Whether so many calls run that a new call must be refused. A caller that has less than its share of the running
   * calls, or no running call, is accepted.
   */
  isFull(share: number, party?: Party): boolean {
    const whole = this.atMost * share
    return this.underWay >= whole && !(party !== undefined && this.shares.isBelow(party, whole))
  }

  look(now: number): void {
    const { since, count, fastest } = this
    if (since === undefined || now - since < WINDOW_MS) return
    // A period with few answers waits for its slow calls, because few answers do not prove that there is no queue.
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
    // The limit of running calls grows step by step. Otherwise all callers that were refused would form a new queue.
    this.atMost = this.underWay <= this.atMost / 2 ? ANY : MORE * this.atMost
  }

  private open(): void {
    this.standsSince = undefined
    this.atMost = ANY
  }

  /**
   * Returns the milliseconds of the fastest recent answer. The periods do not advance during a queue, because the
   * answer time without a queue cannot be measured then.
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
