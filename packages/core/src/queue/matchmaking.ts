import {
  type BackfillPriority,
  MATCHMAKING_NAMES,
  type MatchmakingConfig,
  validateConfig,
} from '@matchyard/matchmaking'
import { BACKFILL_SECONDS, PENALTY_SECONDS, READY_CHECK_SECONDS, SECONDS } from '../catalog/limits'
import type { ValidationIssue } from '../errors/decision'
import type { ServerSettings } from './server-settings'
import { anything, type JudgesOf, oneOf, optional, settingFaults, settings, wholeIn } from './setting'

/** Order of open seats and new matches: seats first, or from the remaining players. */
export const BACKFILL_PRIORITIES = ['after', 'before'] as const satisfies readonly BackfillPriority[]

/** How running matches of a queue get newcomers for their open seats. */
export interface BackfillSettings {
  /** Whether a running match that is left short asks by itself; default false. */
  readonly automatic?: boolean
  /** Default `after`. */
  readonly priority?: BackfillPriority
  /** Seconds that a request searches; default 300. */
  readonly timeoutSeconds?: number
}

export const DEFAULT_BACKFILL_SECONDS = 300

/** Players are asked before a match is made. */
export interface ReadyCheck {
  /** Seconds to answer in. */
  readonly timeoutSeconds: number
  /** Seconds for which a player who declines, leaves or is silent cannot enter the queue; default 0. */
  readonly penaltySeconds?: number
}

/** `queue.matchmaking`: the engine's configuration, how long a ticket may wait under it, and what happens to a match that it finds. */
export interface QueueMatchmaking extends Omit<MatchmakingConfig, 'backfillPriority'> {
  /** Seconds; the smaller of this and the queue's own timeout counts. */
  readonly timeoutSeconds?: number
  readonly backfill?: BackfillSettings
  /** Absent: matches are made as they are found. */
  readonly readyCheck?: ReadyCheck
}

export const BACKFILL_JUDGES: JudgesOf<BackfillSettings> = {
  automatic: anything,
  priority: optional(oneOf(BACKFILL_PRIORITIES)),
  timeoutSeconds: optional(wholeIn(BACKFILL_SECONDS)),
}

export const READY_CHECK_JUDGES: JudgesOf<ReadyCheck> = {
  timeoutSeconds: wholeIn(READY_CHECK_SECONDS),
  penaltySeconds: optional(wholeIn(PENALTY_SECONDS)),
}

/** How the settings are judged that the engine does not know. */
const OWN_JUDGES: JudgesOf<Omit<QueueMatchmaking, keyof MatchmakingConfig>> = {
  backfill: optional(settings(BACKFILL_JUDGES)),
  timeoutSeconds: optional(wholeIn(SECONDS)),
  readyCheck: optional(settings(READY_CHECK_JUDGES)),
}
const OWN_NAMES = Object.keys(OWN_JUDGES)

/** The names of all settings. The engine's `backfillPriority` is `backfill.priority` of a queue. */
export const MATCHMAKING_SETTINGS: readonly string[] = [
  ...Object.keys(MATCHMAKING_NAMES).filter((name) => name !== 'backfillPriority'),
  ...OWN_NAMES,
]

/** Returns the settings that the engine knows. */
const forEngine = (matchmaking: QueueMatchmaking): MatchmakingConfig =>
  Object.fromEntries(Object.entries(matchmaking).filter(([name]) => !OWN_NAMES.includes(name)))

/** Returns what is wrong with a queue's matchmaking. */
export const matchmakingFaults = (matchmaking: QueueMatchmaking, path: string): ValidationIssue[] => [
  ...settingFaults(matchmaking, OWN_JUDGES, `${path}.`),
  ...validateConfig(forEngine(matchmaking)).map((issue) => ({
    path: [path, ...issue.path].join('.'),
    message: issue.message,
  })),
]

/** Returns a queue's matchmaking as the engine reads it. */
export const engineConfig = ({
  matchmaking,
  serverSettings,
}: {
  readonly matchmaking: QueueMatchmaking | null
  readonly serverSettings: Pick<ServerSettings, 'region'> | null
}): MatchmakingConfig => {
  const priority = matchmaking?.backfill?.priority
  return {
    ...forEngine(matchmaking ?? {}),
    ...(priority === undefined ? {} : { backfillPriority: priority }),
    serverRegion: serverSettings?.region ?? null,
  }
}
