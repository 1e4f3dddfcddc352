import type { Cluster } from '../cluster'
import type { Placed } from '../heard'

/** Its exit is told, and its log read, for the last time: the note first, so that it is never launched again. */
export async function putAwayEnded(cluster: Cluster, placed: Placed): Promise<void> {
  await cluster.notes.add(placed.instanceId, placed.attempt, await cluster.logs.last(placed))
  await cluster.release(placed.server)
}
