import type { Clock, LaunchSpec } from '@matchyard/core/ports'
import type { Cluster } from '../cluster'
import { sizeOf } from '../condition'
import type { Placed } from '../heard'
import type { GameServerItem } from '../kube/shapes'
import { poolOf } from '../names'

/** Milliseconds for which a created pod proves that the cluster accepts pods of the same kind. */
const TAKEN_FOR_MS = 60 * 60_000
/**
 * Minimum milliseconds between two times at which refused pods of one project, without a known reason, empty the warm
 * pools of all projects in a cluster.
 */
const GIVES_WAY_EVERY_MS = 10 * 60_000
/** Maximum number of entries in each map of this class. */
const REMEMBERED = 1_000

/**
 * Effect of a refused pod. `gives way`: the launch waits for capacity, and the warm pools free their capacity. `waits`:
 * the launch waits for capacity, and the warm pools keep theirs. `policy`: more capacity would probably not help.
 */
export type Verdict = 'gives way' | 'waits' | 'policy'

/**
 * Finds the probable reason why the cluster refuses pods. Agones reports a refused pod (`Error`) without the reason.
 * The reason may be a full quota of the namespace, which may have capacity later. It may also be permanent, for example
 * an image that is not signed or a missing service account. When the cluster has created a pod of another launch, at
 * least as large, since the first refusal, the reason is probably permanent. Otherwise a refusal counts as a full
 * quota, because the wait for capacity is limited, and a match that could still get capacity must not fail.
 */
export class PodRefusals {
  /** By kind of launch: the time of the last pod that the cluster created. */
  private readonly taken = new Map<string, number>()
  /** By kind of launch: the first refusal, with its time by the service's clock and its time by the cluster's clock. */
  private readonly refused = new Map<string, { readonly at: number; readonly madeAt: number }>()
  /** By cluster and project: the time at which the warm pools were last emptied. */
  private readonly gaveWay = new Map<string, number>()

  constructor(private readonly clock: Clock) {}

  /** Records that the cluster has created the pod of this launch. */
  noteTaken(cluster: Cluster, spec: LaunchSpec): void {
    const kind = kindOf(cluster, spec)
    this.refused.delete(kind)
    remember(this.taken, kind, this.clock.now())
  }

  judge(cluster: Cluster, spec: LaunchSpec, { metadata }: GameServerItem): Verdict {
    const kind = kindOf(cluster, spec)
    const now = this.clock.now()
    const isWithin = (at: number | undefined, ms: number) => at !== undefined && now - at < ms
    // The cluster has created a pod of this kind, so it refused this pod because of the number of pods, not because of
    // their kind.
    if (isWithin(this.taken.get(kind), TAKEN_FOR_MS)) return 'gives way'
    const first = this.refused.get(kind)
    if (first === undefined || !isWithin(first.at, GIVES_WAY_EVERY_MS)) {
      remember(this.refused, kind, { at: now, madeAt: Date.parse(metadata.creationTimestamp ?? '') })
    } else if (cluster.heard.known().some((one) => isMadeSince(one, first.madeAt) && isAsLarge(one, spec)))
      return 'policy'
    const project = JSON.stringify([cluster.name, spec.projectId])
    if (isWithin(this.gaveWay.get(project), GIVES_WAY_EVERY_MS)) return 'waits'
    remember(this.gaveWay, project, now)
    return 'gives way'
  }
}

/** Returns the kind of a launch: its cluster, and the properties that a policy of the cluster may check. */
const kindOf = (cluster: Cluster, { projectId, build, tier }: LaunchSpec): string =>
  JSON.stringify([cluster.name, projectId, build, tier])

/**
 * Whether the cluster created the pod of a cold launch (a launch without a warm server) after `at`. Pods of warm game
 * servers do not count: they take capacity while launches wait for it, so they prove nothing.
 */
const isMadeSince = ({ server, pod }: Placed, at: number): boolean =>
  pod !== undefined && poolOf(server.metadata) === undefined && Date.parse(pod.metadata.creationTimestamp ?? '') > at

function isAsLarge({ server }: Placed, { tierSize }: LaunchSpec): boolean {
  const { cpus, memoryGib } = sizeOf(server)
  return cpus >= tierSize.cpus && memoryGib >= tierSize.memoryGib
}

function remember<T>(into: Map<string, T>, key: string, value: T): void {
  into.delete(key)
  into.set(key, value)
  const [oldest = ''] = into.keys()
  if (into.size > REMEMBERED) into.delete(oldest)
}
