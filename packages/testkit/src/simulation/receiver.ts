import { FetchFailed, type GuardedFetch, type GuardedRequest } from '@matchyard/core/ports'

/** The studio's own side of its webhooks: takes what it is sent, except while something is wrong with it. */
export class Receiver implements GuardedFetch {
  /** Message ids that it took. */
  readonly taken = new Set<string>()
  private readonly answers: (number | null)[] = []

  /** The next calls are answered so; null is silence. */
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
