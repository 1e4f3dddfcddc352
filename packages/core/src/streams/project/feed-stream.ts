import type { Clock, Timers } from '../../ports/clock'
import type { Instant } from '../../shared/time'
import { MINUTE_MS } from '../../shared/time'
import { PulledStream } from '../pulled-stream'
import type { WaitingBytes } from '../waiting-bytes'
import type { FeedKinds } from './feed-change'
import { Pace } from './pace'
import type { FeedPage, RecentBatches } from './recent-batches'

/** How old a reader's cursor may get while it is told nothing: it is kept for an hour only. */
const MARK_EVERY_MS = 5 * MINUTE_MS

/** What was read for one reader who comes back. */
export interface Replayed {
  /** What it is told; undefined where that is nothing, `gap` where its cursor does not hold any more. */
  readonly page: FeedPage | undefined
  /** Where it goes on reading for itself; undefined where it joins the others. */
  readonly rest: string | undefined
  /** The place at which it joins. */
  readonly joinsAt: number
}

/** Where a stream's pages come from. */
export interface FeedSource {
  readonly recent: RecentBatches
  /** A cursor of what was read for everybody. */
  readonly cursor: string
  /** Reads a page for a reader who comes back. Throws what the storage throws. */
  replay(cursor: string, kinds: FeedKinds): Promise<Replayed>
}

interface Node {
  readonly clock: Clock
  readonly timers: Timers
  readonly waiting: WaitingBytes
  /** Told of each gap that a reader is told of. */
  readonly onGap: () => void
}

/**
 * One reader of a project's feed. It holds no messages, only its place among the batches that all readers share; of what is kept no more when it
 * comes to it, it is told that there is a gap, and goes on with what is new.
 */
export class FeedStream extends PulledStream<FeedPage> {
  private place = 0
  private greetings: FeedPage[] = []
  /** The storage's cursor of a reader who comes back, until it has read what the others have. */
  private rest: string | undefined
  private replayed: FeedPage | undefined
  /** What it was told by itself, until that is long ago. */
  private pace: Pace | undefined
  private toldAt: Instant
  private cancelWait: (() => void) | undefined

  readonly projectId: string
  readonly keyId: string | undefined
  readonly readerId = undefined

  constructor(
    of: { readonly projectId: string; readonly keyId: string | undefined },
    readonly kinds: FeedKinds,
    private readonly source: FeedSource,
    private readonly node: Node,
  ) {
    super()
    this.projectId = of.projectId
    this.keyId = of.keyId
    this.toldAt = node.clock.now()
  }

  /** Where it begins. */
  get beginsAt(): string {
    return this.greetings[0]?.cursor ?? ''
  }

  get lags(): boolean {
    return !this.isOver && this.greetings.length === 0 && this.rest !== undefined && this.replayed === undefined
  }

  /** What comes first, and then what everybody is told from a place on. */
  begin(greetings: readonly FeedPage[], place: number): void {
    this.greetings = [...greetings]
    this.place = place
    this.awake()
  }

  /** What comes first, and then what changed since the storage's cursor. */
  resume(greetings: readonly FeedPage[], cursor: string): void {
    this.begin(greetings, 0)
    this.rest = cursor
  }

  async next(): Promise<FeedPage | undefined> {
    for (;;) {
      const page = this.take()
      if (page !== undefined) {
        this.toldAt = this.node.clock.now()
        if (page.event === 'gap') this.node.onGap()
        return page
      }
      if (this.isOver) return undefined
      if (this.lags) await this.fill()
      else await this.sleep()
    }
  }

  async fill(): Promise<void> {
    const { rest } = this
    if (rest === undefined) return
    try {
      const replayed = await this.source.replay(rest, this.kinds)
      if (this.isOver) return
      this.replayed = replayed.page
      this.rest = replayed.rest
      this.place = replayed.joinsAt
    } catch {
      // The reader resumes by its last id.
      this.close()
    }
  }

  /** There is something new, or time has passed. */
  override awake(): void {
    this.cancelWait?.()
    this.cancelWait = undefined
    super.awake()
  }

  waits(chunk: object, chunkBytes: number, ownBytes: number): void {
    if (!this.isOver) this.node.waiting.add(this, chunk, chunkBytes, ownBytes)
  }

  goesOn(): void {
    this.node.waiting.remove(this)
  }

  protected override letGo(): void {
    this.greetings = []
    this.replayed = undefined
    super.letGo()
  }

  private take(): FeedPage | undefined {
    if (this.isOver) return undefined
    const greeting = this.greetings.shift()
    if (greeting !== undefined) return greeting
    const { replayed } = this
    if (replayed !== undefined) return this.inPace(replayed, () => (this.replayed = undefined))
    return this.rest === undefined ? this.takeShared() : undefined
  }

  private takeShared(): FeedPage | undefined {
    const { recent } = this.source
    if (this.place < recent.first) {
      this.place = recent.end
      this.pace = undefined
      return { event: 'gap', cursor: this.source.cursor, source: {} }
    }
    while (this.place < recent.end) {
      const page = recent.view(this.place, this.kinds)
      if (page !== undefined) return this.inPace(page, () => this.place++)
      this.place++
    }
    return this.markIfDue()
  }

  /** A page that is told now, and passed by `done`; undefined where it has to wait, for it tells of what was just told of. */
  private inPace(page: FeedPage, done: () => void): FeedPage | undefined {
    const { clock, timers } = this.node
    const changes = page.event === 'change' ? page.changes : []
    if (this.replayed !== undefined) this.pace ??= new Pace(clock)
    else if (this.pace?.isOver === true) this.pace = undefined
    const waitMs = (this.pace?.dueAt(changes) ?? 0) - clock.now()
    if (waitMs > 0) {
      this.cancelWait ??= timers.after(waitMs, () => this.awake())
      return undefined
    }
    this.pace?.note(changes)
    done()
    return page
  }

  private markIfDue(): FeedPage | undefined {
    const isDue = this.node.clock.now() >= this.toldAt + MARK_EVERY_MS
    return isDue ? { event: 'mark', cursor: this.source.cursor, source: {} } : undefined
  }
}
