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
  /** Decides everything: the same seed and options give the same run. */
  readonly seed: number
  /** Commands; default 80. */
  readonly steps?: number
  /** Kinds of commands that are drawn besides, as often as all the others together, for a world in which more of this happens. */
  readonly often?: readonly CommandKind[]
  /** Nodes over one storage; default 1. */
  readonly nodes?: number
  /** Whether nodes run their own loops, as in production; otherwise their ticks are commands. Default false. */
  readonly loop?: boolean
  /** Whether ports fail and nodes die, or in which ways; default true, which is all of them. */
  readonly faults?: boolean | readonly FaultKind[]
  /** Whether nodes go away for good; the others end their game servers, for which they need their loops. Default false. */
  readonly nodesGone?: boolean
  /** A fresh store, as a function that opens one more handle on it. Default: memory. */
  readonly store?: () => () => Storage
  /**
   * How the storage is put back to what it was a few commands ago, as a failover does that loses transactions: `goBackTo` of
   * `@matchyard/storage-memory`. The storage is a memory storage then, whatever `store` says. Default: it never goes back.
   */
  readonly goBack?: (data: MemoryData, copy: MemoryData) => void
  /** Makes the ports of each life of each node worse than they are, to see what the simulator sees. Default: as they are. */
  readonly spoil?: (ports: SimulatedPorts) => Partial<SimulatedPorts>
  /** How often a failing run is tried again with fewer commands; default 300. */
  readonly shrinkTries?: number
}

export interface SimulationFailure extends Violation {
  readonly seed: number
  /** As few as were found to fail in the same way. */
  readonly commands: readonly Command[]
  /** The last port calls before the failure. */
  readonly trace: readonly string[]
}

export interface SimulationResult {
  readonly failure: SimulationFailure | undefined
  /** What calls came to, and how often: a simulation in which nothing happens proves nothing. */
  readonly outcomes: ReadonlyMap<string, number>
  /** Port calls, each a point at which others could go on. */
  readonly turns: number
}

const inMemory = () => {
  const data = emptyMemoryData()
  return () => memoryStorage({ data })
}

/** A fresh store, and its past where it may go back to it. */
function storeOf({ store = inMemory, goBack }: SimulationOptions): Pick<WorldOptions, 'openStore' | 'past'> {
  if (goBack === undefined) return { openStore: store(), past: undefined }
  const data = emptyMemoryData()
  return { openStore: () => memoryStorage({ data }), past: pastOf(data, goBack) }
}

/** Runs a whole service on a seed: see docs/testing.md. A failure comes with the shortest list of commands that was found. */
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

/** A failure as text: the seed, what broke, and what was done. */
export function describeFailure({ seed, invariant, message, commands, trace }: SimulationFailure): string {
  return [
    `seed ${seed} broke ${invariant}: ${message}`,
    ...commands.map((command) => `  ${describeCommand(command)}`),
    'the last calls:',
    ...trace.map((line) => `  ${line}`),
  ].join('\n')
}
