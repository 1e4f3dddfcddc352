import type { ServedRegion } from '../api/types'
import type { Calls } from '../calls/calls'
import type { Platform } from '../platform'
import { MEASURE_MS, MEASURED_FOR_MS } from '../times'
import type { Latencies } from './latencies'

/** Options of a measurement. */
export interface MeasureOptions {
  /** Milliseconds for which answers of beacons are awaited, at most 10,000; 1,500 by default. */
  readonly timeout?: number | undefined
}

/** Measures the latencies to the regions in which game servers can run. */
export interface Measures {
  /**
   * Measures the latency to each region: the median of five requests to a beacon near the game servers, in whole
   * milliseconds. A region without an answer is absent. Node measures by UDP, browsers by HTTP. Calls at the same time
   * share one measurement. Rejects when the service cannot be reached.
   */
  measureRegions(options?: MeasureOptions): Promise<Latencies>
}

/** Measures of a client, and the latencies that a game may use without a new measurement. */
interface AllMeasures extends Measures {
  /** Returns the latencies of the last five minutes; measures when there are none. */
  recentLatencies(options?: MeasureOptions): Promise<Latencies>
}

const MAX_MEASURE_MS = 10_000

export function measuresOf({ call }: Calls, platform: Platform): AllMeasures {
  let running: Promise<Latencies> | undefined
  let last: { readonly latencies: Latencies; readonly at: number } | undefined

  const measure = async ({ timeout = MEASURE_MS }: MeasureOptions): Promise<Latencies> => {
    const { regions } = await call<{ regions: readonly ServedRegion[] }>('GET', '/v1/regions')
    // A page that does not measure does not load the code for it.
    const { latenciesOf } = await import('./latencies')
    const latencies = await latenciesOf(regions, Math.min(timeout, MAX_MEASURE_MS), platform)
    last = { latencies, at: platform.now() }
    return latencies
  }
  const measureRegions = (options: MeasureOptions = {}): Promise<Latencies> => {
    running ??= measure(options).finally(() => {
      running = undefined
    })
    return running
  }
  return {
    measureRegions,
    recentLatencies: async (options) =>
      last !== undefined && platform.now() - last.at < MEASURED_FOR_MS ? last.latencies : measureRegions(options),
  }
}
