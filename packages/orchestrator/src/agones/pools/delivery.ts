import type { LaunchSpec } from '@matchyard/core/ports'
import type { Cluster } from '../cluster'
import { isKnownReady, isOver, stateOf } from '../condition'
import { isKept, withOurs } from '../finalizer'
import { ApiRefusal, isRefused } from '../kube/errors'
import { GAMESERVERS, PODS } from '../kube/resources'
import type { GameServerItem, PodItem } from '../kube/shapes'
import { launchMarks } from '../manifest'
import { ANNOTATION, type LaunchMark, poolOf } from '../names'

/**
 * Maximum bytes of the configuration of a warm launch. With a larger configuration, the launch uses no warm server. All
 * annotations of an object together hold at most 256 KiB (Kubernetes, `ObjectMeta.annotations`).
 */
export const MAX_DELIVERED_BYTES = 200_000
const TRIES = 5

/** Whether the pod of a warm game server already has the configuration of this launch. */
export function isDelivered(pod: PodItem | undefined, { instanceId, attempt }: LaunchMark): boolean {
  const { annotations = {} } = pod?.metadata ?? {}
  const isIt = annotations[ANNOTATION.instance] === instanceId && annotations[ANNOTATION.attempt] === String(attempt)
  return isIt && annotations[ANNOTATION.configuration] !== undefined
}

/**
 * Whether a game server has the configuration of this launch. The container of a cold game server does not start
 * without its secret, so a started container has the configuration.
 */
export function isTold(server: GameServerItem, pod: PodItem | undefined, mark: LaunchMark): boolean {
  // A game server that was found ready has run as this launch, also when its pod no longer exists.
  if (isKnownReady(server)) return true
  if (poolOf(server.metadata) !== undefined) return isDelivered(pod, mark)
  const { running, terminated } = stateOf(pod) ?? {}
  return running !== undefined || terminated !== undefined
}

/**
 * Writes the configuration to the pod of a warm game server, in one write together with the labels and annotations of
 * the launch and this service's finalizer. A repeated call changes nothing. The game server must have the claim of the
 * attempt. Returns false when the game server ended, or its container does not run, before it got the configuration.
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
      // The finalizer is added to the game server before the configuration is written to its pod, so that the exit of a
      // server with a configuration is always kept.
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

/**
 * Returns the condition of a game server since its launch. A warm game server runs and is Ready before the launch. So
 * its uptime counts from its allocation, and its Ready state before the launch is ignored.
 */
export const sinceTold = <T extends { readonly since: number; readonly saysReady: boolean }>(
  server: GameServerItem,
  condition: T,
): T =>
  poolOf(server.metadata) === undefined
    ? condition
    : { ...condition, since: Math.max(condition.since, askedAtOf(server)), saysReady: false }

/** Returns the time at which a launch created the game server, or took it from its warm pool. */
export const askedAtOf = ({ metadata }: GameServerItem): number =>
  Date.parse(metadata.annotations?.[ANNOTATION.allocatedAt] ?? metadata.creationTimestamp ?? '')
