import { listProblems } from '../problems/list-problems'
import { PROJECT } from './callers'
import { type CallsOf, operation } from './operation'

/** Problems of a project that need action. */
export const problems = {
  /**
   * Returns the problems of a project as sentences, the most severe first, at most 50. A node computes them from stored records at most
   * once every three seconds. Rejects with `PROJECT_NOT_FOUND`.
   */
  list: operation({
    callers: PROJECT,
    role: 'viewer',
    fields: ['projectId'],
    refusals: ['PROJECT_NOT_FOUND'],
    run: listProblems,
  }),
}

/**
 * Problems of a project that need action.
 *
 * @interface
 */
export type Problems = CallsOf<typeof problems>
