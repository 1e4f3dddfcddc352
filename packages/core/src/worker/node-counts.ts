import type { Service } from '../node/service'
import { type HistoryValue, historySlot, minuteCell } from '../ports/storage/index'
import { type Instant, MINUTE_MS, SECOND_MS } from '../shared/time'
import type { StreamsOfProject } from '../streams/index'
import { inTime } from './in-time'

/** Maximum number of rows that one commit adds. */
export const COUNTED_AT_ONCE = 1_000
/** Milliseconds after the end of a minute for which counts belong to that minute. Counts that are written later belong to the present minute. */
const LATE_MS = 30 * SECOND_MS

/** Maximum milliseconds for which a stop waits for the last counts. */
const LAST_WITHIN_MS = 2 * SECOND_MS

/** Returns the time of the next commit of counts: the start of the next minute. */
export const nextCountAt = (now: Instant): Instant => historySlot(now, MINUTE_MS) + MINUTE_MS

/** Counts that are being written. The id of their commit stays the same, so that they are added once. */
interface Written {
  readonly commitId: string
  readonly values: readonly HistoryValue[]
}

/**
 * Adds the figures that only this node knows to the history, once a minute: its refused calls, and a sample of its open streams. Other
 * nodes add theirs to the same rows. A node that dies loses the refusals since its last commit, at most those of about a minute.
 */
export class NodeCounts {
  private pending: Written[] = []
  private sampled: Instant | undefined
  private running: Promise<void> | undefined

  constructor(
    private readonly ctx: Service,
    private readonly streams: () => readonly StreamsOfProject[],
  ) {}

  /** Writes what is counted, and nothing when nothing is. Rejects when the storage fails; the next call continues. */
  write(): Promise<void> {
    this.running ??= this.writeAll().finally(() => {
      this.running = undefined
    })
    return this.running
  }

  /** Writes what is counted. Returns the time of the next run. */
  async look(): Promise<Instant> {
    await this.write()
    return nextCountAt(this.ctx.clock.now())
  }

  /** Writes what is counted within LAST_WITHIN_MS, and logs a failure. For a node that stops: a storage that does not answer delays no stop. */
  async writeLast(): Promise<void> {
    const { timers, logger } = this.ctx
    // A commit that runs lacks the refusals that were counted since it began.
    const last = (this.running ?? Promise.resolve()).catch(() => {}).then(() => this.write())
    const failed = (error: unknown) =>
      logger.warn('the last refusals could not be added to the history', { error: String(error) })
    last.catch(() => {})
    await inTime(timers, last, LAST_WITHIN_MS).catch(failed)
  }

  private async writeAll(): Promise<void> {
    if (this.pending.length > 0) await this.writePending()
    this.pending = this.taken()
    await this.writePending()
  }

  private async writePending(): Promise<void> {
    const { clock, storage } = this.ctx
    for (let next = this.pending[0]; next !== undefined; next = this.pending[0]) {
      const at = clock.now()
      // A sample that could not be written in its minute is left out, because the next minute has a sample of its own.
      const isLate = historySlot(at - LATE_MS, MINUTE_MS) !== this.sampled
      const values = isLate ? next.values.filter(({ series }) => series !== 'streams') : next.values
      const history = values.map((value) => minuteCell(at - LATE_MS, value))
      const none = { checks: [], writes: [], counters: [], events: [], jobs: [] }
      if (history.length > 0) await storage.commit({ ...none, id: next.commitId, at, history })
      this.pending.shift()
    }
  }

  private taken(): Written[] {
    const { counts, leftOut } = this.ctx.node.refusals.take()
    if (leftOut > 0) this.ctx.logger.warn('refused calls are left out of the history', { calls: leftOut })
    const values: HistoryValue[] = counts.map(({ projectId, code, count }) => ({
      ...{ projectId, queueId: '', series: 'refusals', key: code },
      ...{ count, sum: 0, most: 0 },
    }))
    values.push(...this.sampleOfStreams())
    const written: Written[] = []
    for (let from = 0; from < values.length; from += COUNTED_AT_ONCE)
      written.push({ commitId: this.ctx.ids.next('cmt'), values: values.slice(from, from + COUNTED_AT_ONCE) })
    return written
  }

  /** Returns at most one sample for each minute. */
  private sampleOfStreams(): HistoryValue[] {
    const minute = historySlot(this.ctx.clock.now() - LATE_MS, MINUTE_MS)
    if (this.sampled === minute) return []
    this.sampled = minute
    return this.streams().map(({ projectId, side, open }) => ({
      ...{ projectId, queueId: '', series: 'streams', key: side },
      ...{ count: 1, sum: open, most: open },
    }))
  }
}
