import { SECOND_MS } from '../shared/time'

/**
 * Maximum milliseconds between two observations that count as observed time. A longer gap means that the node stalled and observed nothing.
 */
const MOST_BETWEEN_LOOKS_MS = 5 * SECOND_MS

/**
 * Time for which this node has observed each restarted instance that is not ready yet. Only observed time counts, because an instance is
 * not at fault when the platform, the storage or this node is down. After the start of a node, the time begins at 0. The memory is bounded
 * by the number of such instances.
 */
export class WatchedTime {
  private total = 0
  private lookedAt: number | undefined
  private readonly begun = new Map<string, { readonly stage: string; readonly at: number }>()

  /** Records a completed observation of all instances on this node. */
  looked(at: number): void {
    const since = this.lookedAt === undefined ? 0 : at - this.lookedAt
    this.total += Math.min(Math.max(0, since), MOST_BETWEEN_LOOKS_MS)
    this.lookedAt = at
  }

  /** Records a failed observation. The time until the next completed observation does not count. */
  missed(): void {
    this.lookedAt = undefined
  }

  /**
   * Returns the milliseconds for which an instance was observed in a stage of its restart. The time starts at the first call for the stage.
   */
  of(id: string, stage: string): number {
    const known = this.begun.get(id)
    if (known?.stage === stage) return this.total - known.at
    this.begun.set(id, { stage, at: this.total })
    return 0
  }

  /** Resets the time of an instance that could not be observed. */
  forget(id: string): void {
    this.begun.delete(id)
  }

  /** Forgets all instances except those that are not ready yet (`isStillToComeUp`). */
  keep(isStillToComeUp: (id: string) => boolean): void {
    for (const id of this.begun.keys()) if (!isStillToComeUp(id)) this.begun.delete(id)
  }

  /** Number of observed instances. */
  get size(): number {
    return this.begun.size
  }
}
