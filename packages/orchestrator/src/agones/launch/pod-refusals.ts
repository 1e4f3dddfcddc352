import type { Clock, LaunchSpec } from '@matchyard/core/ports'
import type { Cluster } from '../cluster'
import { sizeOf } from '../condition'
import type { Placed } from '../heard'
import type { GameServerItem } from '../kube/shapes'
import { poolOf } from '../names'

/** Milliseconds for which a pod proves that the cluster makes pods of its kind. */
const TAKEN_FOR_MS = 60 * 60_000
/**
 * Milliseconds between two times at which unexplained refusals of one project empty the warm pools of all projects in a
 * cluster.
 */
const GIVES_WAY_EVERY_MS = 10 * 60_000
/** Maximum number of entries in each map. */
const REMEMBERED = 1_000

/**
 * `gives way`: the launch waits for room, and the warm pools give up theirs; `waits`: only the launch waits; `policy`:
 * probably no room would help.
 */
export type Verdict = 'gives way' | 'waits' | 'policy'

/**
 * Judges why the cluster refuses pods. Agones reports a refused pod (`Error`) without the reason. The reason may be a
 * quota of the namespace, which may have room later, or a permanent one (an image that is not signed, a missing service
 * account). The pods of other launches distinguish the two. Without such a pod a refusal counts as a quota: a wait for
 * room has an end, and a match that could have room is not given up.
 */
export class PodRefusals {
  /** Time of the last pod that was made, by kind. */
  private readonly taken = new Map<string, number>()
  /** First refusal by kind: its time here and its time by the cluster's clock. */
  private readonly refused = new Map<string, { readonly at: number; readonly madeAt: number }>()
  /** Time at which the pools last gave way, by cluster and project. */
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
    // The cluster made a pod of this kind, so it refuses the number of pods and not the kind.
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
 * Whether the cluster made the pod of a cold launch after `at`. Pods of warm game servers do not count: they would take
 * room before the launches that wait for it.
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
