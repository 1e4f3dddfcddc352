import { describe, expect, it } from 'vitest'
import { type CommandKind, describeFailure, type SimulationOptions, simulate } from '../../src/simulation/index'

/** Runs per kind of world, where it is said; `npm run prove -- simulation` says it, so that an ordinary test run does a small part. */
const asked = process.env.MATCHYARD_SIMULATIONS
/** The first seed: any other number gives other runs. */
const firstSeed = Number(process.env.MATCHYARD_SEED ?? 1)
const CHUNK = 30

/** What is drawn often where servers are restarted again and again. */
export const RESTARTS: readonly CommandKind[] = [
  ...(['server-create', 'server-restart', 'server-restart', 'process-crash', 'process-ready'] as const),
  ...(['wait', 'wait', 'run-jobs', 'reconcile'] as const),
]

export interface KindOfWorld extends Omit<SimulationOptions, 'seed'> {
  readonly name: string
}

/** Every invariant holds in these worlds: in so many runs of each, or as many as are asked for. */
export function keepInvariants(worlds: readonly KindOfWorld[], usual: number): void {
  const runs = asked === undefined ? usual : Number(asked)
  describe.each(worlds)('$name', ({ name: _, ...world }) => {
    const chunks = Array.from({ length: Math.ceil(runs / CHUNK) }, (_, chunk) => firstSeed + chunk * CHUNK)

    it.each(chunks)(
      'keeps every invariant in the runs of seed %i and the next ones',
      { timeout: 600_000 },
      async (from) => {
        for (let seed = from; seed < Math.min(from + CHUNK, firstSeed + runs); seed++) {
          const { failure } = await simulate({ seed, ...world })
          if (failure !== undefined) expect.fail(describeFailure(failure))
        }
      },
    )
  })
}
