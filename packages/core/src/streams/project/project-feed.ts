import type { Context } from '../../context/context'
import { openCursor, sealCursor } from '../../context/sealed-cursor'
import { CHANGE_KINDS, type ChangeKind, type Changes } from '../../ports/storage/index'
import { byteSize, type JsonValue } from '../../shared/json'
import { type Instant, SECOND_MS } from '../../shared/time'
import { PAGE } from '../stream-limits'
import type { Turns } from '../turns'
import { type FeedChange, type FeedKinds, feedChanges } from './feed-change'
import type { FeedSource, FeedStream, Replayed } from './feed-stream'
import { PACE_MS, Pace } from './pace'
import { type FeedPage, RecentBatches, type RecentBytes } from './recent-batches'

const BOUNDS = { limit: PAGE.events, maxBytes: PAGE.bytes }
/** How soon a reading that failed is made again: nothing was passed over. */
const READ_AGAIN_MS = SECOND_MS

/** One project's changes, read once for all of its readers, ten times a second at the most. */
export class ProjectFeed implements FeedSource {
  readonly streams = new Set<FeedStream>()
  readonly recent: RecentBatches
  cursor = ''
  /** The storage's own; `cursor` is the same for readers. */
  private at: string | undefined
  private readonly pace: Pace
  /** One reading at a time, so that nobody who joins the others is told of what is older than what it was told. */
  private lane: Promise<unknown> = Promise.resolve()
  private wanted = false
  private reading = false
  private foundSome = false
  /** From this place on the batches tell of all kinds. */
  private wholeFrom = 0
  private ended = false
  private stopWaiting: (() => void) | undefined

  constructor(
    private readonly ctx: Context,
    readonly project: { readonly id: string; readonly accountId: string },
    kept: RecentBytes,
    private readonly turns: Turns,
  ) {
    this.recent = new RecentBatches(kept)
    this.pace = new Pace(ctx.clock)
  }

  /** A stream begins: with what changes from here on, or after a cursor that it brings. Throws what the storage throws. */
  async begin(stream: FeedStream, sealed: string | undefined): Promise<void> {
    await this.alone(async () => {
      if (this.at === undefined) this.standAt(await this.ctx.storage.changes.now())
      // Before the next reading begins: what that reads is read for this stream's kinds too.
      this.greet(stream, sealed)
    })
    // What was written before anybody listened had its signal then.
    this.wake()
  }

  /** Something may have changed. */
  wake(): void {
    this.wanted = true
    if (this.reading || this.at === undefined) return
    this.reading = true
    void this.readOn()
  }

  async replay(cursor: string, kinds: FeedKinds): Promise<Replayed> {
    return this.alone(async () => {
      const read = await this.readAfter(cursor)
      const joinsAt = this.recent.end
      if (read.startedOver) return { page: gapAt(this.cursor), rest: undefined, joinsAt }
      const changes = await feedChanges(this.ctx, this.project.id, read.changes, kinds)
      const [before, after] = [this.seal(cursor), this.seal(read.cursor)]
      const page: FeedPage = { event: 'change', changes, before, cursor: after, source: {} }
      return { page: changes.length === 0 ? undefined : page, rest: read.more ? read.cursor : undefined, joinsAt }
    })
  }

  /** Ends every stream: the project is gone, or the service. */
  end(): void {
    this.ended = true
    this.stopWaiting?.()
    for (const stream of [...this.streams]) stream.close()
    this.recent.clear()
  }

  private greet(stream: FeedStream, sealed: string | undefined): void {
    const { recent, cursor } = this
    const hello = (at: string): FeedPage => ({ event: 'hello', cursor: at, source: {} })
    const known = sealed === undefined || sealed === cursor ? recent.end : this.placeAfter(sealed)
    const brought = sealed === undefined ? undefined : openCursor(this.ctx.tokens, this.project.id, sealed)
    if (known !== undefined) stream.begin([hello(sealed ?? cursor)], known)
    else if (brought !== undefined) stream.resume([hello(sealed ?? cursor)], brought)
    // Who is cut off before the gap comes back with what it brought, and is told of it then.
    else stream.begin([hello(nameable(sealed)), gapAt(cursor)], recent.end)
  }

