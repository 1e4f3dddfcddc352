import { StorageUnavailable } from '@matchyard/core/ports'

/** Calls that wait for a connection, at most: at some 10,000 statements a second what stands behind them would be refused by its time. */
export const MAX_WAITING_CALLS = 10_000
/** How long a call waits, in milliseconds, for another one's attempt to reach a server that is out of reach. */
const PATIENCE_MS = 1_000

/**
 * Where calls wait for a connection. While the server is out of reach one of them tries to reach it, and the others are answered within
 * a second: they would only hold their callers up, and all of them would come at once in the end.
 */
export class Doorway {
  #isOut = false
  #attempt: Promise<unknown> | undefined
  #waiting = 0

  get isOut(): boolean {
    return this.#isOut
  }

  /** The server did not answer on a connection that was open. */
  shut(): void {
    this.#isOut = true
  }

  open(): void {
    this.#isOut = false
  }

  /** Runs `connect` in its turn; `opens` says that it opens a connection, so that its failure tells of the server. */
  async enter<T>(connect: () => Promise<T>, opens: () => boolean): Promise<T> {
    if (this.#waiting >= MAX_WAITING_CALLS) {
      throw new StorageUnavailable(`PostgreSQL: ${MAX_WAITING_CALLS} calls wait for a connection already`)
    }
    this.#waiting++
    try {
      if (this.#isOut && this.#attempt !== undefined) {
        await atMost(PATIENCE_MS, this.#attempt)
        if (this.#isOut) throw new StorageUnavailable('PostgreSQL: the server does not answer')
      }
      return await (this.#isOut || opens() ? this.#try(connect) : connect())
    } finally {
      this.#waiting--
    }
  }

  #try<T>(connect: () => Promise<T>): Promise<T> {
    const attempt = connect()
    const outcome = attempt.then(
      () => this.open(),
      () => this.shut(),
    )
    if (this.#isOut) {
      this.#attempt = outcome
      void outcome.then(() => {
        if (this.#attempt === outcome) this.#attempt = undefined
      })
    }
    return attempt
  }
}

async function atMost(ms: number, awaited: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([awaited, late])
  clearTimeout(timer)
}
