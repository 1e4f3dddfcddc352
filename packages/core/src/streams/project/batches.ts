import { CHANGE_KINDS } from '../../ports/storage/index'
import { byteSize, type JsonValue } from '../../shared/json'
import type { RecentPages } from '../recent-pages'
import type { FeedChange, FeedKinds } from './feed-change'

/** Page of a feed: changes, or one word. `source` is the same object for all readers of the same page. */
export type FeedPage =
  | ({ readonly event: 'change'; readonly changes: readonly FeedChange[]; readonly before: string } & Told)
  /** `mark`: nothing new, but a younger cursor. */
  | ({ readonly event: 'hello' | 'gap' | 'mark' } & Told)

interface Told {
  /** The reader goes on from here once it has it all; from `before` while it has only a part. */
  readonly cursor: string
  readonly source: object
}

/** A page of one word. */
export const word = (event: 'hello' | 'gap' | 'mark', cursor: string): FeedPage => ({ event, cursor, source: {} })

/** A page of changes; undefined where there are none. */
export const pageOf = (changes: readonly FeedChange[], before: string, cursor: string): FeedPage | undefined =>
  changes.length === 0 ? undefined : { event: 'change', changes, before, cursor, source: {} }

/** Choices of kinds for which a page is made once; those of others are made for each reader. */
const SHARED_VIEWS = 4

/** Result of one read of a project's changes; an empty one is a gap for every reader. */
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

  /** Returns the page for readers of these kinds; undefined when it is empty. */
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

/** The newest batches of a project, by their places, which are counted from when somebody began to read. */
export class Batches {
  /** The place of the next one. */
  end = 0
  /** From this place on they tell of all kinds. */
  private wholeFrom = 0

  constructor(
    private readonly projectId: string,
    private readonly recent: RecentPages<Batch>,
  ) {}

  /** The place of the oldest that is kept. */
  get first(): number {
    return this.recent.oldest(this.projectId) ?? this.end
  }

  /** Returns the page of a batch for readers of these kinds; undefined when it is empty. */
  view(place: number, kinds: FeedKinds): FeedPage | undefined {
    return this.recent.find(this.projectId, place)?.view(kinds)
  }

  /** Returns the place after the batch that ends at a cursor. Batches may lack kinds that no reader wanted at the time. */
  after(cursor: string): number | undefined {
    const place = this.recent.findLast(this.projectId, (batch) => batch.cursor === cursor)
    return place !== undefined && place + 1 >= this.wholeFrom ? place + 1 : undefined
  }

  add(batch: Batch): void {
    this.recent.add(this.projectId, this.end++, [batch])
  }

  /** Something of these kinds alone was read up to here; where it was in no batch, the place after the one before is not a place after it. */
  wasRead(kinds: FeedKinds, wasAdded: boolean): void {
    if (kinds.size < CHANGE_KINDS.length) this.wholeFrom = this.end + (wasAdded ? 0 : 1)
  }

  /** Nobody reads them any more. */
  forget(): void {
    this.recent.forget(this.projectId)
  }
}
