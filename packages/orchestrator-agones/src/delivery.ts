import type { LaunchSpec } from '@matchyard/core/ports'
import type { Cluster } from './cluster'
import { stateOf } from './condition'
import { GAMESERVERS, PODS } from './kube/client'
import { ApiRefusal, isRefused } from './kube/errors'
import type { GameServerItem, KubeMeta, PodItem } from './kube/shapes'
import { launchMarks } from './manifest'
import { ANNOTATION, FINALIZER } from './names'

/** All annotations of an object hold 256 KiB together (Kubernetes, `ObjectMeta.annotations`). What is larger is launched cold. */
export const MAX_DELIVERED_BYTES = 200_000
const TRIES = 5

export const isDelivered = (pod: PodItem | undefined): boolean =>
  pod?.metadata.annotations?.[ANNOTATION.configuration] !== undefined

/**
 * Writes the configuration where the pod reads it, in one write with all by which it is kept and found; again in vain. Only for the game server that
 * the attempt is claimed for. False where it has ended before it was told anything.
 */
export async function deliver(
  cluster: Cluster,
  spec: LaunchSpec,
  { metadata: { name, uid } }: GameServerItem,
  { installationId, text }: { readonly installationId: string; readonly text: string },
): Promise<boolean> {
  const { labels, annotations } = launchMarks(spec, installationId)
  for (let tries = 0; tries < TRIES; tries++) {
    const server = await cluster.byName(name)
    if (server?.metadata.uid !== uid || server.metadata.deletionTimestamp !== undefined) return false
    try {
      const { resourceVersion } = server.metadata
      // Before its pod: what was told something is kept for its end.
      const kept = { metadata: { resourceVersion, finalizers: withOurs(server.metadata) } }
      if (!isKept(server.metadata) && !(await cluster.write(GAMESERVERS, name, kept))) return false
      const pod = await cluster.podOf(server)
      if (isDelivered(pod)) return true
      if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return false
      if (stateOf(pod)?.running === undefined) return false
      const told = {
        metadata: {
          resourceVersion: pod.metadata.resourceVersion,
          labels,
          annotations: { ...annotations, [ANNOTATION.configuration]: text },
          finalizers: withOurs(pod.metadata),
        },
      }
      return await cluster.write(PODS, name, told)
    } catch (error) {
      if (!isRefused(error, 409)) throw error
    }
  }
  throw new ApiRefusal(409, 'Conflict', `${name} is written by others all the time`, undefined)
}

const isKept = ({ finalizers = [] }: KubeMeta): boolean => finalizers.includes(FINALIZER)
const withOurs = (metadata: KubeMeta): readonly string[] =>
  isKept(metadata) ? (metadata.finalizers ?? []) : [...(metadata.finalizers ?? []), FINALIZER]
