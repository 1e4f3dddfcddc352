import { StorageUnavailable } from '@matchyard/core/ports'

/**
 * Maximum number of calls that wait for a connection. The database runs about 10,000 statements per second, so further
 * calls would time out while they wait.
 */
export const MAX_WAITING_CALLS = 10_000
/** Milliseconds that a call waits for another call's attempt to connect, while the server cannot be reached. */
const PATIENCE_MS = 1_000

/**
 * Queue of calls that wait for a connection. While the server cannot be reached, one call tries to connect. The other
 * calls wait for at most a second for this attempt, and are refused if it has not succeeded. Without this limit, calls
 * would be delayed and would all try to connect at the same time.
 */
export class Doorway {
  #isOut = false
  #attempt: Promise<unknown> | undefined
  #waiting = 0

  get isOut(): boolean {
    return this.#isOut
  }

  /** Records that the server did not answer on a connection that was open. */
  shut(): void {
    this.#isOut = true
  }

  open(): void {
    this.#isOut = false
  }

  /**
   * Runs `connect`, or refuses the call. `opens` returns whether `connect` would open a new connection, because only a
   * new connection shows whether the server can be reached.
   */
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
