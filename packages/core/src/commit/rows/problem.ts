import { isMuted, type KeptProblem } from '../../problem/kept-problem'
import type { Draft } from '../draft'

/** Writes the next state of a problem, and tells of its opening and its end unless it is muted. */
export function writeProblem(draft: Draft, before: KeptProblem | undefined, after: KeptProblem): KeptProblem {
  if (after === before) return after
  if (before === undefined) draft.create('problem', after)
  else draft.replace('problem', before, after)
  if (isMuted(after, draft.at)) return after
  const { projectId } = after
  const wasOpen = before !== undefined && before.closedAt === null
  if (!wasOpen && after.closedAt === null) draft.tell({ type: 'problem_opened', problem: after, projectId })
  if (wasOpen && after.closedAt !== null) draft.tell({ type: 'problem_closed', problem: after, projectId })
  return after
}
