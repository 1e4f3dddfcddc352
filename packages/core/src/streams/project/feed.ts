import type { FeedPage } from './batches'
import type { FeedChange } from './feed-change'
import type { FeedStream } from './feed-stream'

/** What a reader of a project's feed is told. */
export type FeedMessage =
  | ({ readonly event: 'change' } & FeedChange)
  /** First of all: from here on changes are told. */
  | { readonly event: 'hello'; readonly cursor: string }
  /** Something was left out that this reader has not seen: what it knows is to be read again. */
  | { readonly event: 'gap'; readonly cursor: string }

/**
 * What changes in a project, a message at a time: `for await (const message of feed) …`. It ends with the project, with its key and with the
 * service. What a slow reader does not take is not kept for it: it is told of a gap.
 */
export class Feed implements AsyncIterable<FeedMessage> {
  private page: Extract<FeedPage, { event: 'change' }> | undefined
  private told = 0
  private at: string

  constructor(
    /** The same in pages, as they are written to a socket; whoever reads these does not read the messages. */
    readonly pages: FeedStream,
  ) {
    this.at = pages.beginsAt
  }

  /** Where a reader who has what was told so far goes on: `matchyard.feed(projectId, { cursor })`, within an hour. */
  get cursor(): string {
    return this.at
  }

  /** The next message, when there is one; undefined once the feed has ended. */
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

  /** Lets go; who waits for a message is told that there is none. */
  close(): void {
    this.page = undefined
    this.pages.close()
  }

  async *[Symbol.asyncIterator](): AsyncIterator<FeedMessage> {
    try {
      for (let message = await this.next(); message !== undefined; message = await this.next()) yield message
    } finally {
      this.close()
    }
  }
}
