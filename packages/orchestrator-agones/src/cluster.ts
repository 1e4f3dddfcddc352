import type { Logger } from '@matchyard/core/ports'
import { belongs } from './belongs'
import { isKept, withOurs, withoutOurs } from './finalizer'
import { GAMESERVERS, type KubeClient, type Pauses, PODS, SECRETS } from './kube/client'
import { Reflector } from './kube/reflector'
import type { GameServerItem, KubeItem, PodItem, SecretItem } from './kube/shapes'
import {
  gameServerName,
  installationSelector,
  instanceSelector,
  type LaunchMark,
  launchMark,
  poolSelector,
} from './names'
import { Notes } from './notes'
import { OrphanedPods } from './orphaned-pods'
import { poolOf } from './pool-manifest'
import { PoolMembers } from './pool-members'
import { ServerLogs } from './server-logs'
import { setFinalizers } from './set-finalizers'

/** A game server with its pod, as far as it has one. */
export interface Placed extends LaunchMark {
  readonly server: GameServerItem
  readonly pod: PodItem | undefined
}

/** One of a pool, which no launch has taken. */
export interface Waiting {
  readonly pool: string
  readonly server: GameServerItem
  readonly pod: PodItem | undefined
}

export interface ClusterSettings {
  readonly installationId: string
  readonly logBytes: number
  readonly keptEnded: number
}

