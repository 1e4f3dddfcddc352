/** Approximate bytes of memory that an entry needs besides its text. */
const OVERHEAD_BYTES = 512

/** Consecutive entries of one log. The positions of the entries increase by one. */
interface Page<Entry> {
  readonly logId: string
  readonly first: number
  readonly entries: readonly Entry[]
  readonly bytes: number
}

/** Pages of one log, the oldest first. */
interface Pages<Entry> {
  readonly pages: Page<Entry>[]
  bytes: number
}

/**
 * Cache of the recently read pages of logs, so that all readers of a log share its entries and their texts. The bytes of one log and of all
 * logs together are bounded. The pages that were read first are removed first. The newest page is kept at any size.
 */
export class RecentPages<Entry extends { readonly bytes: number }> {
  private bytes = 0
  /** Pages of all logs, the oldest first. */
  private readonly all = new Set<Page<Entry>>()
  private readonly byLog = new Map<string, Pages<Entry>>()

  constructor(
    private readonly maxBytes: number,
    private readonly maxBytesPerLog = maxBytes,
  ) {}

  /** Adds a page of a log; `first` is the position of its first entry. */
  add(logId: string, first: number, entries: readonly Entry[]): void {
    if (entries.length === 0) return
    const bytes = entries.reduce((sum, entry) => sum + entry.bytes + OVERHEAD_BYTES, 0)
    const newest = { logId, first, entries, bytes }
    const ofLog = this.byLog.get(logId) ?? { pages: [], bytes: 0 }
    this.byLog.set(logId, ofLog)
    this.all.add(newest)
    ofLog.pages.push(newest)
    this.bytes += bytes
    ofLog.bytes += bytes
    for (const oldest of this.all) {
      if (this.bytes <= this.maxBytes || oldest === newest) break
      this.remove(oldest)
    }
    for (let [oldest] = ofLog.pages; ofLog.bytes > this.maxBytesPerLog; [oldest] = ofLog.pages) {
      if (oldest === undefined || oldest === newest) break
      this.remove(oldest)
    }
  }

  find(logId: string, place: number): Entry | undefined {
    const pages = this.byLog.get(logId)?.pages ?? []
    // The newest page is searched first, because most readers are at the end of the log.
    for (let index = pages.length - 1; index >= 0; index--) {
      const page = pages[index]
      const entry = page?.entries[place - page.first]
      if (entry !== undefined) return entry
    }
    return undefined
  }

  /** Returns the position of the newest entry that passes a test. */
  findLast(logId: string, passes: (entry: Entry) => boolean): number | undefined {
    for (const { first, entries } of [...(this.byLog.get(logId)?.pages ?? [])].reverse()) {
      const index = entries.findLastIndex(passes)
      if (index !== -1) return first + index
    }
    return undefined
  }

  /** Returns the position of the oldest entry that is kept. */
  oldest(logId: string): number | undefined {
    return this.byLog.get(logId)?.pages[0]?.first
  }

  /** Removes the pages of a log that has no readers left, or that has entries that are no longer valid. */
  forget(logId: string): void {
    for (const page of [...(this.byLog.get(logId)?.pages ?? [])]) this.remove(page)
  }

  forgetAll(): void {
    for (const page of this.all) this.remove(page)
  }

  private remove(page: Page<Entry>): void {
    const ofLog = this.byLog.get(page.logId)
    if (ofLog === undefined || !this.all.delete(page)) return
    this.bytes -= page.bytes
    ofLog.bytes -= page.bytes
    ofLog.pages.splice(ofLog.pages.indexOf(page), 1)
    if (ofLog.pages.length === 0) this.byLog.delete(page.logId)
  }
}
