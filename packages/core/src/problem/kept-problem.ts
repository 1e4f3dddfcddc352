import type { Actor } from '../access/actor'
import type { ProblemDetails, ProjectProblem } from '../project/problem'
import { DAY_MS, type Instant, MINUTE_MS } from '../shared/time'

/** Maximum kept problems of a project. The one that closed first makes room for another. */
export const MAX_KEPT_PROBLEMS = 100
/** Milliseconds for which a closed problem is kept. */
export const PROBLEMS_KEPT_MS = 30 * DAY_MS
/** Milliseconds after which a problem that is no longer found is closed. A problem that comes and goes stays open. */
export const CLOSES_AFTER_MS = 5 * MINUTE_MS

/** Note of a person who looks after a problem. */
export interface ProblemAcknowledgement {
  /** Author of the note. */
  readonly by: Actor
  /** Time of the note. */
  readonly at: Instant
  /** Note, at most 1,024 characters; null without one. */
  readonly note: string | null
}

/** Time for which a problem sends no messages, and is last in lists. */
export interface ProblemMute {
  /** Author of the mute. */
  readonly by: Actor
  /** Time at which the mute ends. */
  readonly until: Instant
  /** Reason, at most 256 characters; null without one. */
  readonly reason: string | null
}

/** Problem of a project that the service found, from its opening to 30 days after its end. */
export interface KeptProblem extends Pick<ProjectProblem, 'code' | 'severity' | 'sentence' | 'subject' | 'count'> {
  /** Id of the problem: `prb_` and a hash of its project, code, subject and build. */
  readonly id: string
  /** Version, which grows by one with each change. */
  readonly version: number
  /** Project of the problem. */
  readonly projectId: string
  /** Build that the problem is about, or budget with its figures. */
  readonly details: Pick<ProblemDetails, 'versionTag' | 'buildId' | 'buildVersion' | 'budget'>
  /** Time at which the problem was opened. */
  readonly openedAt: Instant
  /** Time at which the problem was found last; exact to a minute while it is open. */
  readonly seenAt: Instant
  /** Time at which the problem was closed; null while it is open. */
  readonly closedAt: Instant | null
  /** Last acknowledgement since the opening; absent without one. */
  readonly acknowledged?: ProblemAcknowledgement
  /** Mute; absent without one. A mute that has ended has no effect. */
  readonly muted?: ProblemMute
}

/** Problem that a project has now, with its acknowledgement and its mute. */
export interface ListedProblem extends ProjectProblem {
  /** Id of the problem, by which it is acknowledged and muted. Problems with equal code, subject and build share it. */
  readonly id: string
  /** Time at which the service opened the problem; null for a problem that it has not kept yet, for at most a minute. */
  readonly openedAt: Instant | null
  /** Acknowledgement of the problem; null without one. */
  readonly acknowledged: ProblemAcknowledgement | null
  /** Mute of the problem; null when it is not muted now. */
  readonly muted: ProblemMute | null
}

/** Returns the text whose hash is the id of a problem. */
export const problemText = (
  projectId: string,
  { code, subject, details }: Pick<ProjectProblem, 'code' | 'subject' | 'details'>,
): string => JSON.stringify(['problem', projectId, code, subject.kind, subject.id, details.buildId ?? null])

/** Whether a mute of the problem is in force. */
export const isMuted = ({ muted }: Pick<KeptProblem, 'muted'>, at: Instant): boolean =>
  muted !== undefined && muted.until > at
