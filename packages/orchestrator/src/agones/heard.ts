import type { Logger } from '@matchyard/core/ports'
import { belongs } from './belongs'
import { isKnownReady, readinessOf } from './condition'
import { Grouped } from './grouped'
import type { KubeClient, Pauses } from './kube/client'
import { Reflector } from './kube/reflector'
import { GAMESERVERS, PODS } from './kube/resources'
import type { GameServerItem, KubeItem, PodItem } from './kube/shapes'
import { installationSelector, type LaunchMark, launchMark, poolOf } from './names'

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

/** Hears the name of what changed, and of which instance it is, where it is one's. */
type Listener = (name: string, instanceId: string | undefined) => void

interface Surroundings {
  readonly cluster: string
  readonly installationId: string
  readonly pauses: Pauses
  readonly logger: Logger
}

/** What a cluster holds of this installation, as it was heard last, with all that was done here. A look at some costs what these are, and not what there is. */
export class Heard {
  readonly servers: Reflector<GameServerItem>
  readonly pods: Reflector<PodItem>
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

  /** For how long it was not heard; infinite where it never was. */
  silentMs(): number {
    return Math.max(this.servers.silentMs(), this.pods.silentMs())
  }

  subscribe(listener: Listener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Of some instances, or of all. */
  known(among?: ReadonlySet<string>): Placed[] {
    if (among === undefined)
      return this.servers.all.flatMap((server) => this.placed(server, this.pods.byName(server.metadata.name)))
    return [...among].flatMap((instanceId) => this.named(this.instances.of(instanceId)))
  }

  knownByName(name: string): Placed | undefined {
    return this.named([name])[0]
  }

  /** Those of which it is to be found out whether they take players. */
  rising(): Placed[] {
    return this.named([...this.comingUp])
  }

  /** Whether anything of an instance is in it. */
  holds(instanceId: string): boolean {
    return this.instances.has(instanceId)
  }

  /** The pools of which there is something. */
  pools(): readonly string[] {
    return this.members.groups
  }

  /** Those of one pool that wait for a launch. */
  waiting(pool: string): readonly Waiting[] {
    return this.ofPool(pool).flatMap((server) => this.waits(server))
  }

  /** Those of one pool that launches have taken. */
  taken(pool: string): readonly GameServerItem[] {
    return this.ofPool(pool).filter((server) => this.markOf(server) !== undefined)
  }

  waitingByName(name: string): Waiting | undefined {
    const server = this.servers.byName(name)
    return server === undefined ? undefined : this.waits(server)[0]
  }

  /** A game server as a launch is it; none where it is no launch's. The same for as long as neither object has changed. */
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
