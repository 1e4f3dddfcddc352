import type { Change, Storage } from '@matchyard/core/ports'

/** Pages that hold little, so that much goes on between two of them. */
const BOUNDS = { limit: 3, maxBytes: 6_000 }

/**
 * Reads what changes in a project from the beginning, a page at a time while everything goes on. Whatever happens between its pages, at
 * the end of what is ready it knows what the store holds.
 */
export class FeedReader {
  readonly known = new Map<string, Change>()
  private cursor: string | undefined

  constructor(private readonly projectId: string) {}

  /** Reads one page; true when nothing more is ready. */
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
