/** Stream of events for one reader. The code that writes to the reader's socket requests one message at a time. */
export interface EventStream<Message> {
  readonly projectId: string
  /** API key that opened the stream; undefined for a reader without a key. */
  readonly keyId: string | undefined
  /** Player or game server that reads; undefined when a backend reads without naming a player. */
  readonly readerId: string | undefined
  /** Whether the stream ended because the reader fell too far behind. The reader can resume. */
  readonly dropped: boolean
  /** Whether no message is left to read and none will come. */
  readonly isOver: boolean
  /** Whether `fill` must fetch the next message first. */
  readonly lags: boolean
  /** Returns the next message, when there is one; undefined after the end of the stream. */
  next(): Promise<Message | undefined>
  /** Fetches the next messages from the storage. Never throws. */
  fill(): Promise<void>
  /**
   * Counts the bytes that wait because the reader's socket is full. `chunk` is the text that several readers may share, with `chunkBytes`
   * bytes; `ownBytes` are bytes for this reader alone.
   */
  waits(chunk: object, chunkBytes: number, ownBytes: number): void
  /** Records that the reader's socket accepts data again. */
  goesOn(): void
  /** Closes the stream: no more messages come, and a waiting call of `next` resolves. */
  close(): void
  /** Registers a function that is called when the stream has ended. */
  onEnd(cleanup: () => void): void
}
