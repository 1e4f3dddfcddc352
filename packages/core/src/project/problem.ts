import type { Instant } from '../shared/time'

/** Every kind of problem that is told, the gravest first; a list that only grows. */
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

/** `error`: players cannot play. `warning`: somebody should look. */
export const PROBLEM_SEVERITIES = ['error', 'warning'] as const
export type ProblemSeverity = (typeof PROBLEM_SEVERITIES)[number]

/** Where it is mended. */
export const PROBLEM_SUBJECTS = ['queue', 'server', 'build', 'webhook', 'node', 'account'] as const
export type ProblemSubject = (typeof PROBLEM_SUBJECTS)[number]

/** Details of a problem for programs; each is present where it applies. */
export interface ProblemDetails {
  /** Cause, in the words of the failed component. */
  readonly cause?: string
  readonly versionTag?: string
  /** The version of that build which ran. */
  readonly buildId?: string
  readonly buildVersion?: number
  /** The newest few servers that it is about. */
  readonly instanceIds?: readonly string[]
  /** The rule that rejects most, and its share of the pairs that were looked at. */
  readonly rule?: { readonly type: string; readonly field: string; readonly rejectedShare: number }
  readonly url?: string
  /** By its name in the plan's limits. */
  readonly limit?: string
  readonly allowed?: number
  readonly used?: number
}

/** Something in a project that somebody should mend. */
export interface ProjectProblem {
  readonly code: ProblemCode
  readonly severity: ProblemSeverity
  /** Sentence for the operator of the game: the problem and its remedy. The wording may change. */
  readonly sentence: string
  /** The id is what the GET of the thing takes. */
  readonly subject: { readonly kind: ProblemSubject; readonly id: string }
  /** Since when it is so, as far as that is known. */
  readonly since: Instant
  /** Number of affected launches, players, servers or deliveries. */
  readonly count: number
  readonly details: ProblemDetails
}
