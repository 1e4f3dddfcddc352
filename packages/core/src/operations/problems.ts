import { listProblems } from '../problems/list-problems'
import { PROJECT } from './callers'
import { type CallsOf, operation } from './operation'

/** What somebody should mend. */
export const problems = {
  /**
   * What is wrong in a project, in sentences, the gravest first, at most 50: found out from what is kept anyway, at most every three
   * seconds on this node. Rejects with `PROJECT_NOT_FOUND`.
   */
  list: operation({
    callers: PROJECT,
    fields: ['projectId'],
    refusals: ['PROJECT_NOT_FOUND'],
    run: listProblems,
  }),
}

/** What somebody should mend. */
export type Problems = CallsOf<typeof problems>
