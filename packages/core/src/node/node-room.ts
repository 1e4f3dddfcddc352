import type { TierSize } from '../catalog/tiers'
import type { Instant } from '../shared/time'

/**
 * Knowledge of this process about the capacity of its node that is not in the storage's records: reservations, and whether the node is
 * full. `isFull` only saves work: capacity is checked before every launch.
 */
export class NodeRoom {
  /** Whether no capacity was free at the last request. */
  isFull = false
  /**
   * Instant until which this node launches nothing. Such a pause begins when an admitted launch finds no capacity, because the launch would
   * otherwise be admitted again at once.
   */
  private shutUntil = Number.NEGATIVE_INFINITY
  /** Servers that were admitted and have no record in the storage yet. */
  private readonly promised = new Map<string, TierSize>()

  shut(until: Instant): void {
    this.shutUntil = until
    this.isFull = true
  }

  /** Ends the pause, because the orchestrator reported a change that may free capacity. */
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
   * Reserves capacity for an instance while its launch is decided. Call the returned function after the decision; from then on, the record
   * says whether the instance holds the capacity.
   */
  promise(instanceId: string, size: TierSize): () => void {
    this.promised.set(instanceId, size)
    return () => void this.promised.delete(instanceId)
  }
}
