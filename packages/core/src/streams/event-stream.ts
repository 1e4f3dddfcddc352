/** Stream of events for one reader. The writer of a socket pulls one message at a time. */
export interface EventStream<Message> {
  readonly projectId: string
  /** API key that opened the stream; undefined for a reader without a key. */
  readonly keyId: string | undefined
  /** Player or game server that reads; undefined when a backend reads for no player. */
  readonly readerId: string | undefined
  /** Whether the stream ended because the reader fell too far behind; the reader can resume. */
  readonly dropped: boolean
  /** Whether nothing is left to read, and nothing will come. */
  readonly isOver: boolean
  /** Whether the next message must be fetched first, by `fill`. */
  readonly lags: boolean
  /** Returns the next message, when there is one; undefined after the end of the stream. */
  next(): Promise<Message | undefined>
  /** Fetches the next messages. Never throws. */
  fill(): Promise<void>
  /**
   * Counts the bytes that wait because the reader's socket is full: those of `chunk`, which several readers may share, and the reader's
   * own.
   */
  waits(chunk: object, chunkBytes: number, ownBytes: number): void
  /** Records that the reader's socket accepts data again. */
  goesOn(): void
  /** Closes the stream: no more messages come, and a waiting `next` resolves. */
  close(): void
  /** Registers a function that is called when the stream has ended. */
  onEnd(cleanup: () => void): void
}
