import type { Logger } from '@matchyard/core/ports'
import { belongs } from './belongs'
import { readinessOf } from './condition'
import { isKept, withOurs, withoutOurs } from './finalizer'
import { Grouped } from './grouped'
import { GAMESERVERS, type KubeClient, type Pauses, PODS, SECRETS } from './kube/client'
import { Reflector } from './kube/reflector'
import type { GameServerItem, KubeItem, PodItem, SecretItem } from './kube/shapes'
import {
  ANNOTATION,
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
import { ServerLogs } from './server-logs'
import { setFinalizers } from './set-finalizers'

/** A game server with its pod, as far as it has one. */
export interface Placed extends LaunchMark {
  readonly server: GameServerItem
  readonly pod: PodItem | undefined
}

/** Hears the name of what changed, and of which instance it is, where it is one's. */
type Listener = (name: string, instanceId: string | undefined) => void

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
  /** All of each pool. */
  private readonly members = new Grouped()
  private readonly instances = new Grouped()
  /** Of those that are to be ready once their ports accept, or time has passed: nobody says when that is. */
  private readonly comingUp = new Set<string>()
  /** What comes of an object and its pod, for as long as neither has changed. */
  private readonly made = new WeakMap<
    GameServerItem,
    { readonly pod: PodItem | undefined; readonly placed: Placed[] }
  >()
  private readonly listeners = new Set<Listener>()
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
    const changed = (item: KubeItem) => {
      const { name } = item.metadata
      const { instanceId } = this.markOf(this.reflected.byName(name) ?? item) ?? {}
      for (const listener of [...this.listeners]) listener(name, instanceId)
    }
    const moved = (server: GameServerItem) => {
      this.group(server.metadata.name)
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

  subscribe(listener: Listener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** As it was heard last, with all that was done here; of some instances, or of all. */
  known(among?: ReadonlySet<string>): Placed[] {
    if (among === undefined)
      return this.reflected.all.flatMap((server) => this.placed(server, this.pods.byName(server.metadata.name)))
    return [...among].flatMap((instanceId) => this.named(this.instances.of(instanceId)))
  }

  knownByName(name: string): Placed | undefined {
    return this.named([name])[0]
  }

  /** Those of which it is to be found out whether they take players. */
  rising(): Placed[] {
    return this.named([...this.comingUp])
  }

  /** Whether anything of an instance was heard of in it. */
  holds(instanceId: string): boolean {
    return this.instances.has(instanceId)
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
    return this.ofPool(pool).flatMap((server) => this.waits(server))
  }

  /** Those of one pool that launches have taken. */
  taken(pool: string): readonly GameServerItem[] {
    return this.ofPool(pool).filter((server) => this.markOf(server) !== undefined)
  }

  /** The pools of which there is something. */
  poolsThere(): readonly string[] {
    return this.members.groups
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

  private group(name: string): void {
    const server = this.reflected.byName(name)
    const mark = server && this.markOf(server)
    this.members.put(name, server && poolOf(server.metadata))
    this.instances.put(name, mark?.instanceId)
    const isReady = server?.metadata.annotations?.[ANNOTATION.readyAt] !== undefined
    if (server !== undefined && mark !== undefined && !isReady && readinessOf(server) !== 'self')
      this.comingUp.add(name)
    else this.comingUp.delete(name)
  }

  private ofPool(pool: string): readonly GameServerItem[] {
    return this.members.of(pool).flatMap((name) => this.reflected.byName(name) ?? [])
  }

  private named(names: readonly string[]): Placed[] {
    return names.flatMap((name) => {
      const server = this.reflected.byName(name)
      return server === undefined ? [] : this.placed(server, this.pods.byName(name))
    })
  }

  /** The same for as long as neither has changed. */
  private placed(server: GameServerItem, pod: PodItem | undefined): Placed[] {
    const known = this.made.get(server)
    if (known !== undefined && known.pod === pod) return known.placed
    const mark = this.markOf(server)
    const its = pod !== undefined && belongs(pod, server.metadata) ? pod : undefined
    const placed = mark === undefined ? [] : [{ ...mark, server, pod: its }]
    this.made.set(server, { pod, placed })
    return placed
  }

  private markOf({ metadata }: KubeItem): LaunchMark | undefined {
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
