import { createMatchyard, DEFAULT_TIER, type Matchyard, type MatchyardOptions, TIER_SIZES } from '@matchyard/core'
import { type NodeLimits, type Orchestrator, othersOf, roomBeside, type Storage } from '@matchyard/core/ports'
import { emptyMemoryData, type MemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, fakePlatform } from '@matchyard/testkit'
import { Machine } from '@matchyard/testkit/simulation'

type Call = 'launch' | 'observe' | 'forget' | 'stop' | 'proposePorts'

/** Orchestrator of one machine; a test can hold its calls before or after their effect. */
export class HeldOrchestrator implements Orchestrator {
  readonly name = 'held'
  readonly capabilities = { buildTypes: ['docker_image'] as const, limitations: [], keepsWarm: false }
  /** Results that the next launches return instead of spawning a process. */
  readonly refusals: Awaited<ReturnType<Orchestrator['launch']>>[] = []
  private readonly gates: { call: Call; when: 'before' | 'after'; passed: Promise<void>; reached: () => void }[] = []
  /** Bounds of the servers on this node. */
  limits: NodeLimits = {}
  private nextPort = 7_000

  constructor(
    readonly machine: Machine,
    private readonly now: () => number,
  ) {}

  /** Holds the next such call until `release`; `reached` resolves when the call is held. */
  hold(call: Call, when: 'before' | 'after'): { release: () => void; reached: Promise<void> } {
    let release = () => {}
    const passed = new Promise<void>((resolve) => {
      release = resolve
    })
    const reached = new Promise<void>((resolve) => this.gates.push({ call, when, passed, reached: resolve }))
    return { release, reached }
  }

  async open() {}
  async close() {}
  async prepareImage(image: string) {
    return { ok: true as const, image, sizeBytes: 1 }
  }
  async prune() {}
  async logs() {
    return []
  }
  subscribe() {
    return () => {}
  }

  admit: Orchestrator['admit'] = async (wish) => {
    const running = this.machine.alive.map(({ instanceId }) => ({ instanceId, tierSize: TIER_SIZES[DEFAULT_TIER] }))
    return roomBeside(this.limits, othersOf(wish.instanceId, await wish.held(), running), wish.tierSize)
  }
  keepWarm: Orchestrator['keepWarm'] = async () => []
  proposePorts: Orchestrator['proposePorts'] = (requests) =>
    this.gated('proposePorts', () =>
      requests.map((request) => ({ ...request, host: this.machine.host, externalPort: this.nextPort++ })),
    )
  launch: Orchestrator['launch'] = (spec) =>
    this.gated('launch', () => {
      const refusal = this.refusals.shift()
      if (refusal !== undefined) return refusal
      if (!this.machine.wasLaunched(spec)) this.machine.spawn(spec, {}, this.now())
      return { ok: true }
    })
  stop: Orchestrator['stop'] = (instanceId, { graceMs }) =>
    this.gated('stop', () => this.machine.stop(instanceId, graceMs, this.now()))
  forget: Orchestrator['forget'] = (instanceId) =>
    this.gated('forget', () => this.machine.forget(instanceId, this.now()))
  observe: Orchestrator['observe'] = () =>
    this.gated('observe', () => {
      this.machine.passTime(this.now())
      return this.machine.observe(this.now())
    })

  private async gated<T>(call: Call, effect: () => T): Promise<T> {
    await this.wait(call, 'before')
    const result = effect()
    await this.wait(call, 'after')
    return result
  }

  private async wait(call: Call, when: 'before' | 'after'): Promise<void> {
    const index = this.gates.findIndex((gate) => gate.call === call && gate.when === when)
    const [gate] = index === -1 ? [] : this.gates.splice(index, 1)
    gate?.reached()
    await gate?.passed
  }
}

export interface Service {
  readonly matchyard: Matchyard
  readonly orchestrator: HeldOrchestrator
  readonly machine: Machine
  readonly clock: FakeClock
  readonly projectId: string
  /** Content of the memory storage. */
  readonly data: MemoryData
  /** Starts another process on the same storage: the same node after a crash, or another node. */
  another(options: {
    nodeId: string
    machine?: Machine
  }): Promise<{ matchyard: Matchyard; orchestrator: HeldOrchestrator }>
}

/** Returns a service on a memory storage with a ready build named `arena`; `around` replaces methods of the storage. */
export async function service(
  around: (storage: Storage) => Partial<Storage> = () => ({}),
  more: Partial<MatchyardOptions> = {},
): Promise<Service> {
  const clock = new FakeClock()
  const machine = new Machine('host-1')
  const data = emptyMemoryData()
  let lives = 0
  const start = async (nodeId: string, on: Machine) => {
    const orchestrator = new HeldOrchestrator(on, () => clock.now())
    const storage = memoryStorage({ data })
    const matchyard = createMatchyard({
      ...fakePlatform({ clock, seed: ++lives }),
      storage: { ...storage, ...around(storage) },
      orchestrator,
      nodeId,
      ...more,
    })
    await matchyard.open()
    return { matchyard, orchestrator }
  }
  const { matchyard, orchestrator } = await start('node', machine)
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
  await matchyard.worker.runDueJobs()
  return {
    matchyard,
    orchestrator,
    machine,
    clock,
    projectId,
    data,
    another: ({ nodeId, machine: on }) => start(nodeId, on ?? machine),
  }
}

/** Resolves when all work is done that needs no time to pass. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
