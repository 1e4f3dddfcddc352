import type { KeyedQueue } from '../../node/keyed-queue'
import type { Service } from '../../node/service'
import type { ChangeKind, Changes } from '../../ports/storage/index'
import { type Instant, SECOND_MS } from '../../shared/time'
import { openCursor, sealCursor } from '../../tokens/sealed-cursor'
import { Followed } from '../follower'
import type { RecentPages } from '../recent-pages'
import { PAGE } from '../stream-limits'
import type { Turns } from '../turns'
import type { WaitingBytes } from '../waiting-bytes'
import { Batch, Batches, pageOf, word } from './batches'
import { type FeedChange, type FeedKinds, feedChanges } from './feed-change'
import type { FeedStream, Replayed } from './feed-stream'
import { PACE_MS, Pace } from './pace'

const BOUNDS = { limit: PAGE.events, maxBytes: PAGE.bytes }
/** Milliseconds after which a failed read is repeated. No change is skipped. */
const READ_AGAIN_MS = SECOND_MS

/** Text of the log line for a project whose changes could not be read. */
export const UNREAD = { text: 'a feed could not be read', id: 'project_id' }

/** Objects that the logs of all projects on a node share. */
export interface OfAllProjects {
  readonly ctx: Service
  readonly recent: RecentPages<Batch>
  readonly waiting: WaitingBytes
  /** Queues of reads: `turns` bounds the number of concurrent reads; `lanes` makes the reads of one project run one after another. */
  readonly turns: Turns
  readonly lanes: KeyedQueue
  readonly gapTold: () => void
}

/** Changes of one project, in batches with positions. One read, at most ten times a second, serves all readers. */
export class ProjectLog extends Followed<FeedStream> {
  cursor = ''
  readonly batches: Batches
  /** Cursor of the storage. `cursor` is the signed form of it that readers get. */
  private at: string | undefined
  private readonly pace: Pace
  private ended = false
  private stopWaiting: (() => void) | undefined

  constructor(
    private readonly shared: OfAllProjects,
    projectId: string,
  ) {
    super(projectId)
    this.pace = new Pace(shared.ctx.clock)
    this.batches = new Batches(projectId, shared.recent)
  }

  get time(): Service {
    return this.shared.ctx
  }

  get waiting(): WaitingBytes {
    return this.shared.waiting
  }

  gapTold(): void {
    this.shared.gapTold()
  }

  /** Starts a stream at the current state, or after the cursor that its reader sent. Throws the errors of the storage. */
  async begin(stream: FeedStream, sealed: string | undefined): Promise<void> {
    await this.alone(async () => {
      if (this.at === undefined) this.standAt(await this.shared.ctx.storage.changes.now())
      // The stream is added before the next read, so that the read includes the kinds of this stream.
      this.greet(stream, sealed)
    })
    // The signals of earlier changes may have arrived before the stream was added, so one read is made now.
    void this.run()
  }

  async replay(cursor: string, kinds: FeedKinds): Promise<Replayed> {
    return this.alone(async () => {
      const read = await this.readAfter(cursor)
      const joinsAt = this.batches.end
      if (read.startedOver) return { page: word('gap', this.cursor), rest: undefined, joinsAt }
      const changes = await feedChanges(this.shared.ctx, this.id, read.changes, kinds)
      const page = pageOf(changes, this.seal(cursor), this.seal(read.cursor))
      return { page, rest: read.more ? read.cursor : undefined, joinsAt }
    })
  }

  /** Stops the reads, because the project has no readers left. */
  stop(): void {
    this.ended = true
    this.stopWaiting?.()
    this.batches.forget()
  }

  protected async once(): Promise<boolean> {
    const { clock, logger } = this.shared.ctx
    try {
      let foundSome = false
      for (let more = true; more; ) {
        const page = await this.alone(() => this.readPage())
        foundSome ||= page.foundSome
        more = page.more
      }
      // The next read waits only after a read that found changes. The first change after a quiet period is thus sent at once.
      if (foundSome) await this.until(clock.now() + PACE_MS)
      return false
    } catch (error) {
      logger.warn(UNREAD.text, { [UNREAD.id]: this.id, error: String(error) })
      await this.until(clock.now() + READ_AGAIN_MS)
      return true
    }
  }

