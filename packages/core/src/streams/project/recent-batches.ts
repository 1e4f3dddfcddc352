import type { FeedChange, FeedKinds } from './feed-change'

/** What a reader of a feed is given at once: changes, or one word. `source` is one object for all who are given the same. */
export type FeedPage =
  | ({ readonly event: 'change'; readonly changes: readonly FeedChange[]; readonly before: string } & Told)
  /** `mark`: nothing new, but a younger cursor. */
  | ({ readonly event: 'hello' | 'gap' | 'mark' } & Told)

interface Told {
  /** The reader goes on from here once it has it all; from `before` while it has only a part. */
  readonly cursor: string
  readonly source: object
}

/** What one reading of a project's changes brought; no changes at all is a gap for everybody. */
export interface Batch {
  readonly before: string
  readonly cursor: string
  readonly changes: readonly FeedChange[] | undefined
  readonly bytes: number
}

/** Choices of kinds for which a page is made once; those of others are made for each reader. */
const SHARED_VIEWS = 4
/** What a batch takes beside its texts, about. */
const BATCH_OVERHEAD_BYTES = 512

/** The newest batches of a project, by their places, which are counted from when the feed was opened. */
export class RecentBatches {
  /** The place of the oldest that is kept. */
  first = 0
  private bytes = 0
  private readonly kept: { readonly batch: Batch; readonly views: Map<string, FeedPage | undefined> }[] = []

  constructor(private readonly node: RecentBytes) {}

  /** The place of the next one. */
  get end(): number {
    return this.first + this.kept.length
  }

  at(place: number): Batch | undefined {
    return this.kept[place - this.first]?.batch
  }

  /** The place after the batch that ends at a cursor. */
  after(cursor: string): number | undefined {
    const index = this.kept.findLastIndex(({ batch }) => batch.cursor === cursor)
    return index === -1 ? undefined : this.first + index + 1
  }

  add(batch: Batch): void {
    this.kept.push({ batch, views: new Map() })
    this.bytes += batch.bytes + BATCH_OVERHEAD_BYTES
    this.node.add(this, batch.bytes + BATCH_OVERHEAD_BYTES)
    while (this.kept.length > 1 && this.bytes > this.node.maxBytesPerFeed) this.node.forgetOldestOf(this)
  }

  /** What readers of these kinds see of a batch; undefined where that is nothing. */
  view(place: number, kinds: FeedKinds): FeedPage | undefined {
    const entry = this.kept[place - this.first]
    if (entry === undefined) return undefined
    const { batch, views } = entry
    const key = [...kinds].sort().join()
    if (views.has(key)) return views.get(key)
    const { before, cursor } = batch
    const changes = batch.changes?.filter(({ kind }) => kinds.has(kind))
    const page: FeedPage | undefined =
      changes === undefined
        ? { event: 'gap', cursor, source: {} }
        : changes.length === 0
          ? undefined
          : { event: 'change', changes, before, cursor, source: {} }
    if (views.size < SHARED_VIEWS) views.set(key, page)
    return page
  }

  /** For `RecentBytes` alone. */
  shift(): void {
    this.bytes -= (this.kept.shift()?.batch.bytes ?? 0) + BATCH_OVERHEAD_BYTES
    this.first++
  }

  /** Nobody reads them any more. */
  clear(): void {
    while (this.kept.length > 0) this.node.forgetOldestOf(this)
  }
}

/** The batches that all feeds of a node keep for readers who are a moment behind: bounded in bytes, and the oldest go first. */
export class RecentBytes {
  private bytes = 0
  /** Oldest first. */
  private readonly all = new Set<{ readonly of: RecentBatches; readonly bytes: number }>()

  constructor(private readonly maxBytes: number) {}

  /** One busy project leaves room for others. */
  get maxBytesPerFeed(): number {
    return this.maxBytes / 4
  }

  add(of: RecentBatches, bytes: number): void {
    const newest = { of, bytes }
    this.all.add(newest)
    this.bytes += bytes
    for (const oldest of this.all) {
      if (this.bytes <= this.maxBytes || oldest === newest) break
      this.forget(oldest)
    }
  }

  forgetOldestOf(of: RecentBatches): void {
    for (const kept of this.all) {
      if (kept.of !== of) continue
      this.forget(kept)
      return
    }
  }

  private forget(kept: { readonly of: RecentBatches; readonly bytes: number }): void {
    this.all.delete(kept)
    this.bytes -= kept.bytes
    kept.of.shift()
  }
}
