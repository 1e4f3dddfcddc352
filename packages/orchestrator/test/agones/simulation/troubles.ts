import type { FakeClock, FakeRandom } from '@matchyard/testkit'
import { ANNOTATION } from '../../../src/agones/names'
import { FLEET_LABEL } from '../../../src/agones/testing/agones/fleets'
import {
  FLEETS,
  GAMESERVERS,
  type KubeObject,
  PODS,
  SECRETS,
  type TestCluster,
} from '../../../src/agones/testing/index'
import type { Access } from '../../../src/agones/testing/kubernetes/access'
import type { Fate } from '../../../src/agones/testing/kubernetes/faults'
import { qualified } from '../../../src/agones/testing/kubernetes/naming'
import type { Requests } from '../../../src/agones/testing/kubernetes/requests'
import { ApiStatus } from '../../../src/agones/testing/kubernetes/status'
import type { Command, TroubleKind } from './commands'
import type { Network } from './network'
import { type Span, withinMs } from './spans'

const NAMESPACE = 'games'
const SECOND_MS = 1_000
/** Troubles during which a change that takes several calls may or may not complete. */
const HINDERING: readonly TroubleKind[] = ['lossy', 'throttled', 'errors', 'stranger']

export interface TroubledCluster extends Pick<TestCluster, 'api' | 'kubelet' | 'agones'> {
  readonly requests: Requests
}

/** Troubles of the cluster, and of the network to it. */
export class Troubles {
  private readonly until = new Map<TroubleKind, number>()
  private readonly hindered: Span[] = []
  /** Names of objects that a trouble has changed or deleted. */
  readonly touched = new Set<string>()

  constructor(
    private readonly clock: FakeClock,
    private readonly random: FakeRandom,
    private readonly cluster: TroubledCluster,
    private readonly network: Network,
    /** Called each time that a trouble has an effect. */
    private readonly happened: (kind: TroubleKind) => void,
  ) {
    const { faults } = cluster.requests
    faults.judge = (access) => this.fateOf(access)
    faults.judgeAllocation = () => {
      if (this.is('contention')) return this.did('contention', 'contention')
      return this.is('allocate twice') && this.random.int(2) === 0 ? this.did('allocate twice', 'twice') : 'pass'
    }
    cluster.api.admissions.push((resource, { metadata }, before) => {
      const isTold =
        metadata.annotations?.[ANNOTATION.configuration] !== before?.metadata.annotations?.[ANNOTATION.configuration]
      if (resource === PODS && isTold && this.is('pods are sealed'))
        throw this.did('pods are sealed', new ApiStatus('Forbidden', 'a policy denies it'))
    })
    faults.judgeEvent = () => {
      if (!this.is('cut at events')) return 'pass'
      const fate = (['before', 'after', 'pass', 'pass'] as const)[random.int(4)] ?? 'pass'
      return fate === 'pass' ? fate : this.did('cut at events', fate)
    }
  }

  /** Begins the trouble of a command. Returns false when the command is no trouble of the cluster. */
  begin({ kind, a, b }: Command): boolean {
    if (!(kind in this.kinds)) return false
    this.kinds[kind as Exclude<TroubleKind, 'kill'>](a, b)
    return true
  }

  /** Time at which the last outage that has begun is over. */
  get awayUntil(): number {
    return Math.max(this.until.get('refused') ?? 0, this.until.get('silent') ?? 0)
  }

  /**
   * Returns the milliseconds between two times in which changes may have been hindered. Overlapping troubles count
   * twice.
   */
  hinderedMs(from: number, to: number): number {
    return withinMs(this.hindered, from, to)
  }

  /** Ends all troubles. */
  end(): void {
    this.until.clear()
    this.network.become('fine')
    this.network.catchUp()
    this.cluster.api.quotas.clear()
    this.cluster.agones.resume()
    for (const node of this.cluster.kubelet.nodes) {
      node.cordoned = false
      node.capacity = Number.POSITIVE_INFINITY
    }
    this.cluster.kubelet.look()
  }

