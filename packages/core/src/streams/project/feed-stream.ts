import type { Clock, Timers } from '../../ports/clock'
import type { Instant } from '../../shared/time'
import { MINUTE_MS } from '../../shared/time'
import { PulledStream, type StreamSource } from '../pulled-stream'
import { type Batches, type FeedPage, word } from './batches'
import type { FeedKinds } from './feed-change'
import { Pace } from './pace'

/** Milliseconds after which a reader without changes gets a newer cursor, because a cursor is valid for only one hour. */
const MARK_EVERY_MS = 5 * MINUTE_MS

/** Page that was read for one reader that resumes from a cursor. */
export interface Replayed {
  /** Page for the reader; undefined when it is empty, `gap` when the cursor is no longer valid. */
  readonly page: FeedPage | undefined
  /** Cursor from which the reader continues to read separately; undefined when the reader now uses the shared batches. */
  readonly rest: string | undefined
  /** Position in the shared batches at which the reader continues. */
  readonly joinsAt: number
}

/** Source of the pages of a feed's stream. */
interface FeedSource extends StreamSource {
  /** Id of the project. */
  readonly id: string
  readonly time: { readonly clock: Clock; readonly timers: Timers }
  /** Cursor up to which the shared reads have read. */
  readonly cursor: string
  readonly batches: Batches
  /** Reads a page for a reader that resumes from a cursor. Throws the errors of the storage. */
  replay(cursor: string, kinds: FeedKinds): Promise<Replayed>
  /** Counts a gap that was sent to a reader. */
  gapTold(): void
}

/**
 * Stream of one reader of a project's feed, with its position among the shared batches. A reader that is behind the oldest kept batch gets
 * a gap, and continues with new changes.
 */
export class FeedStream extends PulledStream<FeedPage, FeedSource> {
  /** Undefined, because backends read the feed. */
  readonly readerId = undefined
  private place = 0
  private greetings: FeedPage[] = []
  /** Storage cursor of a reader that resumes; undefined once the reader has caught up with the shared batches. */
  private rest: string | undefined
  private replayed: FeedPage | undefined
  /** Times of the recent messages to a reader that resumes; undefined when no message needs to wait. */
  private pace: Pace | undefined
  private toldAt: Instant
  private cancelWait: (() => void) | undefined

  constructor(
    /** API key that opened the stream; undefined for a reader without a key. */
    readonly keyId: string | undefined,
    /** Kinds of entities that the reader gets. */
    readonly kinds: FeedKinds,
    source: FeedSource,
  ) {
    super(source)
    this.toldAt = source.time.clock.now()
  }

  /** Project of the feed. */
  get projectId(): string {
    return this.source.id
  }

  /** Cursor at which the stream begins. */
  get beginsAt(): string {
    return this.greetings[0]?.cursor ?? ''
  }

  /** Whether the next message must be fetched from the storage first. */
  override get lags(): boolean {
    return !this.isOver && this.greetings.length === 0 && this.rest !== undefined && this.replayed === undefined
  }

  /** Starts with the given first messages, then continues with the shared batches from a position on. */
  begin(greetings: readonly FeedPage[], place: number): void {
    this.greetings = [...greetings]
    this.place = place
    this.awake()
  }

  /** Starts with the given first messages, then continues with the changes after a cursor of the storage. */
  resume(greetings: readonly FeedPage[], cursor: string): void {
    this.begin(greetings, 0)
    this.rest = cursor
  }

  /** Wakes a reader that waits for a change, or for the end of a pause. */
  override awake(): void {
    this.cancelWait?.()
    this.cancelWait = undefined
    super.awake()
  }

  protected take(): FeedPage | undefined {
    const page = this.greetings.shift() ?? this.takeRead()
    if (page === undefined) return undefined
    this.toldAt = this.source.time.clock.now()
    if (page.event === 'gap') this.source.gapTold()
    return page
  }

  protected override async readOn(): Promise<void> {
    const { rest } = this
    if (rest === undefined) return
    const replayed = await this.source.replay(rest, this.kinds)
    if (this.isOver) return
    this.replayed = replayed.page
    this.rest = replayed.rest
    this.place = replayed.joinsAt
  }

  protected override letGo(): void {
    this.greetings = []
    this.replayed = undefined
    super.letGo()
  }

  private takeRead(): FeedPage | undefined {
    const { replayed } = this
    if (replayed !== undefined) return this.inPace(replayed, () => (this.replayed = undefined))
    return this.rest === undefined ? this.takeShared() : undefined
  }

  private takeShared(): FeedPage | undefined {
    const { source } = this
    const { batches } = source
    if (this.place < batches.first) {
      this.place = batches.end
      this.pace = undefined
      return word('gap', source.cursor)
    }
    for (; this.place < batches.end; this.place++) {
      const page = batches.view(this.place, this.kinds)
      if (page !== undefined) return this.inPace(page, () => this.place++)
    }
    const isMarkDue = source.time.clock.now() >= this.toldAt + MARK_EVERY_MS
    return isMarkDue ? word('mark', source.cursor) : undefined
  }

  /**
   * Returns the page if it may be sent now; `done` records that the page was sent. Returns undefined if the page must wait, because one of
   * its entities was sent within the last `PACE_MS`.
   */
  private inPace(page: FeedPage, done: () => void): FeedPage | undefined {
    const { clock, timers } = this.source.time
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
}
