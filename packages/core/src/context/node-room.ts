import type { TierSize } from '../catalog/tiers'

/**
 * What this process knows of its node's room beside the records. `isFull` only saves work: whatever it says, room is asked for before
 * anything is launched.
 */
export class NodeRoom {
  /** Whether there was room for nothing when it was last asked for. */
  isFull = false
  /** Admitted, and not yet in a record. */
  private readonly promised = new Map<string, TierSize>()

  promises(): ReadonlyMap<string, TierSize> {
    return new Map(this.promised)
  }

  /** Holds room for an instance as long as the work goes on; by its end the record says whether it has it. */
  promise(instanceId: string, size: TierSize): () => void {
    this.promised.set(instanceId, size)
    return () => void this.promised.delete(instanceId)
  }
}