  /** Of what was read while nobody wanted all kinds, parts are not among the batches. */
  private placeAfter(sealed: string): number | undefined {
    const place = this.recent.after(sealed)
    return place !== undefined && place >= this.wholeFrom ? place : undefined
  }

  private async readOn(): Promise<void> {
    while (this.wanted && !this.ended) {
      this.wanted = false
      try {
        this.foundSome = false
        while (!this.ended && (await this.alone(() => this.readPage()))) {}
        // After a quiet time what comes next is told at once.
        if (this.foundSome) await this.until(this.ctx.clock.now() + PACE_MS)
      } catch (error) {
        this.ctx.logger.warn('a feed could not be read', { project_id: this.project.id, error: String(error) })
        this.wanted = true
        await this.until(this.ctx.clock.now() + READ_AGAIN_MS)
      }
    }
    // In the turn in which nothing was wanted: who wants something a turn later begins anew.
    this.reading = false
  }

  /** Reads a page for everybody; answers whether more is ready. */
  private async readPage(): Promise<boolean> {
    const { ctx, project, at, cursor: before } = this
    if (at === undefined || this.ended) return false
    const read = await this.readAfter(at)
    if (read.startedOver || read.changes.length > 0) this.foundSome = true
    if (read.startedOver) {
      // What was told may never have been.
      this.standAt(await ctx.storage.changes.now())
      this.add(undefined, before)
      return false
    }
    const wanted = this.kindsWanted()
    const changes = await feedChanges(ctx, project.id, read.changes, wanted)
    await this.until(this.pace.dueAt(changes))
    this.standAt(read.cursor)
    this.pace.note(changes)
    if (changes.length > 0) this.add(changes, before)
    else for (const stream of this.streams) stream.awake()
    // Where nothing of it was wanted there is no batch: then the place after the batch before it is not a place after this reading.
    const isPart = wanted.size < CHANGE_KINDS.length && read.changes.length > 0
    if (isPart) this.wholeFrom = this.recent.end + (changes.length > 0 ? 0 : 1)
    return read.more
  }

  private add(changes: readonly FeedChange[] | undefined, before: string): void {
    if (this.ended) return
    const bytes = (changes ?? []).reduce((sum, { data }) => sum + byteSize(data as unknown as JsonValue), 0)
    this.recent.add({ before, cursor: this.cursor, changes, bytes })
    for (const stream of this.streams) stream.awake()
  }

  private readAfter(cursor: string): Promise<Changes> {
    return this.turns.run(() => this.ctx.storage.changes.since(this.project.id, cursor, BOUNDS))
  }

  private kindsWanted(): FeedKinds {
    const wanted = new Set<ChangeKind>()
    for (const { kinds } of this.streams) for (const kind of kinds) wanted.add(kind)
    return wanted
  }

  private standAt(cursor: string): void {
    if (cursor === this.at) return
    this.at = cursor
    this.cursor = this.seal(cursor)
  }

  private seal(cursor: string): string {
    return sealCursor(this.ctx.tokens, this.project.id, cursor)
  }

  private alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.lane.then(work)
    this.lane = done.catch(() => {})
    return done
  }

  private async until(instant: Instant): Promise<void> {
    for (;;) {
      const waitMs = instant - this.ctx.clock.now()
      if (waitMs <= 0 || this.ended) return
      await new Promise<void>((resolve) => {
        const cancel = this.ctx.timers.after(waitMs, resolve)
        this.stopWaiting = () => {
          cancel()
          resolve()
        }
      })
    }
  }
}

/** What a reader brought, where it can stand in a line; whatever is said instead is no cursor either. */
const nameable = (sealed = ''): string => (/^[\x21-\x7e]{1,4000}$/.test(sealed) ? sealed : 'unknown')

const gapAt = (cursor: string): FeedPage => ({ event: 'gap', cursor, source: {} })
