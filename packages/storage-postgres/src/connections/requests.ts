import { StorageUnavailable } from '@matchyard/core/ports'
import type { PoolClient } from 'pg'
import type { PostgresPool } from '../program-pool'

interface Waiting {
  readonly resolve: (client: PoolClient) => void
  readonly reject: (error: unknown) => void
}

/**
 * The storage's requests for connections of the program's pool. A call waits for at most the connect timeout, also when
 * the pool itself has no timeout. The pool's queue never holds more requests of the storage than the pool has
 * connections, so the program's own calls do not wait behind thousands of them.
 */
export class Requests {
  readonly #waiting = new Set<Waiting>()
  #sent = 0

  constructor(
    private readonly pool: PostgresPool,
    private readonly most: number,
    private readonly timeoutMs: number,
  ) {}

  take(): Promise<PoolClient> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        resolve: (client) => settle(() => resolve(client)),
        reject: (error) => settle(() => reject(error)),
      }
      const timer = setTimeout(() => waiting.reject(noneFree(this.timeoutMs)), this.timeoutMs)
      const settle = (end: () => void) => {
        clearTimeout(timer)
        this.#waiting.delete(waiting)
        end()
      }
      this.#waiting.add(waiting)
      this.#send()
    })
  }

  #send(): void {
    while (this.#sent < this.most && this.#sent < this.#waiting.size) {
      this.#sent++
      void this.#request()
    }
  }

  async #request(): Promise<void> {
    try {
      // The driver's own types need more of the pool than the storage does.
      const client = (await this.pool.connect()) as unknown as PoolClient
      const first = this.#first()
      // Every call that waited may have timed out.
      if (first === undefined) client.release()
      else first.resolve(client)
    } catch (error) {
      this.#first()?.reject(error)
    } finally {
      this.#sent--
      this.#send()
    }
  }

  #first(): Waiting | undefined {
    const [first] = this.#waiting
    return first
  }
}

const noneFree = (timeoutMs: number) =>
  new StorageUnavailable(
    `PostgreSQL: the program's pool had no free connection for ${timeoutMs} ms: create the pool with a higher max, or release its connections sooner`,
  )
