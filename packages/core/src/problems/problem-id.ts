import type { Ports } from '../ports/ports'
import { problemText } from '../problem/kept-problem'
import type { ProjectProblem } from '../project/problem'

/** Returns the id of a problem, which stays the same while the problem lasts. */
export const problemId = (
  ctx: Pick<Ports, 'tokens'>,
  projectId: string,
  problem: Pick<ProjectProblem, 'code' | 'subject' | 'details'>,
): string => `prb_${ctx.tokens.hash(problemText(projectId, problem)).slice(0, 32)}`
