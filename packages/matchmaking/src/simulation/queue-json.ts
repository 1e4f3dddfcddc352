import type { MatchmakingConfig } from '../types'
import { DEFAULT_TIMEOUT_SECONDS, type Scenario, TICK_SECONDS } from './scenario'

/** A queue as the HTTP API tells it, as far as it is played. */
export interface QueueJson {
  readonly queue_id?: string | undefined
  /** Seconds. */
  readonly timeout?: number | undefined
  readonly server_settings?: { readonly region?: string | undefined } | null | undefined
  /** As in the body of POST /v1/queues. */
  readonly matchmaking?: object | null | undefined
}

/** Seconds that a match searches for newcomers where its queue does not say. */
const BACKFILL_SECONDS = 300

/** Names that are another word in the engine; all others are the same in camelCase. */
const RENAMED: Readonly<Record<string, string>> = { partial_after: 'partialAfterSeconds', after: 'afterSeconds' }
/** Names that callers choose stay as they are below these. */
const THEIRS = ['team_composition']
/** Settings that the engine does not read: the timeout of a ticket, and the later life of a match. */
const ABOVE = ['timeout', 'ready_check', 'backfill']

const camel = (name: string): string =>
  RENAMED[name] ?? name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

function engineNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(engineNames)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [camel(name), THEIRS.includes(name) ? inner : engineNames(inner)]),
  )
}

interface OfMatches {
  readonly timeout?: number
  readonly ready_check?: { readonly timeout: number }
  readonly backfill?: {
    readonly automatic?: boolean
    readonly priority?: 'before' | 'after'
    readonly timeout?: number
  }
}

/** The engine's configuration of a queue; validate it with `validateConfig` where the queue is not the API's own answer. */
export function configOfQueue({ matchmaking, server_settings: server }: QueueJson): MatchmakingConfig {
  const rules = Object.fromEntries(Object.entries(matchmaking ?? {}).filter(([name]) => !ABOVE.includes(name)))
  const { backfill } = (matchmaking ?? {}) as OfMatches
  const priority = backfill?.priority === undefined ? {} : { backfillPriority: backfill.priority }
  return { ...(engineNames(rules) as MatchmakingConfig), ...priority, serverRegion: server?.region ?? null }
}

/** Returns the scenario of a queue: the rules, the timeout, and the ready check. */
export function scenarioOfQueue(name: string, queue: QueueJson, spanSeconds: number, seed = 1): Scenario {
  const { timeout, ready_check: asks, backfill } = (queue.matchmaking ?? {}) as OfMatches
  return {
    name,
    seed,
    config: configOfQueue(queue),
    readyCheckSeconds: asks?.timeout,
    backfillSeconds: backfill?.automatic === true ? (backfill.timeout ?? BACKFILL_SECONDS) : undefined,
    timeoutSeconds: Math.min(queue.timeout ?? DEFAULT_TIMEOUT_SECONDS, timeout ?? Number.POSITIVE_INFINITY),
    tickSeconds: TICK_SECONDS,
    spanSeconds,
  }
}
