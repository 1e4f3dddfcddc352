import type { Logger } from '@matchyard/core/ports'
import { belongs } from './belongs'
import { Notes } from './farewell/notes'
import { OrphanedPods } from './farewell/orphaned-pods'
import { ServerLogs } from './farewell/server-logs'
import { setFinalizers } from './farewell/set-finalizers'
import { isKept, withOurs, withoutOurs } from './finalizer'
import { Heard, type Placed } from './heard'
import type { KubeClient, Pauses } from './kube/client'
import { GAMESERVERS, PODS, SECRETS } from './kube/resources'
import type { GameServerItem, PodItem, SecretItem } from './kube/shapes'
import { gameServerName, instanceSelector, type LaunchMark, poolSelector } from './names'

export interface ClusterSettings {
  readonly installationId: string
  readonly logBytes: number
  readonly keptEnded: number
}

/** The objects of this installation in one Kubernetes cluster: reads and changes them. */
export class Cluster {
  readonly notes: Notes
  readonly logs: ServerLogs
  readonly heard: Heard
  private readonly orphans: OrphanedPods

  constructor(
    readonly name: string,
    readonly client: KubeClient,
    private readonly settings: ClusterSettings,
    pauses: Pauses,
    logger: Logger,
  ) {
    this.orphans = new OrphanedPods(client)
    this.notes = new Notes(client, settings.installationId, settings.logBytes, settings.keptEnded)
    this.logs = new ServerLogs(client, this.notes, pauses)
    const { installationId } = settings
    this.heard = new Heard(client, { cluster: name, installationId, pauses, logger })
  }

  /** Returns the game servers of one instance as the cluster, not the local view, returns them; sorted by attempt. */
  async look(instanceId: string): Promise<Placed[]> {
    const selector = instanceSelector(this.settings.installationId, instanceId)
    // The pods are listed after the game servers. So if the pod of a listed game server is not in this list, the pod
    // does not exist.
    const servers = await this.client.list<GameServerItem>(GAMESERVERS, selector)
    const pods = servers.items.length === 0 ? { items: [] } : await this.client.list<PodItem>(PODS, selector)
    for (const one of servers.items) this.heard.servers.put(one)
    for (const one of pods.items) this.heard.pods.put(one)
    const podOf = (name: string) => pods.items.find(({ metadata }) => metadata.name === name)
    return servers.items
      .flatMap((server) => this.heard.placed(server, podOf(server.metadata.name)))
      .filter((one) => one.instanceId === instanceId)
      .sort((a, b) => a.attempt - b.attempt)
  }

  async podOf({ metadata }: GameServerItem): Promise<PodItem | undefined> {
    const pod = await this.client.get<PodItem>(PODS, metadata.name)
    if (pod === undefined || !belongs(pod, metadata)) return undefined
    this.heard.pods.put(pod)
    return pod
  }

  /**
   * Returns the claim of a launch: the secret with the launch's configuration. The game server that owns the secret is
   * the server of the launch.
   */
  claimOf({ instanceId, attempt }: LaunchMark): Promise<SecretItem | undefined> {
    return this.client.get<SecretItem>(SECRETS, gameServerName(this.settings.installationId, instanceId, attempt))
  }

  /** Whether this game server has the claim of the launch: it owns the secret with the launch's configuration. */
  async isClaimed(mark: LaunchMark, { metadata }: GameServerItem): Promise<boolean> {
    const secret = await this.claimOf(mark)
    return secret !== undefined && belongs(secret, metadata)
  }

  async create(manifest: object): Promise<GameServerItem> {
    const made = await this.client.create<GameServerItem>(GAMESERVERS, manifest)
    this.heard.servers.put(made)
    return made
  }

  async byName(name: string): Promise<GameServerItem | undefined> {
    const found = await this.client.get<GameServerItem>(GAMESERVERS, name)
    if (found !== undefined) this.heard.servers.put(found)
    return found
  }

