import { SECOND_MS } from '../shared/time'

/** From one look to the next no more than this counts: a node that stood still, or has too much to do, has seen nothing meanwhile. */
const MOST_BETWEEN_LOOKS_MS = 5 * SECOND_MS

/**
 * Time for which this node has observed each instance that is still to come up. Only observed time counts: the absence of the platform, the
 * storage or this node is no fault of the instance, and a starting node has observed nothing yet. Its memory is bounded by the number of such
 * instances.
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

  /** Restarts the time of an instance that could not be observed. */
  forget(id: string): void {
    this.begun.delete(id)
  }

  /** Keeps only the instances that are still to come up. */
  keep(isStillToComeUp: (id: string) => boolean): void {
    for (const id of this.begun.keys()) if (!isStillToComeUp(id)) this.begun.delete(id)
  }

  /** How many are watched. */
  get size(): number {
    return this.begun.size
  }
}
