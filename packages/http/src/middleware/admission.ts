import { ServiceError } from '@matchyard/core'
import {
  type Clock,
  type NamesOf,
  quietly,
  requireKnownOptions,
  requireWholeNumber,
  type Timers,
} from '@matchyard/core/ports'
import { costOf } from '../fairness/cost'
import type { Party } from '../fairness/party'
import { Shares } from '../fairness/shares'
import type { IsTooLate, Turns } from '../turns'
import { AnswerTimes } from './answer-times'
import type { Load, Rank } from './load'

/** Options that decide when calls are refused because the service is overloaded. */
export interface AdmissionOptions {
  /** Milliseconds for which calls may wait until they begin, before the service counts as overloaded; default 50. */
  readonly delayMs?: number
  /**
   * Milliseconds for which the waits must be longer than `delayMs` before calls are refused; default 500. During a
   * shorter burst the service answers all calls, even if the answers are late.
   */
  readonly patienceMs?: number
  /**
   * Called at each refusal, for metrics and logs. The caller (`party`) is found without checking the credential. Errors
   * of this function are ignored.
   */
  readonly onRefused?: (rank: Rank, party: Party | undefined) => void
}

const NAMES: NamesOf<AdmissionOptions> = { delayMs: true, patienceMs: true, onRefused: true }

/**
 * Throws TypeError for an unknown option and for an invalid number, because a misspelled option must not disable the
 * refusal of calls.
 */
export function requireAdmission(options: AdmissionOptions | undefined): void {
  if (options === undefined) return
  requireKnownOptions('createApp, admission', options, Object.keys(NAMES))
  for (const name of ['delayMs', 'patienceMs'] as const) {
    requireWholeNumber('createApp, admission', name, options[name])
    if (options[name] === 0)
      throw new TypeError(`createApp, admission: ${name} must be at least 1; omit admission to refuse no calls`)
  }
}

export const DEFAULT_DELAY_MS = 50
export const DEFAULT_PATIENCE_MS = 500

/**
 * Milliseconds between two checks of how late the timers of this process are. Nothing is checked while no call runs or
 * waits.
 */
const BEAT_MS = 5
/**
 * Number of consecutive late checks that count as a queue. A single late check is a pause, such as a garbage collection
 * or a machine that slept.
 */
const LATE_BEATS = 4
/** Fraction of the tolerated delay. While calls are refused, an accepted call waits for at most this fraction. */
const WORKING_PART = 0.2
/** Milliseconds without a refusal after which the overload is over. */
const CALM_MS = 1_000
/**
 * Number of calls per `delayMs` that are accepted however long the delay is. On a machine that is busy with other
 * programs every check is late, and refusing all calls would not help.
 */
const ALWAYS = 8
/**
 * Fraction of an equal share. Calls of a caller that used less than this fraction are accepted in spite of the wait.
 * The fraction is below 1 because shares shrink while all calls are delayed.
 */
const SURE_PART = 0.5
/**
 * Fraction of the tolerated wait, and of the running calls, that calls of a rank may use. Calls that end something are
 * refused last, because they free capacity.
 */
const SHARE: Readonly<Record<Exclude<Rank, 'vital'>, number>> = { begins: 1, goesOn: 2, ends: 4 }
/**
 * Values of `retry-after` in seconds. Refusals use them in turn, so that callers that were refused together do not
 * retry together.
 */
const RETRY_AFTER_SECONDS = [1, 2, 3] as const

/** Returns the error for a call that was refused before it began, and that therefore changed nothing. */
export const tooMuchToDo = (retryAfterSeconds: number): ServiceError =>
  new ServiceError(
    'UNAVAILABLE',
    `the service is overloaded; try again in ${retryAfterSeconds} s`,
    {},
    undefined,
    retryAfterSeconds,
  )

/**
 * Decides which calls are begun. It measures delays, not the amount of work. The first delay is the time for which
 * calls wait for this process; the timers of the process are late by the same time. The second delay is the time for
 * which calls wait for each other in the storage: the fastest recent answer compared with the fastest answer without a
 * queue.
 *
 * The idea is that of the algorithm CoDel: a queue that stays is too long, and a queue that comes and goes is normal.
 * When the delay was too long for `patienceMs`, only calls with a short expected wait are accepted. All others are
 * refused at once, which costs little. The limits therefore need no tuning, and the refusals end with the overload.
 *
 * Meanwhile shares are fair (docs/adr/0130): a caller with less than an equal share of the accepted calls is not
 * refused because others wait.
 */
export class Admission {
  private readonly delayMs: number
  private readonly patienceMs: number
  private readonly workingMs: number
  private readonly onRefused: (rank: Rank, party: Party | undefined) => void
  private readonly times: Readonly<Record<Load['kind'], AnswerTimes>>
  /** Time at which the next check is due; undefined while no call runs or waits. */
  private lookAt: number | undefined
  private lateBeats = 0
  private inTimeAt = Number.NEGATIVE_INFINITY
  private refusedAt = Number.NEGATIVE_INFINITY
  private overloaded = false
  /** Number of calls that arrived during overload since `countedFrom`. */
  private taken = 0
  private countedFrom = Number.NEGATIVE_INFINITY
  private busy = false
  private refusals = 0
  /**
   * Calls accepted under overload, by caller: in the previous period, and in the current one, which began at
   * `sharesFrom`.
   */
  private sharesBefore = new Shares()
  private shares = new Shares()
  private sharesFrom = Number.NEGATIVE_INFINITY

