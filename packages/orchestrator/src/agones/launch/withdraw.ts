import type { Cluster } from '../cluster'
import { ApiRefusal } from '../kube/errors'
import { GAMESERVERS, PODS } from '../kube/resources'
import type { GameServerItem, PodItem } from '../kube/shapes'
import { type LaunchMark, poolOf } from '../names'
import { isTold } from '../pools/delivery'

/** What changes between each look and its deletion is left for the next call. */
const TRIES = 5

/** Takes away what was told nothing, and can be told nothing from then on; false where it was told meanwhile, and stays. */
export async function withdraw(cluster: Cluster, mark: LaunchMark, server: GameServerItem): Promise<boolean> {
  const isCold = poolOf(server.metadata) === undefined
  for (let tries = 0; tries < TRIES; tries++) {
    const pod = await cluster.podOf(server)
    if (isTold(server, pod, mark)) return false
    const outcome = isCold ? await letGo(cluster, mark, server) : await endUntold(cluster, pod)
    if (outcome === 'claimed') return false
    if (outcome === 'changed') continue
    await undo(cluster, server)
    return true
  }
  throw new ApiRefusal(409, 'Conflict', `${server.metadata.name} and its pod change all the time`, undefined)
}

/** Leaves nothing of it, not even a note: it never ran. Let go of first, so that nobody tells it as ended on its way out. */
export async function undo(cluster: Cluster, server: GameServerItem): Promise<void> {
  await cluster.disown(server)
  await cluster.end(server, 0, 'nobody’s')
  await cluster.release(server)
}

/** What waits is told by a write on its pod, which expects the version that this deletion expects. */
async function endUntold(cluster: Cluster, pod: PodItem | undefined): Promise<'gone' | 'changed'> {
  if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return 'gone'
  return (await cluster.client.deleteAsSeen(PODS, pod.metadata, 1)) ? 'gone' : 'changed'
}

/**
 * A cold one is told by its claim, which is another object. So its own object is let go of first, then its claim is looked for, and then that version
 * of it is deleted; whoever claims it looks afterwards whether it was let go of, and keeps it again (`Cluster.keep`). One of the two sees what the
 * other did.
 */
async function letGo(
  cluster: Cluster,
  mark: LaunchMark,
  server: GameServerItem,
): Promise<'gone' | 'changed' | 'claimed'> {
  // Before that too: what plays is not let go of even for a moment, in which this node may die and leave it with nobody who keeps it for its end.
  if (await cluster.isClaimed(mark, server)) return (await cluster.keep(server)) ? 'claimed' : 'gone'
  const free = await cluster.disown(server)
  if (free === undefined || free.metadata.deletionTimestamp !== undefined) return 'gone'
  if (await cluster.isClaimed(mark, server)) return (await cluster.keep(server)) ? 'claimed' : 'gone'
  return (await cluster.client.deleteAsSeen(GAMESERVERS, free.metadata)) ? 'gone' : 'changed'
}
