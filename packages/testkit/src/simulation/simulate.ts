import type { Storage } from '@matchyard/core/ports'
import { emptyMemoryData, type MemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FakeRandom } from '../fakes/random'
import { type Command, type CommandKind, describeCommand, drawCommands } from './commands'
import { AGENT_FAULTS, FAULT_KINDS, type FaultKind } from './faults'
import type { Violation } from './inspector'
import type { Spoil } from './node'
import { pastOf } from './past'
import { type RunReport, run } from './run'
import { shrink } from './shrink'
import type { WorldOptions } from './world'

export interface SimulationOptions {
  /** Seed of all random choices. The same seed and the same options give the same run. */
  readonly seed: number
  /** Number of commands; default 80. */
  readonly steps?: number
  /** Kinds of commands that are drawn additionally, as often as all other kinds together; default: no kind. */
  readonly often?: readonly CommandKind[]
  /** Number of nodes that share one storage; default 1. */
  readonly nodes?: number
  /** Whether nodes run their own worker loops, as in production. Otherwise commands run their ticks. Default false. */
  readonly loop?: boolean
  /** Whether ports fail and nodes crash; or the list of faults that may occur. Default true, which means all faults. */
  readonly faults?: boolean | readonly FaultKind[]
  /**
   * Whether nodes may be lost forever. The other nodes then end the game servers of lost nodes, for which they need
   * their worker loops. Default false.
   */
  readonly nodesGone?: boolean
  /**
   * Whether the nodes consume the events of the matches (`consume`), to keep a table of the studio. Not with `goBack`: a
   * table does not return to an earlier state with the storage. Default false.
   */
  readonly consumers?: boolean
  /** Whether the machines serve different regions, for which lobbies and servers ask. Default: every machine serves all. */
  readonly regions?: boolean
  /**
   * Whether the project has a rating, which some queues name. Commands such as `rated-result`, `season` and `rating-change` then have an
   * effect; they are drawn by `often` only. Default false.
   */
  readonly rating?: boolean
  /** Whether the operator cordons and drains machines, and machines cannot start servers for a while. Default false. */
  readonly machines?: boolean
  /**
   * Whether each node reaches its machine through an agent, over a link whose streams end, vanish and repeat messages. An agent outlives the
   * crashes of its node, and crashes itself. Default false.
   */
  readonly agents?: boolean
  /** Returns a function that opens handles on a new store. Default: a store in memory. */
  readonly store?: () => () => Storage
  /**
   * Returns the storage to an earlier state, in which it was a few commands ago, like a failover that loses
   * transactions. Pass `goBackTo` of `@matchyard/storage-memory`. The simulator then uses a memory storage, and ignores
   * `store`. Default: the storage never returns to an earlier state.
   */
  readonly goBack?: (data: MemoryData, copy: MemoryData) => void
  /**
   * Returns faulty replacements for some ports in each life of a node, to test whether the simulator finds the faults.
   * Default: no replacements.
   */
  readonly spoil?: Spoil
  /** Most attempts to make a failing run shorter by leaving out commands; default 300. */
  readonly shrinkTries?: number
}

export interface SimulationFailure extends Violation {
  readonly seed: number
  /** The shortest list of commands that the simulator found to fail in the same way. */
  readonly commands: readonly Command[]
  /** Names of the last port calls before the failure. */
  readonly trace: readonly string[]
}

export interface SimulationResult {
  readonly failure: SimulationFailure | undefined
  /** Number of calls, by the call's name and result. A simulation in which few calls succeed proves little. */
  readonly outcomes: ReadonlyMap<string, number>
  /** Number of turns: in each turn one port call continued, and other calls could run before it. */
  readonly turns: number
}

const inMemory = () => {
  const data = emptyMemoryData()
  return () => memoryStorage({ data })
}

/** Returns a new store, and its remembered earlier states when the store may return to them. */
function storeOf({ store = inMemory, goBack }: SimulationOptions): Pick<WorldOptions, 'openStore' | 'past'> {
  if (goBack === undefined) return { openStore: store(), past: undefined }
  const data = emptyMemoryData()
  return { openStore: () => memoryStorage({ data }), past: pastOf(data, goBack) }
}

/**
 * Simulates a whole service with random choices from a seed: see docs/testing.md. A failure contains the shortest list
 * of commands that was found.
 */
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
    consumers = false,
    regions = false,
    rating = false,
    machines = false,
    agents = false,
  } = options
  const all = agents ? [...FAULT_KINDS, ...AGENT_FAULTS, ...AGENT_FAULTS] : FAULT_KINDS
  const troubles = {
    faults: faults === true ? all : faults === false ? [] : faults,
    nodesGone,
    goesBack: options.goBack !== undefined,
    machines,
  }
  const commands = drawCommands(new FakeRandom(seed), { steps, nodes, troubles, often })
  const again = (some: readonly Command[]): Promise<RunReport> =>
    run(some, { seed, nodes, loop, spoil, consumers, regions, rating, agents, ...storeOf(options) })
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
