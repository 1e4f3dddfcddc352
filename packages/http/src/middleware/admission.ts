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

/** When calls are refused because there is more to do than can be done. */
export interface AdmissionOptions {
  /** How long calls wait for their turn, in milliseconds, before there is too much to do; default 50. */
  readonly delayMs?: number
  /** For how long on end, in milliseconds: a burst that is shorter is answered, however late; default 500. */
  readonly patienceMs?: number
  /** Called at each refusal, for metrics and logs; the party is known without judging the credential. An error of this function is ignored. */
  readonly onRefused?: (rank: Rank, party: Party | undefined) => void
}

const NAMES: NamesOf<AdmissionOptions> = { delayMs: true, patienceMs: true, onRefused: true }

/** Throws TypeError for an unknown option and for an invalid number: a misspelled option must not disable the refusal of calls. */
export function requireAdmission(options: AdmissionOptions | undefined): void {
  if (options === undefined) return
  requireKnownOptions('createApp, admission', options, Object.keys(NAMES))
  for (const name of ['delayMs', 'patienceMs'] as const) {
    requireWholeNumber('createApp, admission', name, options[name])
    if (options[name] === 0)
      throw new TypeError(`createApp, admission: ${name} is at least 1; leave admission out to refuse nobody`)
  }
}

export const DEFAULT_DELAY_MS = 50
export const DEFAULT_PATIENCE_MS = 500

/** Between looks at how late this process is. Nothing is looked at while there is nothing to do. */
const BEAT_MS = 5
/** Looks in a row that came too late: one alone is a pause (a collection of garbage, a machine that slept), and no queue. */
const LATE_BEATS = 4
/** While calls are refused, accepted calls wait at most this fraction of the tolerated delay. */
const WORKING_PART = 0.2
/** After so long without a refusal it is over. */
const CALM_MS = 1_000
/** Taken in `delayMs` however late it is: on a machine that others keep busy each look is late, and refusing all would help nobody. */
const ALWAYS = 8
/** A party that was begun less than this part of an equal share is not late, whatever the others wait for; shares shrink while all are. */
const SURE_PART = 0.5
/** Share of the tolerated wait, or of the calls under way, by rank: work that ends something is refused last, because it frees capacity. */
const SHARE: Readonly<Record<Exclude<Rank, 'vital'>, number>> = { begins: 1, goesOn: 2, ends: 4 }
/** Seconds after which to come again, in turn, so that those who were refused together do not come together. */
const RETRY_AFTER_SECONDS = [1, 2, 3] as const

/** The refusal of a call that was not begun; nothing was done. */
export const tooMuchToDo = (retryAfterSeconds: number): ServiceError =>
  new ServiceError(
    'UNAVAILABLE',
    `the service is overloaded; try again in ${retryAfterSeconds} s`,
    {},
    undefined,
    retryAfterSeconds,
  )

/**
 * Decides which calls are begun. It measures delay, not the amount of work: the time for which calls wait for this process (its own timers are
 * late by the same time), and the time for which they wait for each other in the storage (the recent fastest answer beside the fastest without
 * a queue). After CoDel: a queue that stands is too long, one that comes and goes is what queues are for. After too much load for too long,
 * each call is accepted where its wait will be short, and otherwise refused at once, at a small part of its cost; so nothing needs tuning, and
 * it ends with the load. Meanwhile shares are fair (docs/adr/0130): a caller with less than an equal share of the accepted calls is not refused
 * for the waits of others.
 */
export class Admission {
  private readonly delayMs: number
  private readonly patienceMs: number
  private readonly workingMs: number
  private readonly onRefused: (rank: Rank, party: Party | undefined) => void
  private readonly times: Readonly<Record<Load['kind'], AnswerTimes>>
  /** When the next look is due; undefined while there is nothing to do. */
  private lookAt: number | undefined
  private lateBeats = 0
  private inTimeAt = Number.NEGATIVE_INFINITY
  private refusedAt = Number.NEGATIVE_INFINITY
  private overloaded = false
  /** Since `countedFrom`. */
  private taken = 0
  private countedFrom = Number.NEGATIVE_INFINITY
  private busy = false
  private refusals = 0
  /** Shares of the accepted calls under overload: in the previous period, and since `sharesFrom`. */
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

  /** Whether calls were refused of late. */
  isRefusing(now: number): boolean {
    return now - this.refusedAt < CALM_MS
  }

  /** Whether it matters whose a call is. While there is room for all, it does not. */
  isSharing({ kind }: Load): boolean {
    return this.overloaded || this.times[kind].isBounded
  }

  /**
   * Accepts or refuses a call. Returns undefined for an accepted one, which must `leave` with the same party; else the seconds until a retry.
   * `party`: the caller's party, where known.
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

  /** `ms`: how long it took, without what its caller chose to wait. `bytesOut`: how long its answer is. */
  leave({ kind, isTimed, rank }: Load, ms: number, party?: Party, bytesOut = 0): void {
    if (isTimed && rank !== 'vital') this.times[kind].end(ms, party)
    const cost = costOf(bytesOut)
    if (cost > 0 && party !== undefined && this.overloaded) this.shares.add(party, cost)
  }

  /** Whether a call would have to wait for longer than is borne now: it is refused, unless it is one of the few that are taken anyhow. */
  isTooLate({ rank }: Load, now: number, party?: Party): boolean {
    if (!this.overloaded || rank === 'vital') return false
    const lateMs = Math.max(this.lookLateMs(now), party === undefined ? 0 : (this.line?.waitMs(now, party) ?? 0))
    return lateMs > SHARE[rank] * this.workingMs && !this.isSure(party)
  }

  private lookLateMs(now: number): number {
    return now - (this.lookAt ?? now)
  }

  /** Whether a party is begun anyhow: it had much less than its share. */
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
      // As if it had refused: else it would be over at once.
      if (!this.overloaded) this.refusedAt = now
      this.overloaded = true
    } else if (!this.isRefusing(now)) this.overloaded = false
    for (const times of Object.values(this.times)) times.look(now)
    if (this.busy || this.times.read.underWay + this.times.write.underWay > 0) this.beat(now)
    else this.lookAt = undefined
  }
}

/** Whether a call of this load would have to wait for too long; none does where every call is begun. */
export const lateness =
  (admission: Admission | undefined, load: Load): IsTooLate =>
  (now, party) =>
    admission?.isTooLate(load, now, party) ?? false
