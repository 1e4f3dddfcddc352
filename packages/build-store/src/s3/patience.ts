/** How long the store may keep silent: before it answers, and in the middle of a body. */
export const SILENCE_MS = 20_000

/** Ends a request over which nothing has happened for a while, however long it takes as a whole. */
export class Patience {
  private readonly controller = new AbortController()
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly silenceMs = SILENCE_MS) {
    this.renew()
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** Something has happened. */
  renew(): void {
    if (this.timer === undefined) {
      const giveUp = () => this.controller.abort(new DOMException('the store keeps silent', 'TimeoutError'))
      this.timer = setTimeout(giveUp, this.silenceMs).unref()
    } else this.timer.refresh()
  }

  end(): void {
    clearTimeout(this.timer)
  }

  /** The same chunks, each of which is a sign of life. */
  async *over<T>(chunks: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const chunk of chunks) {
      this.renew()
      yield chunk
    }
  }
}

/** What `work` comes to; throws a TimeoutError where it takes longer. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let late: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new DOMException('it took too long', 'TimeoutError')), ms).unref()
  })
  try {
    return await Promise.race([work, tooLate])
  } finally {
    clearTimeout(late)
  }
}
