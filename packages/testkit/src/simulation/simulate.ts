import type { Storage } from '@matchyard/core'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FakeRandom } from '../fakes/random'
import { type Command, describeCommand, drawCommands } from './commands'
import type { Violation } from './inspector'
import { type RunReport, run } from './run'
import { shrink } from './shrink'

export interface SimulationOptions {
  /** Decides everything: the same seed and options give the same run. */
  readonly seed: number
  /** Commands; default 80. */
  readonly steps?: number
  /** Nodes over one storage; default 1. */
  readonly nodes?: number
  /** Whether nodes run their own loops, as in production; otherwise their ticks are commands. Default false. */
  readonly loop?: boolean
  /** Whether ports fail and nodes die; default true. */
  readonly faults?: boolean
  /** A fresh store, as a function that opens one more handle on it. Default: memory. */
  readonly store?: () => () => Storage
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

/** Runs a whole service on a seed: see docs/simulation.md. A failure comes with the shortest list of commands that was found. */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const { seed, steps = 80, nodes = 1, faults = true, loop = false, store = inMemory } = options
  const commands = drawCommands(new FakeRandom(seed), { steps, nodes, faults })
  const again = (some: readonly Command[]): Promise<RunReport> => run(some, { seed, nodes, loop, openStore: store() })
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
