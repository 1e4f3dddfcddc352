import { acknowledgeProblem, muteProblem } from '../problems/answer-problem'
import { listProblems } from '../problems/list-problems'
import { PROJECT } from './callers'
import { type CallsOf, operation } from './operation'

/** Problems of a project that need action. */
export const problems = {
  /**
   * Returns the problems of a project as sentences, the most severe first and muted ones last, at most 50. A node computes them from stored records at most
   * once every three seconds. Rejects with `PROJECT_NOT_FOUND`.
   */
  list: operation({
    callers: PROJECT,
    role: 'viewer',
    fields: ['projectId'],
    refusals: ['PROJECT_NOT_FOUND'],
    run: listProblems,
  }),

  /**
   * Records that somebody looks after an open problem, with a note, in place of an earlier acknowledgement. It ends with the problem.
   * Rejects with `PROJECT_NOT_FOUND`, `PROBLEM_NOT_FOUND`, `VALIDATION_FAILED`.
   */
  acknowledge: operation({
    callers: PROJECT,
    role: 'support',
    fields: ['note?', 'problemId', 'projectId', 'by?'],
    refusals: ['PROJECT_NOT_FOUND', 'PROBLEM_NOT_FOUND'],
    audit: 'always',
    run: acknowledgeProblem,
  }),

  /**
   * Mutes an open problem for some minutes or until a time, at most for 30 days, in place of an earlier mute; 0 minutes end a mute. A muted
   * problem sends no messages and is last in lists, also when it opens again. Rejects with `PROJECT_NOT_FOUND`, `PROBLEM_NOT_FOUND`,
   * `VALIDATION_FAILED`.
   */
  mute: operation({
    callers: PROJECT,
    role: 'support',
    fields: ['minutes?', 'until?', 'reason?', 'problemId', 'projectId', 'by?'],
    refusals: ['PROJECT_NOT_FOUND', 'PROBLEM_NOT_FOUND'],
    audit: 'always',
    run: muteProblem,
  }),
}

/**
 * Problems of a project that need action.
 *
 * @interface
 */
export type Problems = CallsOf<typeof problems>
