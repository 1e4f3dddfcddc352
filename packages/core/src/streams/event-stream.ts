/** Stream of events for one reader. The code that writes to the reader's socket asks for one message at a time. */
export interface EventStream<Message> {
  /** Project of the stream. */
  readonly projectId: string
  /** API key that opened the stream; undefined for a reader without a key. */
  readonly keyId: string | undefined
  /** Id of the player or game server that reads; undefined when a backend reads without naming a player. */
  readonly readerId: string | undefined
  /** Whether the stream ended because the reader fell too far behind. The reader can resume. */
  readonly dropped: boolean
  /** Whether no message is left to read and none will come. */
  readonly isOver: boolean
  /** Whether the reader is behind, so that `fill` must fetch its next message first. */
  readonly lags: boolean
  /** Returns the next message as soon as there is one; undefined after the end of the stream. */
  next(): Promise<Message | undefined>
  /** Fetches the next messages from the storage. Never throws. */
  fill(): Promise<void>
  /**
   * Counts the bytes that wait because the reader's socket is full. `chunk` is the text that several readers may share, with `chunkBytes`
   * bytes. `ownBytes` is the number of waiting bytes that only this reader gets.
   */
  waits(chunk: object, chunkBytes: number, ownBytes: number): void
  /** Records that the reader's socket accepts data again. */
  goesOn(): void
  /** Closes the stream: no more messages come, and a waiting call of `next` resolves. */
  close(): void
  /** Registers a function that is called when the stream has ended. */
  onEnd(cleanup: () => void): void
}
