import type { Matchyard } from '@matchyard/core'
import type { Clock, CommitConflict, Storage } from '@matchyard/core/ports'
import { type AnsweredRequest, type MetricsPage, type Rank, REFUSABLE_RANKS } from '@matchyard/http'
import { Counter, collectDefaultMetrics, Registry } from 'prom-client'
import { type BeaconSource, beaconMetrics } from './beacon-metrics'
import { clockMetrics } from './clock-metrics'
import { httpMetrics } from './http-metrics'
import { matchMetrics } from './match-metrics'
import { type PageAccess, tokenOf } from './page-access'
import { type StateFigures, stateMetrics } from './state-metrics'
import type { Figures } from './summed-figures'
import { webhookMetrics } from './webhook-metrics'

export interface Metrics {
  readonly onAnswer: (request: AnsweredRequest) => void
  readonly onRefused: (rank: Rank) => void
  readonly onConflict: (conflict: CommitConflict) => void
  /** Starts to collect the metrics of the service. */
  observe(service: { matchyard: Matchyard; storage: Storage; clock: Clock; beacon: BeaconSource }): void
  /** Returns the metrics of this process. The sums over several processes are made from them. */
  figures(): Promise<Figures>
  /**
   * Returns the page `GET /metrics`. `access` says whether everybody, only callers with the token, or nobody may read
   * it.
   */
  page(access: PageAccess): MetricsPage
}

const CONFLICTS = ['version', 'unique', 'check', 'limit'] as const

/**
 * Creates all metrics, in registries of their own, so that they do not collide with the metrics of an embedding
 * program. `ofAll` is given if there are other workers; it returns the page with the sums of all workers.
 */
export function createMetrics(droppedLogLines: () => number = () => 0, ofAll?: () => Promise<string>): Metrics {
  const registry = new Registry()
  // These metrics are read from the storage. They are equal in all processes, so they are not summed.
  const stored = new Registry()
  collectDefaultMetrics({ register: registry })
  const onAnswer = httpMetrics(registry)
  const watchMatches = matchMetrics(registry)
  const watchWebhooks = webhookMetrics(registry)
  const watchClock = clockMetrics(registry)
  const watchBeacon = beaconMetrics(registry)
  const watchState = stateMetrics(registry, stored)
  const conflicts = new Counter({
    name: 'matchyard_commit_conflicts_total',
    help: 'Commits that lost to another one and were decided again or refused, by what stood in the way.',
    labelNames: ['on'],
    registers: [registry],
  })
  const refused = new Counter({
    name: 'matchyard_http_refused_total',
    help: 'Calls that were not begun because there was more to do than could be done, by what they would have done.',
    labelNames: ['rank'],
    registers: [registry],
  })
  for (const rank of REFUSABLE_RANKS) refused.inc({ rank }, 0)
  for (const on of CONFLICTS) conflicts.inc({ on }, 0)
  new Counter({
    name: 'matchyard_log_lines_dropped_total',
    help: 'Lines of the log that found no room, because its reader stalls or its disk is full.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(droppedLogLines())
    },
  })
  let state: StateFigures | undefined
  return {
    onAnswer,
    onRefused: (rank) => refused.inc({ rank }),
    onConflict: ({ on }) => conflicts.inc({ on }),
    observe({ matchyard, storage, clock, beacon }) {
      watchMatches(matchyard, storage)
      watchWebhooks(matchyard)
      watchClock(clock)
      watchBeacon(beacon)
      state = watchState(matchyard, clock)
    },
    figures() {
      state?.lookHere()
      return registry.getMetricsAsJSON()
    },
    page: (access) => ({
      contentType: registry.contentType,
      async render() {
        state?.lookHere()
        const [counted] = await Promise.all([ofAll?.() ?? registry.metrics(), state?.lookAtStorage()])
        return counted + (await stored.metrics())
      },
      ...tokenOf(access),
    }),
  }
}
