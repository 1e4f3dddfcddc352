import type { Clock, LaunchSpec } from '@matchyard/core/ports'
import type { Cluster } from '../cluster'
import { sizeOf } from '../condition'
import type { Placed } from '../heard'
import type { GameServerItem } from '../kube/shapes'
import { poolOf } from '../names'

/** What the cluster made so long ago says nothing any more of what it makes. */
const TAKEN_FOR_MS = 60 * 60_000
/** A project's unexplained refusals empty the pools of all once in so long. */
const GIVES_WAY_EVERY_MS = 10 * 60_000
/** Of so many kinds of pods it is known. */
const REMEMBERED = 1_000

/** `gives way`: it waits for room, and so does what waits for matches; `waits`: it alone; `policy`: it seems that no room would help it. */
export type Verdict = 'gives way' | 'waits' | 'policy'

/**
 * Agones says that a pod was refused (`Error`) and not by what: a quota of the namespace, which has room for it later, or what never will (an image that
 * is not signed, a service account that is missing). What the cluster makes of others tells them apart. Where nothing does, it is taken for a quota: a
 * wait for room has an end, and a match that could have had room is not given up.
 */
export class PodRefusals {
  /** By kind, when one of it was made last. */
  private readonly taken = new Map<string, number>()
  /** By kind, the first that was refused: when that was, here and by the cluster's clock. */
  private readonly refused = new Map<string, { readonly at: number; readonly madeAt: number }>()
  /** By project, when pools gave way for it last. */
  private readonly gaveWay = new Map<string, number>()

  constructor(private readonly clock: Clock) {}

  /** The cluster has made the pod of this launch. */
  noteTaken(cluster: Cluster, spec: LaunchSpec): void {
    const kind = kindOf(cluster, spec)
    this.refused.delete(kind)
    remember(this.taken, kind, this.clock.now())
  }

  judge(cluster: Cluster, spec: LaunchSpec, { metadata }: GameServerItem): Verdict {
    const kind = kindOf(cluster, spec)
    const now = this.clock.now()
    const isWithin = (at: number | undefined, ms: number) => at !== undefined && now - at < ms
    // Its like was made: it is its number that is refused.
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

/** What a policy looks at is alike in these. */
const kindOf = (cluster: Cluster, { projectId, build, tier }: LaunchSpec): string =>
  JSON.stringify([cluster.name, projectId, build, tier])

/** A launch has had its pod since, beside those that wait: they would take what room there is before whoever waits for it. */
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
