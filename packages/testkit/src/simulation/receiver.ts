import { FetchFailed, type GuardedFetch, type GuardedRequest } from '@matchyard/core/ports'

/**
 * The studio's server that receives webhook messages. It accepts every message, except when a command made it return
 * errors.
 */
export class Receiver implements GuardedFetch {
  /** Ids of the accepted messages. */
  readonly taken = new Set<string>()
  private readonly answers: (number | null)[] = []

  /** Sets the HTTP statuses of the answers to the next calls; null means no answer. */
  willAnswer(...answers: readonly (number | null)[]): void {
    this.answers.push(...answers)
  }

  calmDown(): void {
    this.answers.length = 0
  }

  async check(): Promise<void> {}

  async fetch({ headers }: GuardedRequest) {
    const status = this.answers.length === 0 ? 200 : this.answers.shift()
    if (status == null) throw new FetchFailed('timeout', 'simulated: no answer')
    if (status === 200) this.taken.add(headers['webhook-id'] ?? '')
    return { status, headers: {}, body: new Uint8Array(), truncated: false }
  }
}
