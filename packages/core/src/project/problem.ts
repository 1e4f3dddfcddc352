import type { Region } from '../catalog/regions'
import type { Instant } from '../shared/time'

/** Kinds of problems, the most severe first. Names are added to this list, never removed. */
export const PROBLEM_CODES = [
  'launches_failed',
  'servers_crashed',
  'build_not_ready',
  'plan_limit_reached',
  'budget_passed',
  'webhook_disabled',
  'node_silent',
  'machine_paused',
  'players_wait',
  'waiting_for_room',
  'webhook_failing',
  'build_failed',
  'budget_near',
  'plan_limit_near',
] as const
/** Code of a problem, one of `PROBLEM_CODES`. */
export type ProblemCode = (typeof PROBLEM_CODES)[number]

/** Severity of a problem. `error`: players cannot play, or the budget is spent. `warning`: the operator of the game should look at it. */
export const PROBLEM_SEVERITIES = ['error', 'warning'] as const
/** Severity of a problem, one of `PROBLEM_SEVERITIES`. */
export type ProblemSeverity = (typeof PROBLEM_SEVERITIES)[number]

/** Kind of the thing that must be changed to solve the problem. */
export const PROBLEM_SUBJECTS = ['queue', 'server', 'build', 'webhook', 'node', 'account', 'project'] as const
/** Kind of the thing that must be changed, one of `PROBLEM_SUBJECTS`. */
export type ProblemSubject = (typeof PROBLEM_SUBJECTS)[number]

/** Trends of the share of crashes, from the older half of the counted servers to the newer half. */
export const CRASH_TRENDS = ['rising', 'steady', 'falling'] as const
/** Trend of the share of crashes, one of `CRASH_TRENDS`. */
export type CrashTrend = (typeof CRASH_TRENDS)[number]

/** Crashes among the servers of a build that ended last: at least half of them, and of at least 5. */
export interface CrashWave {
  /** Number of servers that crashed. */
  readonly crashed: number
  /** Number of servers among which they are counted, at most 50. */
  readonly ended: number
  /** Whether each of these servers had a match. */
  readonly isOfMatches: boolean
  /** Instant of the first of these crashes. */
  readonly firstAt: Instant
  /** Trend of the share of crashes. */
  readonly trend: CrashTrend
}

/** Budget of a project that is spent, or nearly spent, in the present month. */
export interface BudgetFigures {
  /** Budget of the month, in whole micro-USD. */
  readonly monthlyMicroUsd: number
  /** Cost of the month until now, in whole micro-USD. */
  readonly spentMicroUsd: number
  /** Cost of the whole month at the mean rate since yesterday, in whole micro-USD. */
  readonly forecastMicroUsd: number
}

/** Details of a problem for programs. Each detail is present for the problems that it applies to. */
export interface ProblemDetails {
  /** Cause, in the words of the component that failed. */
  readonly cause?: string
  /** Name of the build that the queue launches. */
  readonly versionTag?: string
  /** Build that the servers ran; its version is in `buildVersion`. */
  readonly buildId?: string
  /** Version of the build among the builds of its name. */
  readonly buildVersion?: number
  /** Ids of the newest affected servers, a few at most. */
  readonly instanceIds?: readonly string[]
  /** Share of crashes of the build, when at least half of its last servers crashed. */
  readonly wave?: CrashWave
  /** Rule that rejects the most pairs of parties, and the share of the examined pairs that it rejects. */
  readonly rule?: {
    /** Type of the rule. */
    readonly type: string
    /** Field of the players' states that the rule reads; null for a rule that reads none. */
    readonly field: string | null
    /** Share of the examined pairs that the rule rejects, 0 to 1. */
    readonly rejectedShare: number
  }
  /** Region that no machine serves, and for which servers or players wait. */
  readonly region?: Region
  /** Address of the webhook. */
  readonly url?: string
  /** Name of the plan limit that is reached or nearly reached, as in `limits` of the plan. */
  readonly limit?: string
  /** Value of the limit. */
  readonly allowed?: number
  /** Amount of the limit that is in use. */
  readonly used?: number
  /** Budget, cost and forecast of the month. */
  readonly budget?: BudgetFigures
}

/** Problem of a project that needs action. */
export interface ProjectProblem {
  /** Code of the problem, for programs. */
  readonly code: ProblemCode
  /** Severity of the problem. */
  readonly severity: ProblemSeverity
  /** Sentence for the operator of the game: the problem and its remedy. The wording may change. */
  readonly sentence: string
  /** Thing that must be changed to solve the problem. `id` is the id in the route of the HTTP API that returns the thing. */
  readonly subject: {
    /** Kind of the thing. */
    readonly kind: ProblemSubject
    /** Id of the thing. */
    readonly id: string
  }
  /** Instant at which the problem began, or from which it is known. */
  readonly since: Instant
  /** Number of affected launches, players, servers or deliveries. */
  readonly count: number
  /** Details for programs. */
  readonly details: ProblemDetails
}
