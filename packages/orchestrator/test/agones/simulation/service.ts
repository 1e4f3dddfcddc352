import { createMatchyard, type Matchyard } from '@matchyard/core'
import type { Orchestrator, Storage } from '@matchyard/core/ports'
import { type FakeClock, FakeLogger, fakePlatform } from '@matchyard/testkit'
import { agonesIn } from '../../../src/agones/agones-orchestrator'
import type { Containers } from './containers'
import { Life } from './life'
import type { Network } from './network'
import { mortalStorage, type StorageSurroundings } from './storage'

/** Number of notes about ended servers that are kept. */
export const KEPT_ENDED = 4

export interface ServiceSurroundings extends StorageSurroundings {
  readonly clock: FakeClock
  readonly seed: number
  readonly network: Network
  readonly containers: Containers
  readonly openStore: () => Storage
  readonly kubeconfig: string
  readonly launchTimeoutMs: number
}

/** A node of the service. It may die at any moment, and comes back with only the storage and the cluster. */
export class Service {
  life: Life
  readonly logger = new FakeLogger()
  private current: Matchyard | undefined
  private lives = 0
  /** Orchestrators of all lives of this node. */
  private readonly orchestrators: Orchestrator[] = []

  constructor(
    readonly name: string,
    private readonly around: ServiceSurroundings,
  ) {
    this.life = new Life(name, around.clock)
    this.life.end()
  }

  /** The running service; undefined while the node is down. */
  get matchyard(): Matchyard | undefined {
    return this.life.alive ? this.current : undefined
  }

  /** Resolves once the node connects to the cluster; it goes on as simulated time passes. */
  async start(): Promise<void> {
    if (this.life.alive) return
    const { clock, seed, network, containers, openStore, kubeconfig, launchTimeoutMs } = this.around
    const life = new Life(this.name, clock)
    this.life = life
    let reached = () => {}
    // The library for kubeconfigs is loaded in real time, not in simulated time.
    const reaches = new Promise<void>((resolve) => {
      reached = resolve
      life.whenOver(resolve)
    })
    const orchestrator = agonesIn(
      { installationId: 'simulated', kubeconfig, clock, logger: this.logger, registries: ['*'], keptEnded: KEPT_ENDED },
      {
        pauses: { now: () => clock.now(), pause: (ms, signal) => life.pause(ms, signal) },
        knock: async (_, port) => {
          await life.pause(1)
          return containers.accepts(port) ? 'accepts' : 'refuses'
        },
        connect: () => {
          reached()
          return network.connection(life)
        },
      },
    )
    this.orchestrators.push(orchestrator)
    const platform = fakePlatform({ seed: seed * 100 + ++this.lives * 10 + Number(this.name.slice(-1)), clock })
    const matchyard = createMatchyard({
      ...platform,
      timers: { after: (ms, work) => life.after(ms, work) },
      logger: this.logger,
      storage: mortalStorage(openStore(), life, this.around),
      orchestrator,
      nodeId: this.name,
      launchTimeoutMs,
      stopGraceMs: 5_000,
    })
    this.current = matchyard
    matchyard.start().catch((error: unknown) => this.logger.error('it does not open', { error: String(error) }))
    await reaches
  }

  die(): void {
    this.life.end()
  }

  /**
   * Closes all orchestrators at the end of the run. A node that dies aborts nothing, so listeners on its signals would
   * keep it in memory.
   */
  async forget(): Promise<void> {
    this.die()
    for (const one of this.orchestrators.splice(0)) await one.close()
  }
}
