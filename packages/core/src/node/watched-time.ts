import { SECOND_MS } from '../shared/time'

/** From one look to the next no more than this counts: a node that stood still, or has too much to do, has seen nothing meanwhile. */
const MOST_BETWEEN_LOOKS_MS = 5 * SECOND_MS

/**
 * For how long this node has had an eye on what is still to come up. What is not observed is not judged: time in which the platform, the
 * storage or this node itself was away is nobody's fault, and one that starts has seen nothing yet. What it remembers is as much as comes up.
 */
export class WatchedTime {
  private total = 0
  private lookedAt: number | undefined
  private readonly begun = new Map<string, { readonly stage: string; readonly at: number }>()

  /** A look at all that runs here came to its end. */
  looked(at: number): void {
    const since = this.lookedAt === undefined ? 0 : at - this.lookedAt
    this.total += Math.min(Math.max(0, since), MOST_BETWEEN_LOOKS_MS)
    this.lookedAt = at
  }

  /** A look came to nothing. */
  missed(): void {
    this.lookedAt = undefined
  }

  /** How many milliseconds something was watched in this stage of its life; it begins when this is first asked. */
  of(id: string, stage: string): number {
    const known = this.begun.get(id)
    if (known?.stage === stage) return this.total - known.at
    this.begun.set(id, { stage, at: this.total })
    return 0
  }

  /** It was not to be seen: its time begins anew. */
  forget(id: string): void {
    this.begun.delete(id)
  }

  /** Whoever is not among these has come up, or is gone. */
  keep(isStillToComeUp: (id: string) => boolean): void {
    for (const id of this.begun.keys()) if (!isStillToComeUp(id)) this.begun.delete(id)
  }

  /** How many are watched. */
  get size(): number {
    return this.begun.size
  }
}
