/** Stream of events for one reader, pulled one message at a time: the interface for the writer of a socket. */
export interface EventStream<Message> {
  readonly projectId: string
  /** The key that it was opened with; undefined for who has none. */
  readonly keyId: string | undefined
  /** The player, or the game server, that reads; undefined where a backend reads for no player. */
  readonly readerId: string | undefined
  /** Whether the reader fell too far behind: it is cut off, and resumes. */
  readonly dropped: boolean
  /** Whether nothing is left to be read, and nothing will come. */
  readonly isOver: boolean
  /** Whether the next message has to be fetched first; see `fill`. */
  readonly lags: boolean
  /** The next message, when there is one; undefined once the stream has ended. */
  next(): Promise<Message | undefined>
  /** Fetches, so that the next messages are at hand. Never throws. */
  fill(): Promise<void>
  /** The reader has no room for a message: `chunk` waits, which others may wait for too, and some bytes of its own. */
  waits(chunk: object, chunkBytes: number, ownBytes: number): void
  /** The reader has room again. */
  goesOn(): void
  /** Lets go; nothing more comes, and a reader that waits is told. */
  close(): void
  /** Called when nothing more will be read. */
  onEnd(cleanup: () => void): void
}
