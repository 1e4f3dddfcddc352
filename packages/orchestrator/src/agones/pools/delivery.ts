import type { LaunchSpec } from '@matchyard/core/ports'
import type { Cluster } from '../cluster'
import { isKnownReady, isOver, stateOf } from '../condition'
import { isKept, withOurs } from '../finalizer'
import { ApiRefusal, isRefused } from '../kube/errors'
import { GAMESERVERS, PODS } from '../kube/resources'
import type { GameServerItem, PodItem } from '../kube/shapes'
import { launchMarks } from '../manifest'
import { ANNOTATION, type LaunchMark, poolOf } from '../names'

/** All annotations of an object hold 256 KiB together (Kubernetes, `ObjectMeta.annotations`). What is larger is launched cold. */
export const MAX_DELIVERED_BYTES = 200_000
const TRIES = 5

/** Whether a pod that waited was told what this launch is. */
export function isDelivered(pod: PodItem | undefined, { instanceId, attempt }: LaunchMark): boolean {
  const { annotations = {} } = pod?.metadata ?? {}
  const isIt = annotations[ANNOTATION.instance] === instanceId && annotations[ANNOTATION.attempt] === String(attempt)
  return isIt && annotations[ANNOTATION.configuration] !== undefined
}

/** Whether it knows what this launch is. A cold one is told by its secret, without which its container does not start. */
export function isTold(server: GameServerItem, pod: PodItem | undefined, mark: LaunchMark): boolean {
  // It came up as this launch, whatever has become of its pod since.
  if (isKnownReady(server)) return true
  if (poolOf(server.metadata) !== undefined) return isDelivered(pod, mark)
  const { running, terminated } = stateOf(pod) ?? {}
  return running !== undefined || terminated !== undefined
}

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
    if (server?.metadata.uid !== uid) return false
    const pod = await cluster.podOf(server)
    if (isDelivered(pod, spec)) return true
    if (server.metadata.deletionTimestamp !== undefined || isOver(server)) return false
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return false
    try {
      // Before its pod: what was told something is kept for its end.
      const kept = {
        metadata: { resourceVersion: server.metadata.resourceVersion, finalizers: withOurs(server.metadata) },
      }
      if (!isKept(server.metadata) && !(await cluster.write(GAMESERVERS, name, kept))) return false
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

/** One that waited is Ready, and up, for reasons of its pool: what it does as this server it has done since it was taken. */
export const sinceTold = <T extends { readonly since: number; readonly saysReady: boolean }>(
  server: GameServerItem,
  condition: T,
): T =>
  poolOf(server.metadata) === undefined
    ? condition
    : { ...condition, since: Math.max(condition.since, askedAtOf(server)), saysReady: false }

/** When a launch made it, or took it. */
export const askedAtOf = ({ metadata }: GameServerItem): number =>
  Date.parse(metadata.annotations?.[ANNOTATION.allocatedAt] ?? metadata.creationTimestamp ?? '')