  /**
   * Returns all game servers of a warm pool, waiting or taken by a launch, as the cluster, not the local view, returns
   * them.
   */
  async listPool(pool: string): Promise<readonly GameServerItem[]> {
    const { items } = await this.client.list<GameServerItem>(
      GAMESERVERS,
      poolSelector(this.settings.installationId, pool),
    )
    return items
  }

  /**
   * Patches an object; returns false when the object no longer exists. When the patch contains a `resourceVersion` that
   * is not the current version, the cluster refuses it with 409.
   */
  async write(resource: typeof GAMESERVERS | typeof PODS, name: string, patch: object): Promise<boolean> {
    const after = await this.client.patch<GameServerItem & PodItem>(resource, name, patch)
    if (after !== undefined) (resource === PODS ? this.heard.pods : this.heard.servers).put(after)
    return after !== undefined
  }

  async annotate({ server }: Placed, annotations: Record<string, string>): Promise<void> {
    await this.write(GAMESERVERS, server.metadata.name, { metadata: { annotations } })
  }

  /**
   * Ends a game server: deletes its pod with the grace period, then its object, so that Agones makes no other pod. A
   * deletion with the same or a shorter grace period is not repeated. The output until the end is kept, unless `whose`
   * is `nobody’s`: such a game server never ran for a launch.
   */
  async end(server: GameServerItem, graceMs: number, whose: 'somebody’s' | 'nobody’s' = 'somebody’s'): Promise<void> {
    const pod = await this.podOf(server)
    // The grace period is at least 1 second: with 0, the cluster would remove the pod before its node has ended the
    // process.
    const seconds = Math.max(1, Math.ceil(graceMs / 1_000))
    if (pod !== undefined && !endsWithin(pod, seconds)) {
      const mark = whose === 'somebody’s' ? this.heard.markOf(server) : undefined
      if (mark !== undefined) await this.logs.hearOut(mark, pod, graceMs)
      await this.client.delete(PODS, pod.metadata, seconds)
    }
    if (server.metadata.deletionTimestamp === undefined) await this.client.delete(GAMESERVERS, server.metadata)
  }

  /**
   * Deletes an ended game server, and removes this service's finalizer from the game server and its pod, so that the
   * cluster may remove them.
   */
  async release(server: GameServerItem): Promise<void> {
    await this.client.delete(GAMESERVERS, server.metadata)
    await setFinalizers(this.client, PODS, server.metadata.name, (pod: PodItem) =>
      belongs(pod, server.metadata) ? withoutOurs(pod.metadata) : undefined,
    )
    await this.disown(server)
    this.heard.servers.drop(server)
  }

  /**
   * Removes this service's finalizer from a game server. Returns the changed object; undefined when the object no
   * longer exists.
   */
  disown({ metadata: { name, uid } }: GameServerItem): Promise<GameServerItem | undefined> {
    return setFinalizers(this.client, GAMESERVERS, name, (one: GameServerItem) =>
      one.metadata.uid === uid ? withoutOurs(one.metadata) : undefined,
    )
  }

  /**
   * Adds this service's finalizer to a game server, also when this service removed it before. Returns false when the
   * game server no longer exists, or is being deleted without the finalizer.
   */
  async keep({ metadata: { name, uid } }: GameServerItem): Promise<boolean> {
    const now = await setFinalizers(this.client, GAMESERVERS, name, ({ metadata }: GameServerItem) => {
      if (metadata.uid !== uid) return undefined
      return metadata.deletionTimestamp === undefined ? withOurs(metadata) : (metadata.finalizers ?? [])
    })
    if (now !== undefined) this.heard.servers.put(now)
    return now !== undefined && isKept(now.metadata)
  }

  /**
   * Deletes the oldest notes about ended instances beyond the limit, and removes this service's finalizer from orphaned
   * pods.
   */
  async prune(): Promise<void> {
    await this.notes.prune()
    await this.orphans.free(this.heard.pods.all, (name) => this.heard.servers.byName(name))
  }
}

const endsWithin = ({ metadata }: PodItem, seconds: number): boolean =>
  metadata.deletionTimestamp !== undefined &&
  (metadata.deletionGracePeriodSeconds ?? Number.POSITIVE_INFINITY) <= seconds
