import { setTimeout as wait } from 'node:timers/promises'
import { type Answer, type Call, Client } from '../../client'
import { percentiles } from '../percentiles'

/** A call together with the only HTTP status that its answer may have. */
export type Expecting = Call & { readonly expects: number }

/** State that all parts of the load share. Each call is sent once through the balancer, on a new connection. */
export class Traffic {
  /** Texts about calls that got no answer, and about calls that the service or the balancer failed to carry out. */
  readonly failed: string[] = []
  /** Other violations of the service's guarantees, as sentences. */
  readonly violations: string[] = []
  readonly took: number[] = []
  private readonly counts = new Map<string, number>()
  private readonly client: Client
  flows = true

  constructor(
    readonly baseUrl: string,
    readonly key: string,
  ) {
    this.client = new Client(baseUrl, key)
  }

  count(what: string, by = 1): void {
    this.counts.set(what, this.of(what) + by)
  }

  of(what: string): number {
    return this.counts.get(what) ?? 0
  }

  get tally(): string {
    const counts = [...this.counts].map(([what, count]) => `${what} ${count}`).join(', ')
    return `${counts}; calls took ${percentiles(this.took)} ms`
  }

  /**
   * Sends a call. Returns undefined when the call failed or its status was not the expected status. The load makes only
   * calls that the service should accept.
   */
  async call<T = Record<string, unknown>>({ expects, ...call }: Expecting): Promise<Answer<T> | undefined> {
    const startedAt = performance.now()
    const what = `${call.method} ${call.path}`
    try {
      const answer = await this.client.call<T>({ ...call, headers: { connection: 'close' } })
      this.took.push(performance.now() - startedAt)
      this.count('calls')
      if (answer.status === expects) return answer
      const seen = `${what}: ${answer.status} ${JSON.stringify(answer.body)}`
      if (answer.status >= 500) this.failed.push(seen)
      else this.violations.push(`${seen} where ${expects} was expected`)
    } catch (error) {
      this.failed.push(`${what}: ${String(error)}`)
    }
    return undefined
  }

  /** Repeats the function `turn` as long as the load runs. */
  async repeat(turn: (nth: number) => Promise<void>, pauseMs = 0): Promise<void> {
    for (let nth = 0; this.flows; nth++) {
      await turn(nth)
      if (pauseMs > 0) await wait(pauseMs)
    }
  }

  close(): void {
    this.client.close()
  }
}
