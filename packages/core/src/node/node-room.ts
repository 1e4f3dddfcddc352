import type { TierSize } from '../catalog/tiers'
import type { Instant } from '../shared/time'

/**
 * Knowledge of this process about its node's capacity, besides the records. `isFull` only saves work: capacity is checked before every launch.
 */
export class NodeRoom {
  /** Whether the last request for capacity found none. */
  isFull = false
  /** End of a pause without launches here: an admitted launch found no capacity and would be admitted again at once. */
  private shutUntil = Number.NEGATIVE_INFINITY
  /** Servers that were admitted and have no record yet. */
  private readonly promised = new Map<string, TierSize>()

  shut(until: Instant): void {
    this.shutUntil = until
    this.isFull = true
  }

  /** Ends the pause, because the orchestrator reported a change. */
  reopen(): void {
    this.shutUntil = Number.NEGATIVE_INFINITY
  }

  isShut(now: Instant): boolean {
    return now < this.shutUntil
  }

  promises(): ReadonlyMap<string, TierSize> {
    return new Map(this.promised)
  }

  /**
   * Reserves capacity for an instance while its launch is decided. Call the returned function afterwards; the record then says whether the
   * instance holds it.
   */
  promise(instanceId: string, size: TierSize): () => void {
    this.promised.set(instanceId, size)
    return () => void this.promised.delete(instanceId)
  }
}
