import type { Cluster } from '../cluster'
import { ApiRefusal } from '../kube/errors'
import { GAMESERVERS, PODS } from '../kube/resources'
import type { GameServerItem, PodItem } from '../kube/shapes'
import { type LaunchMark, poolOf } from '../names'
import { isTold } from '../pools/delivery'

/** Number of tries in one call: an object may change between the read and the deletion. */
const TRIES = 5

/**
 * Removes a game server that has no configuration, so that it can never get one. Returns false, and removes nothing,
 * when the game server got its configuration meanwhile.
 */
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

/**
 * Removes a game server that never ran, without writing a note. It first removes the finalizer, so that no node reports
 * an exit during the removal.
 */
export async function undo(cluster: Cluster, server: GameServerItem): Promise<void> {
  await cluster.disown(server)
  await cluster.end(server, 0, 'nobody’s')
  await cluster.release(server)
}

/**
 * Deletes the pod of a warm game server. At this moment another node may write the configuration to the same version of
 * the pod; only one of these two calls succeeds.
 */
async function endUntold(cluster: Cluster, pod: PodItem | undefined): Promise<'gone' | 'changed'> {
  if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return 'gone'
  return (await cluster.client.deleteAsSeen(PODS, pod.metadata, 1)) ? 'gone' : 'changed'
}

/**
 * Removes a cold game server (made for one launch) unless it has the claim of the launch. The claim is a separate
 * object, so a check of one object's version cannot protect both objects. The function removes the finalizer, then
 * reads the claim, then deletes that version of the game server. A node that claims the game server checks afterwards
 * whether the finalizer was removed, and adds it again (`Cluster.keep`). So at least one of the two nodes notices the
 * change of the other node.
 */
async function letGo(
  cluster: Cluster,
  mark: LaunchMark,
  server: GameServerItem,
): Promise<'gone' | 'changed' | 'claimed'> {
  // The claim is also read before the finalizer is removed. A server with players must not be without its finalizer
  // even for a moment: if this node crashed at that moment, the exit of the server would be lost.
  if (await cluster.isClaimed(mark, server)) return (await cluster.keep(server)) ? 'claimed' : 'gone'
  const free = await cluster.disown(server)
  if (free === undefined || free.metadata.deletionTimestamp !== undefined) return 'gone'
  if (await cluster.isClaimed(mark, server)) return (await cluster.keep(server)) ? 'claimed' : 'gone'
  return (await cluster.client.deleteAsSeen(GAMESERVERS, free.metadata)) ? 'gone' : 'changed'
}
