import { randomBytes } from 'node:crypto'
import type { Matchyard } from '@matchyard/core'
import type { Clock, CommitConflict, Storage } from '@matchyard/core/ports'
import type { AnsweredRequest, MetricsPage } from '@matchyard/http'
import { Counter, collectDefaultMetrics, Registry } from 'prom-client'
import { httpMetrics } from './http-metrics'
import { matchMetrics } from './match-metrics'
import { stateMetrics } from './state-metrics'
import { webhookMetrics } from './webhook-metrics'

export interface Metrics {
  readonly onAnswer: (request: AnsweredRequest) => void
  readonly onConflict: (conflict: CommitConflict) => void
  /** Listens to the service from now on. */
  observe(service: { matchyard: Matchyard; storage: Storage; clock: Clock }): void
  /** `GET /metrics`, for everybody, for whoever has the token, or for nobody. */
  page(access: 'open' | 'closed' | { readonly token: string }): MetricsPage
}

const CONFLICTS = ['version', 'unique', 'check', 'limit'] as const

/** Nobody knows it, so nobody gets in; and whoever tries is told what is missing. */
const UNKNOWN_TOKEN = randomBytes(32).toString('hex')

/** Everything that is measured, on a registry of its own, so that an embedder's metrics and these do not collide. */
export function createMetrics(droppedLogLines: () => number = () => 0): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const onAnswer = httpMetrics(registry)
  const watchMatches = matchMetrics(registry)
  const watchWebhooks = webhookMetrics(registry)
  const watchState = stateMetrics(registry)
  const conflicts = new Counter({
    name: 'matchyard_commit_conflicts_total',
    help: 'Commits that lost to another one and were decided again or refused, by what stood in the way.',
    labelNames: ['on'],
    registers: [registry],
  })
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
  let refresh = async () => {}
  return {
    onAnswer,
    onConflict: ({ on }) => conflicts.inc({ on }),
    observe({ matchyard, storage, clock }) {
      watchMatches(matchyard, storage)
      watchWebhooks(matchyard)
      refresh = watchState(matchyard, clock)
    },
    page: (access) => ({
      contentType: registry.contentType,
      async render() {
        await refresh()
        return registry.metrics()
      },
      ...(access === 'open' ? {} : { token: access === 'closed' ? UNKNOWN_TOKEN : access.token }),
    }),
  }
}
