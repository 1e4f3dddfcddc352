import type { Cluster } from '../cluster'
import { conditionOf, isOver } from '../condition'
import type { Waiting } from '../heard'
import { ApiRefusal } from '../kube/errors'
import { GAMESERVERS } from '../kube/resources'
import type { GameServerItem } from '../kube/shapes'
import { isGoing, tookItself, withoutFleet } from './member-state'

/** One that plays and made itself Ready by Agones' SDK would be what its fleet takes away first: it is its own from now on. */
export async function letPlay(cluster: Cluster, { metadata }: GameServerItem): Promise<void> {
  try {
    await cluster.write(GAMESERVERS, metadata.name, { metadata: withoutFleet(metadata) })
  } catch (error) {
    // It changed meanwhile: that is heard of too.
    if (!(error instanceof ApiRefusal)) throw error
  }
}

/**
 * A server that waits says nothing: that its container runs is all there is to say for it. Agones makes it Ready by this word, which its SDK
 * writes for others (`RequestReady`; GameServers have no status of their own to write).
 */
export async function moveOn(cluster: Cluster, { server, pod }: Waiting, now: number): Promise<void> {
  const { metadata, status } = server
  if (isGoing(server) || isOver(server)) return
  const { is } = conditionOf(server, pod, now)
  // Before it is Ready not every Agones looks whether its container has ended, and none sees that a machine has gone silent.
  if (is === 'ended' || tookItself(server)) await cluster.client.deleteAsSeen(GAMESERVERS, metadata)
  else if (is === 'running' && status?.state === 'Scheduled') await makeReady(cluster, server)
}

async function makeReady(cluster: Cluster, { metadata: { name, resourceVersion } }: GameServerItem): Promise<void> {
  try {
    await cluster.write(GAMESERVERS, name, { metadata: { resourceVersion }, status: { state: 'RequestReady' } })
  } catch (error) {
    // It changed meanwhile; or the others are not to wait for what one is refused.
    if (!(error instanceof ApiRefusal)) throw error
  }
}
