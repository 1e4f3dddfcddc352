import type { MatchmakingConfig, Ticket } from '../src/index'
import { filled } from './measure'
import { NOW } from './pools'

const RUNS = Number(process.env.MATCHYARD_BENCH_RUNS ?? 5)

export interface Slices {
  readonly count: number
  /** Milliseconds of the longest slice. */
  readonly longest: number
}

/**
 * Returns the number of slices of a sliced tick, and the longest of them. The same pool yields at the same points in every run. So each
 * slice counts with its shortest time over the runs, to exclude other work of the machine.
 */
export const longestSlice = (config: MatchmakingConfig, tickets: readonly Ticket[]): Slices => {
  let least: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const took = sliceTimes(config, tickets)
    least = run === 0 ? took : took.map((ms, slice) => Math.min(ms, least[slice] ?? ms))
  }
  return { count: least.length, longest: Math.max(...least) }
}

const sliceTimes = (config: MatchmakingConfig, tickets: readonly Ticket[]): number[] => {
  const pool = filled(config, tickets)
  globalThis.gc?.()
  const steps = pool.tickSliced(NOW)
  const took: number[] = []
  for (let start = performance.now(); ; ) {
    const done = steps.next().done
    const end = performance.now()
    took.push(end - start)
    if (done) return took
    start = end
  }
}
