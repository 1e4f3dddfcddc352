import type { Cluster } from '../cluster'
import { conditionOf, isOver } from '../condition'
import type { Waiting } from '../heard'
import { ApiRefusal } from '../kube/errors'
import { GAMESERVERS } from '../kube/resources'
import type { GameServerItem } from '../kube/shapes'
import { isGoing, tookItself, withoutFleet } from './member-state'

/**
 * Removes a game server with players that is Ready again from its fleet. When a fleet shrinks, it removes Ready game
 * servers first, so a server with players that called `Ready()` of Agones' SDK would be removed.
 */
export async function letPlay(cluster: Cluster, { metadata }: GameServerItem): Promise<void> {
  try {
    await cluster.write(GAMESERVERS, metadata.name, { metadata: withoutFleet(metadata) })
  } catch (error) {
    // The object changed meanwhile; the watch will report that change too.
    if (!(error instanceof ApiRefusal)) throw error
  }
}

/**
 * Makes a warm game server Ready when its container runs, or deletes it when it ended or allocated itself. A warm
 * server does not call Agones' SDK, so the running container is the only sign that it can be used. Agones makes a game
 * server Ready when its state is `RequestReady`. For other servers, the SDK writes this state (GameServers have no
 * separate status to write).
 */
export async function moveOn(cluster: Cluster, { server, pod }: Waiting, now: number): Promise<void> {
  const { metadata, status } = server
  if (isGoing(server) || isOver(server)) return
  const { is } = conditionOf(server, pod, now)
  // Before a game server is Ready, some versions of Agones do not check whether its container has ended, and no version
  // detects a machine that does not respond.
  if (is === 'ended' || tookItself(server)) await cluster.client.deleteAsSeen(GAMESERVERS, metadata)
  else if (is === 'running' && status?.state === 'Scheduled') await makeReady(cluster, server)
}

async function makeReady(cluster: Cluster, { metadata: { name, resourceVersion } }: GameServerItem): Promise<void> {
  try {
    await cluster.write(GAMESERVERS, name, { metadata: { resourceVersion }, status: { state: 'RequestReady' } })
  } catch (error) {
    // The object changed meanwhile, or the cluster refused the write. This must not stop the work on the other game
    // servers.
    if (!(error instanceof ApiRefusal)) throw error
  }
}
