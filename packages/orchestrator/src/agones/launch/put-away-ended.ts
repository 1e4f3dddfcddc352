import type { Cluster } from '../cluster'
import type { Placed } from '../heard'

/**
 * Puts away an ended game server after a last read of its log. The note is written first, so that the attempt is never
 * launched again.
 */
export async function putAwayEnded(cluster: Cluster, placed: Placed): Promise<void> {
  await cluster.notes.add(placed.instanceId, placed.attempt, await cluster.logs.last(placed))
  await cluster.release(placed.server)
}
