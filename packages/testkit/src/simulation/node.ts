import { createMatchyard, type Matchyard, type Region } from '@matchyard/core'
import {
  type Clock,
  type GuardedFetch,
  type Logger,
  noTracing,
  type Orchestrator,
  type PlayerTokens,
  type Storage,
  type Tracing,
} from '@matchyard/core/ports'
import { FakeLogger } from '../fakes/logger'
import { fakePlatform } from '../fakes/platform'
import { careless } from './careless'
import type { CommitAuditor } from './commit-auditor'
import type { Faults } from './faults'
import type { Machine } from './machine'
import type { PortSurroundings } from './port-surroundings'
import { scheduledOrchestrator } from './scheduled-orchestrator'
import { scheduledStorage } from './scheduled-storage'
import { type Life, whenItGoes } from './scheduler'
import { SimulatedAgent } from './simulated-agent'

/** Timeouts of the simulated nodes. They are short, so that a run often exceeds them. */
export const LAUNCH_TIMEOUT_MS = 20_000
const CAPACITY_TIMEOUT_MS = 15_000
export const STOP_GRACE_MS = 5_000

/** Ports (adapter interfaces) of a node whose calls the simulator schedules, and the port that verifies tokens. */
export interface SimulatedPorts {
  readonly storage: Storage
  readonly orchestrator: Orchestrator
  readonly logger: Logger
  readonly playerTokens: PlayerTokens
  readonly tracing: Tracing
}

/**
 * Returns faulty replacements for some ports of a node. A replacement that keeps pending work from finishing must become
 * correct soon after `faults.overSince`, because the run then ends.
 */
export type Spoil = (
  ports: SimulatedPorts,
  around: { readonly clock: Clock; readonly faults: Pick<Faults, 'overSince'> },
) => Partial<SimulatedPorts>

export interface NodeSurroundings extends PortSurroundings {
  /**
   * Returns faulty replacements for some ports of a node. They are in use from the node's start to its crash or stop.
   */
  readonly spoil: Spoil
  readonly openStore: () => Storage
  readonly seed: number
  /** Whether the node runs its own worker loop; otherwise commands run its ticks. */
  readonly loop: boolean
  /** Regions of the node's machine; undefined: all. */
  readonly regions: readonly Region[] | undefined
  /** Whether the node reaches its machine through an agent. */
  readonly agents: boolean
  /** Receiver of the studio's webhooks. */
  readonly receiver: GuardedFetch
  /** Checks the messages to webhooks in every commit. */
  readonly auditor: CommitAuditor
  /** Prepares a node that has opened, before it accepts calls. */
  readonly opened: (matchyard: Matchyard) => Promise<void>
  /** Receives the type of every domain event. */
  readonly told: (type: string) => void
}

/** Returns the storage with functions that call `wrote` when they write. */
const toldOfWrites = (storage: Storage, wrote: () => void): Storage => {
  const telling =
    <A extends unknown[], T>(write: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      wrote()
      return write.apply(storage, args).finally(wrote)
    }
  return { ...storage, commit: telling(storage.commit), prune: telling(storage.prune) }
}

/**
 * A node that may crash at any time. It then starts again on the same storage and machine, with an empty memory. Each
 * start begins a new life of the node.
 */
export class SimulatedNode {
  life: Life
  matchyard: Matchyard
  /** Whether the node accepts calls; false until it has opened. */
  serving = false
  /** Log lines of all lives of the node. */
  readonly logger = new FakeLogger()
  private raw: Storage | undefined
  /** Agent of the machine; undefined when the node itself runs the servers. */
  private readonly agent: SimulatedAgent | undefined

  constructor(
    readonly id: string,
    readonly machine: Machine,
    private readonly around: NodeSurroundings,
  ) {
    this.life = { nodeId: id, number: 0, alive: false, missed: undefined }
    this.agent = around.agents ? new SimulatedAgent(id, machine, around) : undefined
    this.matchyard = this.start()
  }

  /** Starts a new life of the node. The node accepts calls after `open`. */
  start(): Matchyard {
    const { around, id, machine } = this
    const life = { nodeId: id, number: this.life.number + 1, alive: true, missed: undefined }
    this.life = life
    this.raw = toldOfWrites(around.openStore(), around.wrote)
    const seed = around.seed * 1_000 + life.number * 10 + Number(id.slice(-1))
    const platform = fakePlatform({ seed, clock: around.clock })
    const refusing = careless(this.logger, life, around.faults)
    const timers = {
      after: (ms: number, callback: () => void) => around.clock.after(ms, () => whenItGoes(life, callback)),
    }
    const ports: SimulatedPorts = {
      storage: scheduledStorage(around.auditor.audited(this.raw), life, around),
      orchestrator:
        this.agent?.serve(life, { timers, logger: refusing.logger }) ?? scheduledOrchestrator(machine, life, around),
      logger: refusing.logger,
      playerTokens: platform.playerTokens,
      tracing: noTracing,
    }
    this.matchyard = createMatchyard({
      ...platform,
      guardedFetch: around.receiver,
      timers,
      ...ports,
      ...around.spoil(ports, around),
      nodeId: id,
      ...(around.regions === undefined ? {} : { regions: around.regions }),
      launchTimeoutMs: LAUNCH_TIMEOUT_MS,
      capacityTimeoutMs: CAPACITY_TIMEOUT_MS,
      stopGraceMs: STOP_GRACE_MS,
    })
    this.matchyard.events.on('*', (event) => {
      around.told(event.type)
      refusing.listener()
    })
    return this.matchyard
  }

  /** Opens the service in this life; from then on, the node accepts calls. */
  async open(): Promise<void> {
    const { life, matchyard } = this
    await (this.around.loop ? matchyard.start() : matchyard.open())
    if (this.life === life) await this.around.opened(matchyard)
    this.serving = this.life === life
  }

  crash(): void {
    this.serving = false
    this.around.scheduler.end(this.life)
    this.agent?.leave()
    // Closes the handle, as the end of the process would do. This also ends the subscriptions of the handle.
    void this.raw?.close()
  }
}
