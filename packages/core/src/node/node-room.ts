import type { TierSize } from '../catalog/tiers'
import type { Instant } from '../shared/time'

/**
 * Knowledge of this process about its node's capacity, besides the records. `isFull` only saves work: capacity is checked before every launch.
 */
export class NodeRoom {
  /** Whether there was room for nothing when it was last asked for. */
  isFull = false
  /** End of a pause without launches here: an admitted launch found no capacity and would be admitted again at once. */
  private shutUntil = Number.NEGATIVE_INFINITY
  /** Admitted, and not yet in a record. */
  private readonly promised = new Map<string, TierSize>()

  shut(until: Instant): void {
    this.shutUntil = until
    this.isFull = true
  }

  /** The orchestrator says that something has changed. */
  reopen(): void {
    this.shutUntil = Number.NEGATIVE_INFINITY
  }

  isShut(now: Instant): boolean {
    return now < this.shutUntil
  }

  promises(): ReadonlyMap<string, TierSize> {
    return new Map(this.promised)
  }

  /** Holds room for an instance as long as the work goes on; by its end the record says whether it has it. */
  promise(instanceId: string, size: TierSize): () => void {
    this.promised.set(instanceId, size)
    return () => void this.promised.delete(instanceId)
  }
}
