/** Milliseconds for which the store may send no data, before its answer and during a body. */
export const SILENCE_MS = 20_000

/** Aborts a request after 20 seconds without any progress. The whole request may take longer than 20 seconds. */
export class Patience {
  private readonly controller = new AbortController()
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly silenceMs = SILENCE_MS) {
    this.renew()
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** Records progress: the 20 seconds start again. */
  renew(): void {
    if (this.timer === undefined) {
      const giveUp = () => this.controller.abort(new DOMException('the store keeps silent', 'TimeoutError'))
      this.timer = setTimeout(giveUp, this.silenceMs).unref()
    } else this.timer.refresh()
  }

  end(): void {
    clearTimeout(this.timer)
  }

  /** Yields the same chunks; each chunk counts as progress. */
  async *over<T>(chunks: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const chunk of chunks) {
      this.renew()
      yield chunk
    }
  }
}

/** Returns the result of `work`, if it arrives within `ms` milliseconds. Otherwise throws a TimeoutError. */
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
