import { PROBLEM_MUTE_MINUTES, PROBLEM_NOTE_LENGTH, PROBLEM_REASON_LENGTH } from '../catalog/limits'
import { lengthFault, nameFault, UNSEEN_RULE } from '../catalog/names'
import { reject, type ValidationIssue } from '../errors/decision'
import type { ProjectProblem } from '../project/problem'
import { shownLines } from '../shared/plain-text'
import { type Instant, MINUTE_MS } from '../shared/time'
import {
  CLOSES_AFTER_MS,
  type KeptProblem,
  PROBLEMS_KEPT_MS,
  type ProblemAcknowledgement,
  type ProblemMute,
} from './kept-problem'

/** Milliseconds between two notes that an open problem was found again. */
const NOTED_EVERY_MS = MINUTE_MS

/** Id and project of a problem that was found. */
interface Found {
  readonly id: string
  readonly projectId: string
  readonly problem: ProjectProblem
}

/** Returns the row of a problem that was found: opened, or noted again. Returns `before` when nothing has to be written. */
export function noteFound(
  before: KeptProblem | undefined,
  { id, projectId, problem }: Found,
  at: Instant,
): KeptProblem {
  const { code, severity, sentence, subject, count, details } = problem
  const { versionTag, buildId, buildVersion, budget } = details
  const now = {
    ...{ code, severity, sentence, subject, count, seenAt: at, closedAt: null },
    details: {
      ...(versionTag === undefined ? {} : { versionTag }),
      ...(buildId === undefined ? {} : { buildId }),
      ...(buildVersion === undefined ? {} : { buildVersion }),
      ...(budget === undefined ? {} : { budget }),
    },
  }
  if (before === undefined) return { id, version: 1, projectId, ...now, openedAt: at }
  if (before.closedAt === null) {
    const isNoted = at - before.seenAt < NOTED_EVERY_MS && before.severity === severity
    return isNoted ? before : { ...before, ...now, version: before.version + 1 }
  }
  // A mute outlives the end of a problem; an acknowledgement does not.
  const { acknowledged: _, ...rest } = before
  return { ...rest, ...now, openedAt: at, version: before.version + 1 }
}

/** Returns the row of a problem that was not found: closed after some minutes, undefined when it is too old to keep. */
export function noteAbsent(before: KeptProblem, at: Instant): KeptProblem | undefined {
  if (before.closedAt !== null) return at - before.closedAt > PROBLEMS_KEPT_MS ? undefined : before
  if (at - before.seenAt < CLOSES_AFTER_MS) return before
  return { ...before, closedAt: at, version: before.version + 1 }
}

/** Returns the problem with an acknowledgement in place of an earlier one. */
export const acknowledged = (before: KeptProblem, given: ProblemAcknowledgement): KeptProblem => ({
  ...before,
  acknowledged: given,
  version: before.version + 1,
})

/** Returns the problem with a mute in place of an earlier one. A mute that ends at once removes it. */
export function muted(before: KeptProblem, given: ProblemMute, at: Instant): KeptProblem {
  const { muted: _, ...rest } = before
  return { ...rest, ...(given.until > at ? { muted: given } : {}), version: before.version + 1 }
}

/** Rejects with PROBLEM_NOT_FOUND a call about a problem that does not exist or was closed. */
export const noSuchProblem = (problemId: string) =>
  reject('PROBLEM_NOT_FOUND', `there is no open problem ${JSON.stringify(problemId)}`)

/** Returns the faults of a note. */
export const noteFaults = (note: unknown): ValidationIssue[] => textFaults('note', note, noteFault)

/** Returns the faults of a mute: its reason, and either minutes or its end. */
export function muteFaults(
  { minutes, until, reason }: { readonly minutes?: unknown; readonly until?: unknown; readonly reason?: unknown },
  at: Instant,
): ValidationIssue[] {
  const issues = textFaults('reason', reason, (text) => nameFault(text, PROBLEM_REASON_LENGTH))
  const { min, max } = PROBLEM_MUTE_MINUTES
  if ((minutes == null) === (until == null)) {
    issues.push({ path: 'minutes', message: 'must be given, or else the end of the mute, and not both' })
  }
  if (minutes != null && !(Number.isInteger(minutes) && Number(minutes) >= min && Number(minutes) <= max))
    issues.push({ path: 'minutes', message: `must be a whole number from ${min} to ${max}` })
  if (until != null && !(Number.isInteger(until) && Number(until) > at && Number(until) <= at + max * MINUTE_MS))
    issues.push({ path: 'until', message: 'must be in the next 30 days' })
  return issues
}

function textFaults(path: string, value: unknown, fault: (text: string) => string | undefined): ValidationIssue[] {
  if (value == null) return []
  const message = typeof value === 'string' ? fault(value) : 'must be a text or null'
  return message === undefined ? [] : [{ path, message }]
}

/** Notes may have several lines. */
const noteFault = (text: string) =>
  lengthFault(text, PROBLEM_NOTE_LENGTH) ?? (shownLines(text) === text ? undefined : UNSEEN_RULE)
