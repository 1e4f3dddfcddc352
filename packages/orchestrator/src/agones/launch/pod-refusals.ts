import type { Clock, LaunchSpec } from '@matchyard/core/ports'
import type { Cluster } from '../cluster'
import { sizeOf } from '../condition'
import type { Placed } from '../heard'
import type { GameServerItem } from '../kube/shapes'
import { poolOf } from '../names'

/** Milliseconds after a pod was made during which it proves that the cluster makes pods of its kind. */
const TAKEN_FOR_MS = 60 * 60_000
/**
 * Milliseconds between two times at which unexplained refusals of one project empty the warm pools of all projects in a
 * cluster.
 */
const GIVES_WAY_EVERY_MS = 10 * 60_000
/** Maximum number of entries in each map. */
const REMEMBERED = 1_000

/**
 * Meaning of a refused pod. `gives way`: the launch waits for capacity, and the warm pools free theirs. `waits`: the
 * launch waits for capacity. `policy`: more capacity would probably not help.
 */
export type Verdict = 'gives way' | 'waits' | 'policy'

/**
 * Finds the probable reason why the cluster refuses pods. Agones reports a refused pod (`Error`) without the reason.
 * The reason may be a full quota of the namespace, which may have capacity later. It may also be permanent: an image
 * that is not signed, a missing service account. When the cluster makes pods of other launches, the reason is probably
 * permanent. Otherwise a refusal counts as a full quota, because the wait for capacity is limited, and a match that
 * could still get capacity must not fail.
 */
export class PodRefusals {
  /** Time of the last pod that the cluster made, by kind of launch. */
  private readonly taken = new Map<string, number>()
  /** First refusal by kind of launch: the time by the service's clock, and the time by the cluster's clock. */
  private readonly refused = new Map<string, { readonly at: number; readonly madeAt: number }>()
  /** Time at which the warm pools were last emptied, by cluster and project. */
  private readonly gaveWay = new Map<string, number>()

  constructor(private readonly clock: Clock) {}

  /** Notes that the cluster has made the pod of this launch. */
  noteTaken(cluster: Cluster, spec: LaunchSpec): void {
    const kind = kindOf(cluster, spec)
    this.refused.delete(kind)
    remember(this.taken, kind, this.clock.now())
  }

  judge(cluster: Cluster, spec: LaunchSpec, { metadata }: GameServerItem): Verdict {
    const kind = kindOf(cluster, spec)
    const now = this.clock.now()
    const isWithin = (at: number | undefined, ms: number) => at !== undefined && now - at < ms
    // The cluster made a pod of this kind, so the refusal is about the number of pods, not about their kind.
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

/** Returns the kind of a launch: its cluster, and the properties that a policy looks at. */
const kindOf = (cluster: Cluster, { projectId, build, tier }: LaunchSpec): string =>
  JSON.stringify([cluster.name, projectId, build, tier])

/**
 * Whether the cluster made the pod of a cold launch after `at`. Pods of warm game servers do not count: they take
 * capacity while launches wait for it, so they prove nothing.
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
