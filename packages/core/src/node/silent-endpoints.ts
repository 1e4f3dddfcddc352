import { SECOND_MS } from '../shared/time'

/** Milliseconds without any answer after which an endpoint is treated with care. */
const SILENT_AFTER_MS = 5 * SECOND_MS
const MAX_KNOWN = 10_000

/** Endpoints that let this node wait the last time it sent them something: each has a hand at most, and all of them few. */
export class SilentEndpoints {
  /** By when they were given a hand, the longest ago first. */
  private readonly known = new Set<string>()

  /** Records the outcome of an attempt. */
  note(webhookId: string, { statusCode, durationMs }: { statusCode: number | null; durationMs: number }): void {
    this.known.delete(webhookId)
    if (statusCode !== null || durationMs < SILENT_AFTER_MS) return
    this.known.add(webhookId)
    const [oldest] = this.known
    if (this.known.size > MAX_KNOWN && oldest !== undefined) this.known.delete(oldest)
  }

  get all(): ReadonlySet<string> {
    return this.known
  }

  /** Marks these webhooks as served. */
  passed(webhookIds: readonly string[]): void {
    for (const id of webhookIds) if (this.known.delete(id)) this.known.add(id)
  }
}
