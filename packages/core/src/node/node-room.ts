import type { TierSize } from '../catalog/tiers'
import type { Instant } from '../shared/time'

/**
 * Free and reserved capacity of this node, as far as this process knows it besides the records in the storage. `isFull` only saves work:
 * capacity is checked before every launch.
 */
export class NodeRoom {
  /** Whether there was no capacity at the last request. */
  isFull = false
  /**
   * End of a pause in which this node launches nothing. A pause begins when an admitted launch finds no capacity, because the launch would
   * be admitted again at once.
   */
  private shutUntil = Number.NEGATIVE_INFINITY
  /** Servers that were admitted and have no record in the storage yet. */
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
   * Reserves capacity for an instance while its launch is decided. Call the returned function after the decision; from then on, the record
   * says whether the instance holds the capacity.
   */
  promise(instanceId: string, size: TierSize): () => void {
    this.promised.set(instanceId, size)
    return () => void this.promised.delete(instanceId)
  }
}
