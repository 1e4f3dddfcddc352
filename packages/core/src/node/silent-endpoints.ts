import { SECOND_MS } from '../shared/time'

/** Milliseconds without an answer after which an endpoint counts as not answering. */
const SILENT_AFTER_MS = 5 * SECOND_MS
const MAX_KNOWN = 10_000

/**
 * Webhooks whose endpoints did not answer this node's last request in time. The node sends one message at a time to each of these webhooks,
 * and only a few messages at a time to all of them together.
 */
export class SilentEndpoints {
  /** Ids of these webhooks. The webhook to which the last message was sent longest ago comes first. */
  private readonly known = new Set<string>()

  /** Records the result of an attempt to send a message to a webhook. */
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

  /** Moves these webhooks to the end of the order, because the node has just sent them messages. */
  passed(webhookIds: readonly string[]): void {
    for (const id of webhookIds) if (this.known.delete(id)) this.known.add(id)
  }
}