  constructor(
    options: AdmissionOptions,
    private readonly clock: Clock,
    private readonly timers: Timers,
    private readonly line?: Pick<Turns, 'waitMs' | 'longestMs'>,
  ) {
    this.delayMs = options.delayMs ?? DEFAULT_DELAY_MS
    this.patienceMs = options.patienceMs ?? DEFAULT_PATIENCE_MS
    this.workingMs = Math.max(BEAT_MS, Math.ceil(WORKING_PART * this.delayMs))
    this.onRefused = options.onRefused ?? (() => {})
    const times = () => new AnswerTimes(this.delayMs, this.patienceMs)
    this.times = { read: times(), write: times() }
  }

  /** Whether a call was refused in the last second (`CALM_MS`). */
  isRefusing(now: number): boolean {
    return now - this.refusedAt < CALM_MS
  }

  /** Whether `enter` needs the caller of a call. While there is capacity for all calls, it does not. */
  isSharing({ kind }: Load): boolean {
    return this.overloaded || this.times[kind].isBounded
  }

  /**
   * Accepts or refuses a call. Returns undefined for an accepted call; `leave` must later be called with the same
   * `party`. Returns the seconds until a retry for a refused call. `party` is the caller, if it is known.
   */
  enter(load: Load, now: number, party?: Party): undefined | number {
    const { rank, kind, isTimed } = load
    this.busy = true
    if (this.lookAt === undefined) this.begin(now)
    if (rank === 'vital') return undefined
    const times = this.times[kind]
    const isLate = this.overloaded && this.taken++ >= ALWAYS && this.isTooLate(load, now, party)
    if (isLate || times.isFull(SHARE[rank], party)) return this.refuse(rank, now, party)
    if (this.overloaded && party !== undefined) this.shares.add(party)
    if (isTimed) times.begin(now, party)
    return undefined
  }

  /**
   * Records the end of an accepted call. `ms` is its duration, without the time that its caller chose to wait.
   * `bytesOut` is the length of its answer.
   */
  leave({ kind, isTimed, rank }: Load, ms: number, party?: Party, bytesOut = 0): void {
    if (isTimed && rank !== 'vital') this.times[kind].end(ms, party)
    const cost = costOf(bytesOut)
    if (cost > 0 && party !== undefined && this.overloaded) this.shares.add(party, cost)
  }

  /**
   * Whether the wait of a call is longer than tolerated at the moment. Such a call is refused, unless it is one of the
   * few that are accepted at any delay.
   */
  isTooLate({ rank }: Load, now: number, party?: Party): boolean {
    if (!this.overloaded || rank === 'vital') return false
    const lateMs = Math.max(this.lookLateMs(now), party === undefined ? 0 : (this.line?.waitMs(now, party) ?? 0))
    return lateMs > SHARE[rank] * this.workingMs && !this.isSure(party)
  }

  private lookLateMs(now: number): number {
    return now - (this.lookAt ?? now)
  }

  /** Whether a caller's calls are accepted in spite of the wait, because the caller had much less than its share. */
  private isSure(party: Party | undefined): boolean {
    if (party === undefined) return false
    return this.shares.isBelow(party, SURE_PART * this.sharesBefore.total, this.sharesBefore)
  }

  private refuse(rank: Rank, now: number, party: Party | undefined): number {
    this.refusedAt = now
    quietly(() => this.onRefused(rank, party))
    return RETRY_AFTER_SECONDS[this.refusals++ % RETRY_AFTER_SECONDS.length] ?? 1
  }

  private begin(now: number): void {
    this.inTimeAt = now
    this.lateBeats = 0
    this.beat(now)
  }

  private beat(now: number): void {
    this.busy = false
    this.lookAt = now + BEAT_MS
    this.timers.after(BEAT_MS, () => this.look(this.clock.now()))
  }

  private look(now: number): void {
    const lateMs = Math.max(this.lookLateMs(now), this.line?.longestMs(now) ?? 0)
    if (now - this.sharesFrom >= this.delayMs) {
      this.sharesFrom = now
      if (this.overloaded || this.shares.total > 0) {
        this.sharesBefore = this.shares
        this.shares = new Shares()
      }
    }
    if (lateMs <= this.workingMs || now - this.countedFrom >= this.delayMs) {
      this.countedFrom = now
      this.taken = 0
    }
    if (lateMs > this.delayMs) this.lateBeats++
    else {
      this.lateBeats = 0
      this.inTimeAt = now
    }
    if (this.lateBeats >= LATE_BEATS && now - this.inTimeAt >= this.patienceMs) {
      // The beginning of an overload counts as a refusal; otherwise the overload would be over at the next check.
      if (!this.overloaded) this.refusedAt = now
      this.overloaded = true
    } else if (!this.isRefusing(now)) this.overloaded = false
    for (const times of Object.values(this.times)) times.look(now)
    if (this.busy || this.times.read.underWay + this.times.write.underWay > 0) this.beat(now)
    else this.lookAt = undefined
  }
}

/**
 * Returns a function whose result is whether a call with this load would wait too long. Without admission, the function
 * always returns false.
 */
export const lateness =
  (admission: Admission | undefined, load: Load): IsTooLate =>
  (now, party) =>
    admission?.isTooLate(load, now, party) ?? false
