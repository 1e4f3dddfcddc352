import type { Cluster } from '../cluster'
import type { Placed } from '../heard'

/**
 * Removes an ended game server from the cluster after a last read of its log. It first writes the note about the
 * attempt, so that the attempt is never launched again.
 */
export async function putAwayEnded(cluster: Cluster, placed: Placed): Promise<void> {
  await cluster.notes.add(placed.instanceId, placed.attempt, await cluster.logs.last(placed))
  await cluster.release(placed.server)
}
