import type { Instant } from '../shared/time'

/** Kinds of problems, the most severe first. The list only grows. */
export const PROBLEM_CODES = [
  'launches_failed',
  'servers_crashed',
  'build_not_ready',
  'plan_limit_reached',
  'webhook_disabled',
  'node_silent',
  'players_wait',
  'waiting_for_room',
  'webhook_failing',
  'build_failed',
  'plan_limit_near',
] as const
export type ProblemCode = (typeof PROBLEM_CODES)[number]

/** Severity of a problem. `error`: players cannot play. `warning`: a person should look at it. */
export const PROBLEM_SEVERITIES = ['error', 'warning'] as const
export type ProblemSeverity = (typeof PROBLEM_SEVERITIES)[number]

/** Kind of the thing on which the problem is solved. */
export const PROBLEM_SUBJECTS = ['queue', 'server', 'build', 'webhook', 'node', 'account'] as const
export type ProblemSubject = (typeof PROBLEM_SUBJECTS)[number]

/** Details of a problem for programs; each is present where it applies. */
export interface ProblemDetails {
  /** Cause, in the words of the failed component. */
  readonly cause?: string
  readonly versionTag?: string
  /** Build that ran, with its version in `buildVersion`. */
  readonly buildId?: string
  readonly buildVersion?: number
  /** Ids of the newest few affected servers. */
  readonly instanceIds?: readonly string[]
  /** Rule that rejects the most pairs of parties, and its share of the examined pairs. */
  readonly rule?: { readonly type: string; readonly field: string; readonly rejectedShare: number }
  readonly url?: string
  /** Name of the limit in the plan's limits. */
  readonly limit?: string
  readonly allowed?: number
  readonly used?: number
}

/** Problem of a project that needs action. */
export interface ProjectProblem {
  readonly code: ProblemCode
  readonly severity: ProblemSeverity
  /** Sentence for the operator of the game: the problem and its remedy. The wording may change. */
  readonly sentence: string
  /** The thing on which the problem is solved; the id is that of its GET route. */
  readonly subject: { readonly kind: ProblemSubject; readonly id: string }
  /** Start of the problem, as far as it is known. */
  readonly since: Instant
  /** Number of affected launches, players, servers or deliveries. */
  readonly count: number
  readonly details: ProblemDetails
}
