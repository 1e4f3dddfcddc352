import type { PortMapping, PortRequest } from '@matchyard/core'
import { SECOND_MS } from '@matchyard/core/domain'
import type { LaunchResult, LaunchSpec, Orchestrator } from '@matchyard/core/ports'
import { PortFailure } from './faults'
import type { Behaviour, Machine } from './machine'
import type { PortSurroundings } from './port-surroundings'
import { type Life, never } from './scheduler'

/** Range of the external ports of one machine. The range is small, so that launches ask for the same ports. */
const PORTS = { first: 7_000, count: 12 } as const

/** Milliseconds during which the orchestrator does not observe a process whose records were damaged. */
const OVERLOOKED_MS = 4 * SECOND_MS

/**
 * Returns an orchestrator that runs simulated processes on a machine. Every call waits for its turn (see `Scheduler`)
 * and may fail.
 */
export function scheduledOrchestrator(machine: Machine, life: Life, around: PortSurroundings): Orchestrator {
  const { scheduler, faults, clock } = around
  const now = () => clock.now()
  const strikes = (kind: Parameters<typeof faults.strikes>[0]) => faults.strikes(kind, life.nodeId)

  const turn = async (what: string): Promise<void> => {
    await scheduler.turn(life, what)
    if (strikes('crash-anywhere')) {
      around.crash(life.nodeId)
      await never()
    }
    if (strikes('orchestrator-down')) throw new PortFailure(`simulated: ${what} failed`)
  }

  const launch = async (spec: LaunchSpec): Promise<LaunchResult> => {
    await turn(`launch ${spec.instanceId}#${spec.attempt}`)
    if (machine.wasLaunched(spec)) return { ok: true }
    if (machine.isOvertaken(spec))
      return { ok: false, reason: 'retry', message: 'simulated: a later attempt was launched' }
    if (strikes('launch-refused')) return { ok: false, reason: 'retry', message: 'simulated: no memory' }
    if (strikes('launch-final')) return { ok: false, reason: 'final', message: 'simulated: no such file' }
    if (machine.isBroken(now())) return { ok: false, reason: 'machine', message: 'simulated: the disk is full' }
    const room = machine.room(spec.instanceId, [], spec.tierSize, now())
    if (!room.ok) return { ok: false, reason: 'no_room', message: `simulated: ${room.message}` }
    const isOffered = machine.waitsFor(spec) !== undefined
    const taken = (!isOffered && spec.networkPorts.some((port) => machine.holds(port))) || strikes('address-in-use')
    if (taken) return { ok: false, reason: 'address_in_use', message: 'simulated: the port is taken' }
    machine.spawn(spec, behaviour(), now())
    if (strikes('launch-answer-lost')) throw new PortFailure('simulated: the answer of a launch was lost')
    await scheduler.turn(life, 'hears of launch')
    return { ok: true }
  }

  /** Damages the records of one random process, if this fault is armed. */
  const damage = (): void => {
    const { alive } = machine
    const process = alive[scheduler.random.int(Math.max(1, alive.length))]
    if (process === undefined) return
    if (strikes('attempt-damaged')) machine.exit(process, null, now())
    else if (strikes('attempt-overlooked')) machine.overlook(process, now() + OVERLOOKED_MS)
  }

  const drawPorts = (requests: readonly PortRequest[]): PortMapping[] => {
    const drawn = new Set<number>()
    return requests.map((request): PortMapping => {
      let externalPort: number
      do externalPort = PORTS.first + scheduler.random.int(PORTS.count)
      while (drawn.has(externalPort))
      drawn.add(externalPort)
      return { ...request, externalPort, host: machine.host }
    })
  }

  const behaviour = (): Behaviour => ({
    exitsAtOnce: strikes('exits-at-once'),
    neverReady: strikes('never-ready'),
    ignoresSigterm: strikes('ignores-sigterm'),
  })

  return {
    name: 'simulated',
    capabilities: { buildTypes: ['zip', 'docker_image'], limitations: [], keepsWarm: true },
    open: () => turn('orchestrator.open'),
    close: async () => {},
    proposePorts: async (requests, pool) => {
      await turn('proposePorts')
      // Two launches may both be offered the same warm server. The service then refuses the commit that records the
      // second launch.
      const offered = machine.waiting.find(({ key }) => key === pool)
      return offered === undefined ? drawPorts(requests) : [...offered.ports]
    },
    keepWarm: async (pools) => {
      await turn('keepWarm')
      const [first] = machine.waiting
      if (first !== undefined && strikes('warm-one-ends')) machine.endWaiting(first)
      const there = machine.keepWarm(pools, ({ portRequests }) => drawPorts(portRequests), now())
      await scheduler.turn(life, 'hears of keepWarm')
      return there
    },
    admit: async ({ instanceId, tierSize, held }) => {
      await turn('admit')
      return machine.room(instanceId, await held(), tierSize, now())
    },
    launch,
    stop: async (instanceId, { graceMs }) => {
      await turn(`stop ${instanceId}`)
      machine.stop(instanceId, graceMs, now())
    },
    observe: async () => {
      await turn('observe')
      machine.passTime(now())
      damage()
      const seen = machine.observe(now())
      // Other calls may run before this turn, so the result may be out of date when the caller uses it.
      await scheduler.turn(life, 'hears of observe')
      return seen
    },
    forget: async (instanceId) => {
      await turn(`forget ${instanceId}`)
      machine.forget(instanceId, now())
    },
    prune: () => turn('prune'),
    logs: async () => [],
    prepareImage: async (image) => ({ ok: true, image, sizeBytes: 1 }),
    subscribe: () => () => {},
  }
}
