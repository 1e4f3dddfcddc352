import type { Party } from '../fairness/party'
import { Shares } from '../fairness/shares'

/** Answers are looked at together for so long at the least. */
const WINDOW_MS = 100
/** Fewer say nothing of a line. */
const FEW = 5
/** Factor over the time without a queue at which all callers stand in a queue. */
const STANDING = 4
/** Slower than so often what calls may wait for this process, it is a line whatever it was before. */
const TOO_LONG = 10
/** Factor over the time without a queue that accepted calls may take while there is one. */
const WORKING = 2
/** How long the fastest answer is remembered; then it is the fastest since. */
const FASTEST_FOR_MS = 10_000
/** Under way at once, whatever was measured: so few are no load. */
const ALWAYS = 16
/** By how much more may be under way after each while in which the line was short. */
const MORE = 1.1

const ANY = Number.POSITIVE_INFINITY

/**
 * How long calls of one kind take, to tell a line that stands (in a database, say) from one that comes and goes. Its word is the
 * fastest answer of a while: in a line that stands even that one has waited. Beside it, how many may be under way so that the line
 * stays short: as many as are answered while one of them is.
 */
export class AnswerTimes {
  /** Begun and not answered. */
  underWay = 0
  private count = 0
  private fastest = ANY
  private since: number | undefined
  /** The fastest answer of the time before, and of this one. */
  private floors: readonly [number, number] = [ANY, ANY]
  private floorsTurnAt = Number.NEGATIVE_INFINITY
  private standsSince: number | undefined
  private atMost = ANY
  /** Parties of the calls under way, as far as known at their start. */
  private readonly shares = new Shares()

  constructor(
    private readonly delayMs: number,
    private readonly patienceMs: number,
  ) {}

  /** Whether there is a bound to how many may be under way. */
  get isBounded(): boolean {
    return this.atMost !== ANY
  }

  begin(now: number, party?: Party): void {
    this.underWay++
    if (party !== undefined) this.shares.add(party)
    this.since ??= now
  }

  /** `party`: as it was begun. */
  end(ms: number, party?: Party): void {
    this.underWay--
    if (party !== undefined) this.shares.remove(party)
    this.count++
    if (ms < this.fastest) this.fastest = ms
  }

  /** Whether there are too many under way to take one more; a party with less than its share of them has room yet, and always for one. */
  isFull(share: number, party?: Party): boolean {
    const whole = this.atMost * share
    return this.underWay >= whole && !(party !== undefined && this.shares.isBelow(party, whole))
  }

  look(now: number): void {
    const { since, count, fastest } = this
    if (since === undefined || now - since < WINDOW_MS) return
    // Slow answers are waited for: few answers are no sign of health.
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
    // Step by step: at once, all who were kept out would stand in a new line.
    this.atMost = this.underWay <= this.atMost / 2 ? ANY : MORE * this.atMost
  }

  private open(): void {
    this.standsSince = undefined
    this.atMost = ANY
  }

  /** The fastest answer that was seen of late. While there is a line, nobody sees what it would be without. */
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
