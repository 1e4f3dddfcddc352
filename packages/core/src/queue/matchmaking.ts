import {
  type BackfillPriority,
  MATCHMAKING_NAMES,
  type MatchmakingConfig,
  type MatchRule,
  validateConfig,
} from '@matchyard/matchmaking'
import { BACKFILL_SECONDS, PENALTY_SECONDS, READY_CHECK_SECONDS, SECONDS } from '../catalog/limits'
import type { ValidationIssue } from '../errors/decision'
import type { ServerSettings } from './server-settings'
import { anything, type JudgesOf, oneOf, optional, settingFaults, settings, wholeIn } from './setting'

/**
 * Order of backfill and new matches. `before`: players fill the open seats of running matches first. `after`: new matches are made first,
 * and backfill uses the players that remain.
 */
export const BACKFILL_PRIORITIES = ['after', 'before'] as const satisfies readonly BackfillPriority[]

/** Settings of backfill: new players take the open seats of running matches. */
export interface BackfillSettings {
  /** Whether the service requests players for a running match with open seats without a call by the game. Default: false. */
  readonly automatic?: boolean
  /** Order of backfill and new matches, see BACKFILL_PRIORITIES. Default: `after`. */
  readonly priority?: BackfillPriority
  /** Seconds for which a backfill request searches for players, 5 to 3,600. Default: 300. */
  readonly timeoutSeconds?: number
}

export const DEFAULT_BACKFILL_SECONDS = 300

/** Ready check: the players of a proposed match must accept before the match is made. */
export interface ReadyCheck {
  /** Seconds in which players can answer, 5 to 120. */
  readonly timeoutSeconds: number
  /** Seconds for which a player who declines, leaves or does not answer cannot enter the queue, 0 to 3,600. Default: 0. */
  readonly penaltySeconds?: number
}

/**
 * The queue's setting `matchmaking`: the configuration of the matchmaking engine, the timeout of tickets, and the settings of backfill and
 * ready check.
 */
export interface QueueMatchmaking
  extends Omit<MatchmakingConfig, 'backfillPriority' | 'servedRegions' | 'unservedRegions'> {
  /** Maximum seconds that a ticket waits. The smaller of this number and the queue's own `timeoutSeconds` applies. */
  readonly timeoutSeconds?: number
  /** Backfill: players for the open seats of running matches; absent: the defaults of `BackfillSettings`. */
  readonly backfill?: BackfillSettings
  /**
   * Whether an open seat of a running match can be kept for a player, who then joins the match without a search. Default: false.
   */
  readonly lateJoin?: boolean
  /** Ready check; absent: matches are made without asking the players. */
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

/** Functions that check the settings that the matchmaking engine does not know. */
const OWN_JUDGES: JudgesOf<Omit<QueueMatchmaking, keyof MatchmakingConfig>> = {
  backfill: optional(settings(BACKFILL_JUDGES)),
  lateJoin: anything,
  timeoutSeconds: optional(wholeIn(SECONDS)),
  readyCheck: optional(settings(READY_CHECK_JUDGES)),
}
const OWN_NAMES = Object.keys(OWN_JUDGES)

/** Settings of the engine that a queue's matchmaking does not hold under these names. */
const NOT_OF_QUEUE: readonly string[] = ['backfillPriority', 'servedRegions', 'unservedRegions']

/** Names of all matchmaking settings. The engine's `backfillPriority` is `backfill.priority` in the settings of a queue. */
export const MATCHMAKING_SETTINGS: readonly string[] = [
  ...Object.keys(MATCHMAKING_NAMES).filter((name) => !NOT_OF_QUEUE.includes(name)),
  ...OWN_NAMES,
]

/** Returns the settings that the engine knows. */
const forEngine = (matchmaking: QueueMatchmaking): MatchmakingConfig =>
  Object.fromEntries(Object.entries(matchmaking).filter(([name]) => !OWN_NAMES.includes(name)))

/** Returns the faults of a queue's matchmaking. */
export const matchmakingFaults = (matchmaking: QueueMatchmaking, path: string): ValidationIssue[] => [
  ...settingFaults(matchmaking, OWN_JUDGES, `${path}.`),
  ...validateConfig(forEngine(matchmaking)).map((issue) => ({
    path: [path, ...issue.path].join('.'),
    message: issue.message,
  })),
]

/** Regions that the engine knows as served. */
export type EngineRegions = Pick<MatchmakingConfig, 'servedRegions' | 'unservedRegions'>

/**
 * Returns a queue's matchmaking settings in the form that the matchmaking engine reads. `regions`: regions in which servers can run now;
 * absent when every region counts.
 */
export const engineConfig = (
  {
    matchmaking,
    serverSettings,
  }: {
    readonly matchmaking: QueueMatchmaking | null
    readonly serverSettings: Pick<ServerSettings, 'region'> | null
  },
  regions?: EngineRegions,
): MatchmakingConfig => {
  const priority = matchmaking?.backfill?.priority
  return {
    ...forEngine(matchmaking ?? {}),
    ...(priority === undefined ? {} : { backfillPriority: priority }),
    serverRegion: serverSettings?.region ?? null,
    ...regions,
  }
}

/** Returns the fields of players' states in which `region` and `latency` rules read regions. */
export const regionFields = (rules: readonly MatchRule[]): string[] =>
  rules.flatMap((rule) =>
    rule.type === 'region' ? (rule.field ?? 'regions') : rule.type === 'latency' ? rule.field : [],
  )
