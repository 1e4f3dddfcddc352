import type { InProject } from '../context/inputs'
import type { ProjectProblem } from '../context/problem'

/** What somebody should mend. */
export interface Problems {
  /**
   * What is wrong in a project, in sentences, the gravest first, at most 50: found out from what is kept anyway, at most every three
   * seconds on this node. Throws PROJECT_NOT_FOUND.
   */
  list(input: InProject): Promise<readonly ProjectProblem[]>
}
