import type { FeedPage } from './batches'
import type { FeedChange } from './feed-change'
import type { FeedStream } from './feed-stream'

/** Message of a project's feed: a change, or one of the two events without a change. */
export type FeedMessage =
  | ({
      /** A change of an entity. */
      readonly event: 'change'
    } & FeedChange)
  | {
      /** First message. All changes after its cursor follow. */
      readonly event: 'hello'
      /** Cursor of the message. Within an hour, a new feed can continue from it. */
      readonly cursor: string
    }
  | {
      /** Some changes were left out for this reader. The reader must read the current state again. */
      readonly event: 'gap'
      /** Cursor of the message. Within an hour, a new feed can continue from it. */
      readonly cursor: string
    }

/**
 * Feed of the changes in a project, one message at a time: `for await (const message of feed) …`. The feed ends when its project is
 * deleted, its key is revoked, or the service stops. The service does not store messages for a slow reader; such a reader gets a gap.
 */
export class Feed implements AsyncIterable<FeedMessage> {
  private page: Extract<FeedPage, { event: 'change' }> | undefined
  private told = 0
  private at: string

  constructor(
    /** Stream of pages, for code that writes to a socket. A caller reads either the pages or the messages, never both. */
    readonly pages: FeedStream,
  ) {
    this.at = pages.beginsAt
  }

  /**
   * Cursor after the messages that were read so far. Within an hour, `matchyard.feed(projectId, { cursor })` continues from this cursor.
   */
  get cursor(): string {
    return this.at
  }

  /** Returns the next message as soon as there is one; undefined after the end of the feed. */
  async next(): Promise<FeedMessage | undefined> {
    for (;;) {
      const { page } = this
      const change = page?.changes[this.told]
      if (page !== undefined && change !== undefined) {
        this.told++
        const isLast = this.told === page.changes.length
        this.at = isLast ? page.cursor : page.before
        if (isLast) this.page = undefined
        return { event: 'change', ...change }
      }
      const next = await this.pages.next()
      if (next === undefined) return undefined
      if (next.event === 'change') {
        this.page = next
        this.told = 0
        continue
      }
      this.at = next.cursor
      if (next.event !== 'mark') return { event: next.event, cursor: next.cursor }
    }
  }

  /** Closes the feed. A call of `next` that waits then resolves to undefined. */
  close(): void {
    this.page = undefined
    this.pages.close()
  }

  /** Returns the messages one after another, and closes the feed when the loop ends. */
  async *[Symbol.asyncIterator](): AsyncIterator<FeedMessage> {
    try {
      for (let message = await this.next(); message !== undefined; message = await this.next()) yield message
    } finally {
      this.close()
    }
  }
}