/** One cluster: what of ours it holds, and what is done to it. */
export class Cluster {
  readonly notes: Notes
  readonly logs: ServerLogs
  private readonly reflected: Reflector<GameServerItem>
  private readonly pods: Reflector<PodItem>
  private readonly members = new PoolMembers((name) => this.reflected.byName(name))
  private readonly listeners = new Set<(name: string) => void>()
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
    const selector = installationSelector(settings.installationId)
    const trouble = (error: string) => logger.debug('a cluster is not heard', { cluster: name, error })
    const changed = ({ metadata }: KubeItem) => {
      for (const listener of [...this.listeners]) listener(metadata.name)
    }
    const moved = (server: GameServerItem) => {
      this.members.note(server)
      changed(server)
    }
    this.reflected = new Reflector(client, GAMESERVERS, selector, pauses, { changed: moved, trouble })
    this.pods = new Reflector(client, PODS, selector, pauses, { changed, trouble })
  }

  start(): void {
    this.reflected.start()
    this.pods.start()
  }

  stop(): void {
    this.reflected.stop()
    this.pods.stop()
    this.listeners.clear()
  }

  async whenListed(): Promise<void> {
    await Promise.all([this.reflected.whenListed(), this.pods.whenListed()])
  }

  /** For how long it was not heard; infinite where it never was. */
  silentMs(): number {
    return Math.max(this.reflected.silentMs(), this.pods.silentMs())
  }

  /** Calls back with the name of what changed. */
  subscribe(listener: (name: string) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** As it was heard last, with all that was done here. */
  known(): Placed[] {
    return this.reflected.all.flatMap((server) => this.placed(server, this.pods.byName(server.metadata.name)))
  }

  knownByName(name: string): Placed | undefined {
    const all = this.reflected.byName(name)
    return all === undefined ? undefined : this.placed(all, this.pods.byName(name))[0]
  }

  /** One instance's as they are now, sorted by attempt. */
  async look(instanceId: string): Promise<Placed[]> {
    const selector = instanceSelector(this.settings.installationId, instanceId)
    // Pods after their game servers, so that one that is missing is not there.
    const servers = await this.client.list<GameServerItem>(GAMESERVERS, selector)
    const pods = servers.items.length === 0 ? { items: [] } : await this.client.list<PodItem>(PODS, selector)
    for (const one of servers.items) this.reflected.put(one)
    for (const one of pods.items) this.pods.put(one)
    const podOf = (name: string) => pods.items.find(({ metadata }) => metadata.name === name)
    return servers.items
      .flatMap((server) => this.placed(server, podOf(server.metadata.name)))
      .filter((one) => one.instanceId === instanceId)
      .sort((a, b) => a.attempt - b.attempt)
  }

  async podOf({ metadata }: GameServerItem): Promise<PodItem | undefined> {
    const pod = await this.client.get<PodItem>(PODS, metadata.name)
    if (pod === undefined || !belongs(pod, metadata)) return undefined
    this.pods.put(pod)
    return pod
  }

  /** The secret that says which game server a launch is, with its configuration. */
  claimOf({ instanceId, attempt }: LaunchMark): Promise<SecretItem | undefined> {
    return this.client.get<SecretItem>(SECRETS, gameServerName(this.settings.installationId, instanceId, attempt))
  }

  /** Whether a launch is this game server: it has its configuration. */
  async isClaimed(mark: LaunchMark, { metadata }: GameServerItem): Promise<boolean> {
    const secret = await this.claimOf(mark)
    return secret !== undefined && belongs(secret, metadata)
  }

  async create(manifest: object): Promise<GameServerItem> {
    const made = await this.client.create<GameServerItem>(GAMESERVERS, manifest)
    this.reflected.put(made)
    return made
  }

  async byName(name: string): Promise<GameServerItem | undefined> {
    const found = await this.client.get<GameServerItem>(GAMESERVERS, name)
    if (found !== undefined) this.reflected.put(found)
    return found
  }

  /** Those of one pool that wait for a launch. */
  waiting(pool: string): readonly Waiting[] {
    return this.members.of(pool).flatMap((server) => this.waits(server))
  }

  /** Those of one pool that launches have taken. */
  taken(pool: string): readonly GameServerItem[] {
    return this.members.of(pool).filter((server) => this.markOf(server) !== undefined)
  }

  /** The pools of which there is something. */
  poolsThere(): readonly string[] {
    return this.members.pools
  }

  waitingByName(name: string): Waiting | undefined {
    const server = this.reflected.byName(name)
    return server === undefined ? undefined : this.waits(server)[0]
  }

  /** All of one pool as they are now, waiting or taken. */
  async listPool(pool: string): Promise<readonly GameServerItem[]> {
    const { items } = await this.client.list<GameServerItem>(
      GAMESERVERS,
      poolSelector(this.settings.installationId, pool),
    )
    return items
  }

  /** False where it is gone. A version in the patch is expected. */
  async write(resource: typeof GAMESERVERS | typeof PODS, name: string, patch: object): Promise<boolean> {
    const after = await this.client.patch<GameServerItem & PodItem>(resource, name, patch)
    if (after !== undefined) (resource === PODS ? this.pods : this.reflected).put(after)
    return after !== undefined
  }

  async annotate({ server }: Placed, annotations: Record<string, string>): Promise<void> {
    await this.write(GAMESERVERS, server.metadata.name, { metadata: { annotations } })
  }

  /**
   * Asks it to end: its pod by the grace, then its object, so that nothing makes another pod of it. What was asked before is not asked again. What it says
   * meanwhile is kept, unless it is nobody's.
   */
  async end(server: GameServerItem, graceMs: number, whose: 'somebody’s' | 'nobody’s' = 'somebody’s'): Promise<void> {
    const pod = await this.podOf(server)
    // No less than a second: with none the platform would forget it before its node has ended it.
    const seconds = Math.max(1, Math.ceil(graceMs / 1_000))
    if (pod !== undefined && !endsWithin(pod, seconds)) {
      const mark = whose === 'somebody’s' ? this.markOf(server) : undefined
      if (mark !== undefined) await this.logs.hearOut(mark, pod, graceMs)
      await this.client.delete(PODS, pod.metadata, seconds)
    }
    if (server.metadata.deletionTimestamp === undefined) await this.client.delete(GAMESERVERS, server.metadata)
  }

  /** Lets go of one that has ended: from now on the platform may forget it. */
  async release(server: GameServerItem): Promise<void> {
    await this.client.delete(GAMESERVERS, server.metadata)
    await setFinalizers(this.client, PODS, server.metadata.name, (pod: PodItem) =>
      belongs(pod, server.metadata) ? withoutOurs(pod.metadata) : undefined,
    )
    await this.disown(server)
    this.reflected.drop(server)
  }

  /** Its object is not kept for its end any more. As it is then; undefined where it is gone. */
  disown({ metadata: { name, uid } }: GameServerItem): Promise<GameServerItem | undefined> {
    return setFinalizers(this.client, GAMESERVERS, name, (one: GameServerItem) =>
      one.metadata.uid === uid ? withoutOurs(one.metadata) : undefined,
    )
  }

  /** Its object is kept for its end, also where it was let go of. False where that was its end: it is gone, or about to be. */
  async keep({ metadata: { name, uid } }: GameServerItem): Promise<boolean> {
    const now = await setFinalizers(this.client, GAMESERVERS, name, ({ metadata }: GameServerItem) => {
      if (metadata.uid !== uid) return undefined
      return metadata.deletionTimestamp === undefined ? withOurs(metadata) : (metadata.finalizers ?? [])
    })
    if (now !== undefined) this.reflected.put(now)
    return now !== undefined && isKept(now.metadata)
  }

  /** Frees what nobody asks for any more: the oldest notes, and what keeps pods that are nobody's. */
  async prune(): Promise<void> {
    await this.notes.prune()
    await this.orphans.free(this.pods.all, (name) => this.reflected.byName(name))
  }

  private placed(server: GameServerItem, pod: PodItem | undefined): Placed[] {
    const mark = this.markOf(server)
    const its = pod !== undefined && belongs(pod, server.metadata) ? pod : undefined
    return mark === undefined ? [] : [{ ...mark, server, pod: its }]
  }

  private markOf({ metadata }: GameServerItem): LaunchMark | undefined {
    return launchMark(metadata, this.settings.installationId)
  }

  private waits(server: GameServerItem): Waiting[] {
    const pool = poolOf(server.metadata)
    if (pool === undefined || this.markOf(server) !== undefined) return []
    return [{ pool, server, pod: this.podKnown(server) }]
  }

  private podKnown({ metadata }: GameServerItem): PodItem | undefined {
    const pod = this.pods.byName(metadata.name)
    return pod !== undefined && belongs(pod, metadata) ? pod : undefined
  }
}

const endsWithin = ({ metadata }: PodItem, seconds: number): boolean =>
  metadata.deletionTimestamp !== undefined &&
  (metadata.deletionGracePeriodSeconds ?? Number.POSITIVE_INFINITY) <= seconds
