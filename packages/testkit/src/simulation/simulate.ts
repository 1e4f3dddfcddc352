import type { Storage } from '@matchyard/core/ports'
import { emptyMemoryData, type MemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FakeRandom } from '../fakes/random'
import { type Command, type CommandKind, describeCommand, drawCommands } from './commands'
import { FAULT_KINDS, type FaultKind } from './faults'
import type { Violation } from './inspector'
import type { SimulatedPorts } from './node'
import { pastOf } from './past'
import { type RunReport, run } from './run'
import { shrink } from './shrink'
import type { WorldOptions } from './world'

export interface SimulationOptions {
  /** Seed of all random choices: the same seed and options give the same run. */
  readonly seed: number
  /** Number of commands; default 80. */
  readonly steps?: number
  /** Kinds of commands that are drawn additionally, as often as all others together; default none. */
  readonly often?: readonly CommandKind[]
  /** Number of nodes over one storage; default 1. */
  readonly nodes?: number
  /** Whether nodes run their own loops, as in production; otherwise their ticks are commands. Default false. */
  readonly loop?: boolean
  /** Whether ports fail and nodes crash, or the ways in which they do; default true, which means all ways. */
  readonly faults?: boolean | readonly FaultKind[]
  /** Whether nodes are lost forever. The other nodes then end their game servers, for which they need their loops. Default false. */
  readonly nodesGone?: boolean
  /** Returns a function that opens handles on a new store. Default: a memory storage. */
  readonly store?: () => () => Storage
  /**
   * Puts the storage back to its state of a few commands ago, like a failover that loses transactions; pass `goBackTo`
   * of `@matchyard/storage-memory`. The storage is then a memory storage, and `store` is ignored. Default: the storage
   * never goes back.
   */
  readonly goBack?: (data: MemoryData, copy: MemoryData) => void
  /** Returns faulty replacements for some ports of each life of a node, to test whether the simulator finds the faults. Default: none. */
  readonly spoil?: (ports: SimulatedPorts) => Partial<SimulatedPorts>
  /** Most attempts to repeat a failing run with fewer commands; default 300. */
  readonly shrinkTries?: number
}

export interface SimulationFailure extends Violation {
  readonly seed: number
  /** The shortest list of commands found that fails in the same way. */
  readonly commands: readonly Command[]
  /** The last port calls before the failure. */
  readonly trace: readonly string[]
}

export interface SimulationResult {
  readonly failure: SimulationFailure | undefined
  /** Number of calls by their result. A simulation in which few calls succeed proves little. */
  readonly outcomes: ReadonlyMap<string, number>
  /** Number of port calls; at each of them, other calls could continue. */
  readonly turns: number
}

const inMemory = () => {
  const data = emptyMemoryData()
  return () => memoryStorage({ data })
}

/** Returns a new store, and its earlier states when the store may go back. */
function storeOf({ store = inMemory, goBack }: SimulationOptions): Pick<WorldOptions, 'openStore' | 'past'> {
  if (goBack === undefined) return { openStore: store(), past: undefined }
  const data = emptyMemoryData()
  return { openStore: () => memoryStorage({ data }), past: pastOf(data, goBack) }
}

/** Runs a whole service with a seed: see docs/testing.md. A failure contains the shortest list of commands found. */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const {
    seed,
    steps = 80,
    nodes = 1,
    faults = true,
    nodesGone = false,
    loop = false,
    spoil = () => ({}),
    often = [],
  } = options
  const troubles = {
    faults: faults === true ? FAULT_KINDS : faults === false ? [] : faults,
    nodesGone,
    goesBack: options.goBack !== undefined,
  }
  const commands = drawCommands(new FakeRandom(seed), { steps, nodes, troubles, often })
  const again = (some: readonly Command[]): Promise<RunReport> =>
    run(some, { seed, nodes, loop, spoil, ...storeOf(options) })
  const report = await again(commands)
  const { violation, outcomes, turns } = report
  if (violation === undefined) return { failure: undefined, outcomes, turns }
  const sameWay = async (fewer: readonly Command[]) => (await again(fewer)).violation?.invariant === violation.invariant
  const fewest = await shrink(commands, sameWay, options.shrinkTries ?? 300)
  const shortest = await again(fewest)
  const failure = { ...(shortest.violation ?? violation), seed, commands: fewest, trace: shortest.trace }
  return { failure, outcomes, turns }
}

/** Returns a failure as text: the seed, the violation, and the commands. */
export function describeFailure({ seed, invariant, message, commands, trace }: SimulationFailure): string {
  return [
    `seed ${seed} broke ${invariant}: ${message}`,
    ...commands.map((command) => `  ${describeCommand(command)}`),
    'the last calls:',
    ...trace.map((line) => `  ${line}`),
  ].join('\n')
}
