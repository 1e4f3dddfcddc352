/** Readings of logs under way at once. Each is followed by a turn of the event loop, so other calls wait for these few at most. */
const AT_ONCE = 4

/** Gives the event loop back; what waits for it, other calls and sockets, goes first. */
const nextTurn = () =>
  new Promise<void>((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve)
    else setTimeout(resolve, 0)
  })

/**
 * Readers that lag read the log in turns, a few pages at once, one key after the other and within a key in order of asking: two
 * hundred of one key are one in the queue to everybody else.
 */
export class ReplayTurns {
  private running = 0
  /** By key, those who wait; the first key is the next. */
  private readonly waiting = new Map<string | undefined, (() => void)[]>()

  constructor(
    private readonly atOnce = AT_ONCE,
    private readonly turn: () => Promise<void> = nextTurn,
  ) {}

  /** Resolves when one more may begin what takes the event loop for milliseconds, as opening a stream of a large lobby does. */
  begin(keyId: string | undefined): Promise<void> {
    return this.run(keyId, async () => {})
  }

  async run(keyId: string | undefined, read: () => Promise<void>): Promise<void> {
    if (this.running < this.atOnce) this.running++
    else await this.wait(keyId)
    try {
      await read()
    } finally {
      // Not waited for: what was read is written meanwhile.
      void this.turn().then(() => this.pass())
    }
  }

  private wait(keyId: string | undefined): Promise<void> {
    return new Promise((resolve) => {
      const ofKey = this.waiting.get(keyId)
      if (ofKey === undefined) this.waiting.set(keyId, [resolve])
      else ofKey.push(resolve)
    })
  }

  private pass(): void {
    const [next] = this.waiting
    if (next === undefined) {
      this.running--
      return
    }
    const [keyId, ofKey] = next
    const first = ofKey.shift()
    this.waiting.delete(keyId)
    // A key that has had its turn goes behind the others.
    if (ofKey.length > 0) this.waiting.set(keyId, ofKey)
    first?.()
  }
}
