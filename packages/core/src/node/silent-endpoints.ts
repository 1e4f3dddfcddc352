import { SECOND_MS } from '../shared/time'

/** Who has let an attempt wait for so long without any answer is asked carefully. */
const SILENT_AFTER_MS = 5 * SECOND_MS
const MAX_KNOWN = 10_000

/** Endpoints that let this node wait the last time it sent them something: each has a hand at most, and all of them few. */
export class SilentEndpoints {
  /** By when they were given a hand, the longest ago first. */
  private readonly known = new Set<string>()

  /** What became of an attempt. */
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

  /** These have had their turn. */
  passed(webhookIds: readonly string[]): void {
    for (const id of webhookIds) if (this.known.delete(id)) this.known.add(id)
  }
}