  private greet(stream: FeedStream, sealed: string | undefined): void {
    const { batches, cursor } = this
    const { end } = batches
    const known = sealed === undefined || sealed === cursor ? end : batches.after(sealed)
    const brought = sealed === undefined ? undefined : openCursor(this.shared.ctx.tokens, this.id, sealed)
    if (known !== undefined) stream.begin([word('hello', sealed ?? cursor)], known)
    else if (brought !== undefined) stream.resume([word('hello', sealed ?? cursor)], brought)
    // A reader that disconnects before it gets the gap returns with its old cursor, and then gets the gap.
    else stream.begin([word('hello', nameable(sealed)), word('gap', cursor)], end)
  }

  /** Reads a page for all readers. Returns whether the page had changes, and whether another page can be read now. */
  private async readPage(): Promise<{ readonly foundSome: boolean; readonly more: boolean }> {
    const { at, cursor: before } = this
    const { ctx } = this.shared
    if (at === undefined || this.ended) return { foundSome: false, more: false }
    const read = await this.readAfter(at)
    if (read.startedOver) {
      // Messages that were sent before may contain commits that the database has lost, so every reader gets a gap.
      this.standAt(await ctx.storage.changes.now())
      this.add(undefined, before)
      return { foundSome: true, more: false }
    }
    const wanted = kindsWanted(this.streams)
    const changes = await feedChanges(ctx, this.id, read.changes, wanted)
    await this.until(this.pace.dueAt(changes))
    this.standAt(read.cursor)
    this.pace.note(changes)
    this.add(changes, before)
    if (read.changes.length > 0) this.batches.wasRead(wanted, changes.length > 0)
    return { foundSome: read.changes.length > 0, more: read.more }
  }

  /** Adds a batch and wakes the readers. If `changes` is undefined, every reader gets a gap. An empty list adds no batch. */
  private add(changes: readonly FeedChange[] | undefined, before: string): void {
    if (this.ended) return
    if (changes?.length !== 0) this.batches.add(new Batch(before, this.cursor, changes))
    for (const stream of this.streams) stream.awake()
  }

  private readAfter(cursor: string): Promise<Changes> {
    const { storage } = this.shared.ctx
    return this.shared.turns.run(() => storage.changes.since(this.id, cursor, BOUNDS))
  }

  private standAt(cursor: string): void {
    if (cursor === this.at) return
    this.at = cursor
    this.cursor = this.seal(cursor)
  }

  private seal(cursor: string): string {
    return sealCursor(this.shared.ctx.tokens, this.id, cursor)
  }

  /** Runs the reads of a project one after another, so that no reader gets a page that is older than its previous page. */
  private alone<T>(work: () => Promise<T>): Promise<T> {
    return this.shared.lanes.run(this.id, work)
  }

  private async until(instant: Instant): Promise<void> {
    const { clock, timers } = this.shared.ctx
    for (let waitMs = instant - clock.now(); waitMs > 0 && !this.ended; waitMs = instant - clock.now()) {
      await new Promise<void>((resolve) => {
        const cancel = timers.after(waitMs, resolve)
        this.stopWaiting = () => {
          cancel()
          resolve()
        }
      })
    }
  }
}

function kindsWanted(streams: Iterable<FeedStream>): FeedKinds {
  const wanted = new Set<ChangeKind>()
  for (const { kinds } of streams) for (const kind of kinds) wanted.add(kind)
  return wanted
}

/**
 * Returns the reader's cursor if it fits into one line of the event stream, and otherwise `unknown`. A text that does not fit cannot be a
 * cursor.
 */
const nameable = (sealed = ''): string => (/^[\x21-\x7e]{1,4000}$/.test(sealed) ? sealed : 'unknown')