  private readonly kinds: Readonly<Record<Exclude<TroubleKind, 'kill'>, (a: number, b: number) => void>> = {
    lossy: (a) => this.lasts('lossy', 2 + (a % 20)),
    refused: (a) => this.away('refused', a % 3 === 0 ? 60 : 1 + (a % 20)),
    silent: (a) => this.away('silent', a % 3 === 0 ? 60 : 1 + (a % 20)),
    throttled: (a, b) => {
      this.cluster.requests.faults.retryAfter = b % 12
      this.lasts('throttled', 1 + (a % 15))
    },
    errors: (a) => this.lasts('errors', 1 + (a % 20)),
    stranger: (a) => this.lasts('stranger', 5 + (a % 30)),
    compact: (a) => {
      this.cluster.requests.faults.expiredAs = a % 2 === 0 ? 'event' : 'status'
      this.cluster.requests.cutWatches()
      // By then, an object may have changed without any watch that reports it.
      this.clock.after(50 + (a % 50), () => this.cluster.api.store.compact())
      this.lasts('compact', 1 + (a % 5))
      this.happened('compact')
    },
    cut: () => {
      if (this.cluster.requests.watches > 0) this.happened('cut')
      this.cluster.requests.cutWatches()
    },
    behind: (a) => {
      this.network.fallBehind()
      this.happened('behind')
      this.lasts('behind', 2 + (a % 40))
      this.clock.after((2 + (a % 40)) * SECOND_MS, () => {
        if (!this.is('behind')) this.network.catchUp()
      })
    },
    'cut at events': (a) => this.lasts('cut at events', 5 + (a % 30)),
    quota: (a, b) => this.quota('quota', GAMESERVERS, b % 3, 5 + (a % 40)),
    'pod quota': (a, b) => this.quota('pod quota', PODS, b % 3, 5 + (a % 40)),
    'secret quota': (a, b) => this.quota('secret quota', SECRETS, b % 3, 5 + (a % 40)),
    'delete game server': (a) => this.lay('delete game server', GAMESERVERS, a),
    'delete pod': (a) => this.lay('delete pod', PODS, a),
    'force-delete pod': (a) => this.lay('force-delete pod', PODS, a, { gracePeriodSeconds: 0 }),
    'delete secret': (a) => this.lay('delete secret', SECRETS, a),
    drain: (a, b) => {
      const { kubelet, api } = this.cluster
      const node = kubelet.nodes[a % kubelet.nodes.length]
      if (node === undefined) return
      const its = api.store.list(PODS).filter(({ spec }) => spec.nodeName === node.name)
      for (const { metadata } of its) this.touched.add(metadata.name)
      if (its.length > 0) this.happened('drain')
      kubelet.drain(node.name)
      this.clock.after((5 + (b % 40)) * SECOND_MS, () => {
        node.cordoned = false
        kubelet.look()
      })
    },
    full: (a) => {
      const { kubelet } = this.cluster
      for (const node of kubelet.nodes) node.capacity = 1
      this.happened('full')
      this.clock.after((5 + (a % 40)) * SECOND_MS, () => {
        for (const node of kubelet.nodes) node.capacity = Number.POSITIVE_INFINITY
        kubelet.look()
      })
    },
    contention: (a) => this.lasts('contention', 2 + (a % 20)),
    'allocations fail': (a) => this.lasts('allocations fail', 5 + (a % 30)),
    'pods are sealed': (a) => this.lasts('pods are sealed', 5 + (a % 30)),
    'allocate twice': (a) => this.lasts('allocate twice', 20 + (a % 40)),
    'delete fleet': (a) => {
      const { store } = this.cluster.api
      const fleets = store.list(FLEETS)
      const name = fleets[a % Math.max(1, fleets.length)]?.metadata.name
      if (name === undefined) return
      for (const { metadata } of store.list(GAMESERVERS))
        if (metadata.labels?.[FLEET_LABEL] === name) this.touched.add(metadata.name)
      this.happened('delete fleet')
      this.cluster.api.delete(FLEETS, NAMESPACE, name, {})
    },
    'agones away': (a) => {
      this.cluster.agones.pause()
      this.happened('agones away')
      this.clock.after((2 + (a % 30)) * SECOND_MS, () => this.cluster.agones.resume())
    },
  }

  private fateOf({ verb, resource, name }: Access): Fate {
    if (this.is('throttled')) return this.did('throttled', 'throttle')
    if (this.is('errors') && this.random.int(2) === 0) return this.did('errors', 'error')
    if (this.is('allocations fail') && resource === 'gameserverallocations')
      return this.did('allocations fail', this.random.int(4) === 0 ? 'lost' : 'error')
    if (this.is('compact') && verb === 'list') this.cluster.api.store.compact()
    if (this.is('stranger') && verb === 'patch' && name !== undefined) this.write(resource, name)
    if (!this.is('lossy')) return 'pass'
    const fate = (['lost', 'lost', 'down', 'pass', 'pass'] as const)[this.random.int(5)] ?? 'pass'
    return fate === 'pass' ? fate : this.did('lossy', fate)
  }

  private write(plural: string, name: string): void {
    const resource = [GAMESERVERS, FLEETS, PODS, SECRETS].find((one) => one.plural === plural)
    if (resource === undefined || this.cluster.api.store.find(resource, NAMESPACE, name) === undefined) return
    this.happened('stranger')
    const annotations = { stranger: String(this.clock.now()) }
    this.cluster.api.patch(resource, NAMESPACE, name, { metadata: { annotations } })
  }

  private lay(
    kind: TroubleKind,
    resource: typeof PODS,
    a: number,
    options: { gracePeriodSeconds?: number } = {},
  ): void {
    // Notes are not deleted: they are the service's only record of ended servers.
    const objects = this.cluster.api.store
      .list(resource)
      .filter((one: KubeObject) => !one.metadata.name.endsWith('-ended'))
    const object = objects[a % Math.max(1, objects.length)]
    if (object === undefined) return
    this.touched.add(object.metadata.name)
    this.happened(kind)
    this.cluster.api.delete(resource, NAMESPACE, object.metadata.name, options)
  }

  private quota(kind: TroubleKind, resource: typeof PODS, more: number, seconds: number): void {
    const { quotas, store } = this.cluster.api
    const what = `count/${qualified(resource)}`
    this.happened(kind)
    quotas.set(what, store.list(resource).length + more)
    this.clock.after(seconds * SECOND_MS, () => quotas.delete(what))
  }

  private away(state: 'refused' | 'silent', seconds: number): void {
    this.network.become(state)
    this.lasts(state, seconds)
    this.clock.after(seconds * SECOND_MS, () => {
      if (!this.is('refused') && !this.is('silent')) this.network.become('fine')
    })
  }

  private lasts(kind: TroubleKind, seconds: number): void {
    if (HINDERING.includes(kind))
      this.hindered.push({ from: this.clock.now(), to: this.clock.now() + seconds * SECOND_MS })
    this.until.set(kind, Math.max(this.until.get(kind) ?? 0, this.clock.now() + seconds * SECOND_MS))
  }

  /** Reports that a trouble has an effect, and returns the outcome. */
  private did<T>(kind: TroubleKind, outcome: T): T {
    this.happened(kind)
    return outcome
  }

  private is(kind: TroubleKind): boolean {
    return this.clock.now() < (this.until.get(kind) ?? 0)
  }
}
