import type { Change, Storage } from '@matchyard/core/ports'

/** Limits of a page of changes. They are small, so that many commits happen between two pages. */
const BOUNDS = { limit: 3, maxBytes: 6_000 }

/**
 * Reads the changes of a project from the beginning, one page at a time, while the run continues. After it has read all
 * ready changes, its state must equal the data in the store.
 */
export class FeedReader {
  readonly known = new Map<string, Change>()
  private cursor: string | undefined

  constructor(private readonly projectId: string) {}

  /** Reads one page of changes; returns true when no further change is ready. */
  async readPage(storage: Storage): Promise<boolean> {
    const read = await storage.changes.since(this.projectId, this.cursor, BOUNDS)
    if (read.startedOver) this.known.clear()
    for (const change of read.changes) {
      const name = `${change.kind} ${change.id}`
      if (change.value === undefined) this.known.delete(name)
      else this.known.set(name, change)
    }
    this.cursor = read.cursor
    return !read.more
  }
}
