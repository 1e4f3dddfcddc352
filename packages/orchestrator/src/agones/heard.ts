import type { Logger } from '@matchyard/core/ports'
import { belongs } from './belongs'
import { isKnownReady, readinessOf } from './condition'
import { Grouped } from './grouped'
import type { KubeClient, Pauses } from './kube/client'
import { Reflector } from './kube/reflector'
import { GAMESERVERS, PODS } from './kube/resources'
import type { GameServerItem, KubeItem, PodItem } from './kube/shapes'
import { installationSelector, type LaunchMark, launchMark, poolOf } from './names'

/** A game server that belongs to a launch, with its pod when a pod exists. */
export interface Placed extends LaunchMark {
  readonly server: GameServerItem
  readonly pod: PodItem | undefined
}

/** A warm game server that no launch has taken. */
export interface Waiting {
  readonly pool: string
  readonly server: GameServerItem
  readonly pod: PodItem | undefined
}

/** Receives the name of a changed object, and the id of its instance when the object belongs to a launch. */
type Listener = (name: string, instanceId: string | undefined) => void

interface Surroundings {
  readonly cluster: string
  readonly installationId: string
  readonly pauses: Pauses
  readonly logger: Logger
}

/**
 * Local view of this installation's game servers and pods in one cluster: the last state that the cluster reported,
 * together with this service's own writes. Reading some objects takes time in proportion to their number, not to the
 * number of all objects.
 */
export class Heard {
  readonly servers: Reflector<GameServerItem>
  readonly pods: Reflector<PodItem>
  private readonly members = new Grouped()
  private readonly instances = new Grouped()
  /**
   * Names of game servers that become ready when their ports accept connections or after some time. The cluster sends
   * no event at that moment.
   */
  private readonly comingUp = new Set<string>()
  /** Results of `placed`. A result is valid while neither the game server object nor its pod object has changed. */
  private readonly made = new WeakMap<
    GameServerItem,
    { readonly pod: PodItem | undefined; readonly placed: Placed[] }
  >()
  private readonly listeners = new Set<Listener>()
  private readonly installationId: string

  constructor(client: KubeClient, { cluster, installationId, pauses, logger }: Surroundings) {
    this.installationId = installationId
    const selector = installationSelector(installationId)
    const trouble = (error: string) => logger.debug('a cluster is not heard', { cluster, error })
    const changed = (item: KubeItem) => this.tell(item)
    const moved = (server: GameServerItem) => {
      this.group(server.metadata.name)
      this.tell(server)
    }
    this.servers = new Reflector(client, GAMESERVERS, selector, pauses, { changed: moved, trouble })
    this.pods = new Reflector(client, PODS, selector, pauses, { changed, trouble })
  }

  start(): void {
    this.servers.start()
    this.pods.start()
  }

  stop(): void {
    this.servers.stop()
    this.pods.stop()
    this.listeners.clear()
  }

  async whenListed(): Promise<void> {
    await Promise.all([this.servers.whenListed(), this.pods.whenListed()])
  }

  /**
   * Milliseconds since the last list or event of the cluster, for the watch whose last message is older; infinite
   * before the first list.
   */
  silentMs(): number {
    return Math.max(this.servers.silentMs(), this.pods.silentMs())
  }

  subscribe(listener: Listener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Returns the game servers of the given instances, or of all instances. */
  known(among?: ReadonlySet<string>): Placed[] {
    if (among === undefined)
      return this.servers.all.flatMap((server) => this.placed(server, this.pods.byName(server.metadata.name)))
    return [...among].flatMap((instanceId) => this.named(this.instances.of(instanceId)))
  }

  knownByName(name: string): Placed | undefined {
    return this.named([name])[0]
  }

  /** Returns the game servers that are not known to be ready yet. */
  rising(): Placed[] {
    return this.named([...this.comingUp])
  }

  /** Whether the view contains a game server of the instance. */
  holds(instanceId: string): boolean {
    return this.instances.has(instanceId)
  }

  /** Returns the hashes of the warm pools that have at least one game server in the view. */
  pools(): readonly string[] {
    return this.members.groups
  }

  /** Returns the warm game servers of a pool that no launch has taken. */
  waiting(pool: string): readonly Waiting[] {
    return this.ofPool(pool).flatMap((server) => this.waits(server))
  }

  /** Returns the game servers of a pool that launches have taken. */
  taken(pool: string): readonly GameServerItem[] {
    return this.ofPool(pool).filter((server) => this.markOf(server) !== undefined)
  }

  waitingByName(name: string): Waiting | undefined {
    const server = this.servers.byName(name)
    return server === undefined ? undefined : this.waits(server)[0]
  }

  /**
   * Returns an array with the game server, its pod, and the instance id and attempt of its launch; an empty array when
   * the game server belongs to no launch. Returns the same array while neither object has changed.
   */
  placed(server: GameServerItem, pod: PodItem | undefined): readonly Placed[] {
    const known = this.made.get(server)
    if (known !== undefined && known.pod === pod) return known.placed
    const mark = this.markOf(server)
    const its = pod !== undefined && belongs(pod, server.metadata) ? pod : undefined
    const placed = mark === undefined ? [] : [{ ...mark, server, pod: its }]
    this.made.set(server, { pod, placed })
    return placed
  }

  markOf({ metadata }: KubeItem): LaunchMark | undefined {
    return launchMark(metadata, this.installationId)
  }

  private tell(item: KubeItem): void {
    const { name } = item.metadata
    const { instanceId } = this.markOf(this.servers.byName(name) ?? item) ?? {}
    for (const listener of [...this.listeners]) listener(name, instanceId)
  }

  private group(name: string): void {
    const server = this.servers.byName(name)
    const mark = server && this.markOf(server)
    this.members.put(name, server && poolOf(server.metadata))
    this.instances.put(name, mark?.instanceId)
    if (server !== undefined && mark !== undefined && !isKnownReady(server) && readinessOf(server) !== 'self')
      this.comingUp.add(name)
    else this.comingUp.delete(name)
  }

  private ofPool(pool: string): readonly GameServerItem[] {
    return this.members.of(pool).flatMap((name) => this.servers.byName(name) ?? [])
  }

  private named(names: readonly string[]): Placed[] {
    return names.flatMap((name) => {
      const server = this.servers.byName(name)
      return server === undefined ? [] : this.placed(server, this.pods.byName(name))
    })
  }

  private waits(server: GameServerItem): Waiting[] {
    const { metadata } = server
    const pool = poolOf(metadata)
    if (pool === undefined || this.markOf(server) !== undefined) return []
    const pod = this.pods.byName(metadata.name)
    return [{ pool, server, pod: pod !== undefined && belongs(pod, metadata) ? pod : undefined }]
  }
}
