import { CHANGE_KINDS } from '../../ports/storage/index'
import { byteSize, type JsonValue } from '../../shared/json'
import type { RecentPages } from '../recent-pages'
import type { FeedChange, FeedKinds } from './feed-change'

/** Page of a project's feed: changes, or one event without changes. All readers of a page share the object `source`. */
export type FeedPage =
  | ({
      /** Page with changes. */
      readonly event: 'change'
      /** The changes. */
      readonly changes: readonly FeedChange[]
      /** Cursor from which a reader gets the whole page again. */
      readonly before: string
    } & Told)
  | ({
      /** Event without changes. `mark` has only a newer cursor. */
      readonly event: 'hello' | 'gap' | 'mark'
    } & Told)

interface Told {
  /**
   * Cursor from which a reader continues after the whole page. A reader that got only a part of the page continues from the cursor
   * `before`.
   */
  readonly cursor: string
  readonly source: object
}

/** Returns a page that has one event without changes. */
export const word = (event: 'hello' | 'gap' | 'mark', cursor: string): FeedPage => ({ event, cursor, source: {} })

/** Returns a page of changes; undefined when there are no changes. */
export const pageOf = (changes: readonly FeedChange[], before: string, cursor: string): FeedPage | undefined =>
  changes.length === 0 ? undefined : { event: 'change', changes, before, cursor, source: {} }

/**
 * Maximum number of combinations of kinds for which one page is kept for all readers. For further combinations, each reader gets a page of
 * its own.
 */
const SHARED_VIEWS = 4

/** Result of one read of a project's changes, for all readers. A result without `changes` means that every reader gets a gap. */
export class Batch {
  readonly bytes: number
  private readonly views = new Map<FeedKinds, FeedPage | undefined>()

  constructor(
    private readonly before: string,
    readonly cursor: string,
    private readonly changes: readonly FeedChange[] | undefined,
  ) {
    this.bytes = (changes ?? []).reduce((sum, { data }) => sum + byteSize(data as unknown as JsonValue), 0)
  }

  /** Returns the page for readers of these kinds; undefined when the page is empty. */
  view(kinds: FeedKinds): FeedPage | undefined {
    const { views } = this
    if (views.has(kinds)) return views.get(kinds)
    const { before, cursor } = this
    const changes = this.changes?.filter(({ kind }) => kinds.has(kind))
    const page = changes === undefined ? word('gap', cursor) : pageOf(changes, before, cursor)
    if (views.size < SHARED_VIEWS) views.set(kinds, page)
    return page
  }
}

/** Newest batches of a project's changes. The position of a batch is its number, counted from the first read of the feed on this node. */
export class Batches {
  /** Position of the next batch. */
  end = 0
  /** Position of the first batch from which every batch has changes of all kinds. */
  private wholeFrom = 0

  constructor(
    private readonly projectId: string,
    private readonly recent: RecentPages<Batch>,
  ) {}

  /** Position of the oldest batch that is kept. */
  get first(): number {
    return this.recent.oldest(this.projectId) ?? this.end
  }

  /** Returns the page of a batch for readers of these kinds; undefined when the page is empty. */
  view(place: number, kinds: FeedKinds): FeedPage | undefined {
    return this.recent.find(this.projectId, place)?.view(kinds)
  }

  /**
   * Returns the position after the batch that ends at a cursor. Returns undefined when the cursor is unknown, and when later batches may
   * lack changes of some kinds.
   */
  after(cursor: string): number | undefined {
    const place = this.recent.findLast(this.projectId, (batch) => batch.cursor === cursor)
    return place !== undefined && place + 1 >= this.wholeFrom ? place + 1 : undefined
  }

  add(batch: Batch): void {
    this.recent.add(this.projectId, this.end++, [batch])
  }

  /**
   * Records that the last read asked only for these kinds. If the read added no batch, it may have skipped changes of other kinds, so the
   * position after the previous batch can no longer be used.
   */
  wasRead(kinds: FeedKinds, wasAdded: boolean): void {
    if (kinds.size < CHANGE_KINDS.length) this.wholeFrom = this.end + (wasAdded ? 0 : 1)
  }

  /** Removes all batches, because the feed has no readers left. */
  forget(): void {
    this.recent.forget(this.projectId)
  }
}
