import type { MatchmakingConfig } from '../types'
import { DEFAULT_TIMEOUT_SECONDS, type Scenario, TICK_SECONDS } from './scenario'

/** A queue as the HTTP API returns it, with only the fields that a simulation needs. */
export interface QueueJson {
  readonly queue_id?: string | undefined
  /** Seconds until a waiting ticket times out. */
  readonly timeout?: number | undefined
  readonly server_settings?: { readonly region?: string | undefined } | null | undefined
  /** The field `matchmaking`, as in the body of POST /v1/queues. */
  readonly matchmaking?: object | null | undefined
}

/** Seconds for which a match searches for new players, when the queue does not set them. */
const BACKFILL_SECONDS = 300

/**
 * Settings whose name in the engine differs from their name in the HTTP API. All other settings have the API's name in
 * camelCase.
 */
const RENAMED: Readonly<Record<string, string>> = { partial_after: 'partialAfterSeconds', after: 'afterSeconds' }
/** Settings whose inner names are chosen by the API's callers, so that these names stay unchanged. */
const THEIRS = ['team_composition']
/**
 * Settings that the engine does not read: the timeout of tickets, and the settings for the time after a match is found.
 */
const ABOVE = ['timeout', 'ready_check', 'backfill', 'late_join']

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

/**
 * Returns the engine's configuration of a queue. Check it with `validateConfig` where the queue does not come from the
 * HTTP API.
 */
export function configOfQueue({ matchmaking, server_settings: server }: QueueJson): MatchmakingConfig {
  const rules = Object.fromEntries(Object.entries(matchmaking ?? {}).filter(([name]) => !ABOVE.includes(name)))
  const { backfill } = (matchmaking ?? {}) as OfMatches
  const priority = backfill?.priority === undefined ? {} : { backfillPriority: backfill.priority }
  return { ...(engineNames(rules) as MatchmakingConfig), ...priority, serverRegion: server?.region ?? null }
}

/** Returns the scenario of a queue: its rules, timeout, ready check and backfill. Parties arrive for `spanSeconds`. */
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
