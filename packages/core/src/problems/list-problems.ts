import { unavailableInsteadOf } from '../commit/transact'
import type { Service } from '../node/service'
import { isMuted, type KeptProblem, type ListedProblem } from '../problem/kept-problem'
import type { InProject } from '../project/in-project'
import { requireProject } from '../reads/require'
import type { Instant } from '../shared/time'
import { problemId } from './problem-id'
import { problemsNow } from './problems-now'

export { MAX_PROBLEMS, MAX_QUEUES_READ } from './problems-now'

/**
 * Returns the problems of a project as sentences, the most severe first and muted ones last. They are computed from stored rows on request,
 * at most once in three seconds on this node. Throws PROJECT_NOT_FOUND.
 */
export function listProblems(ctx: Service, { projectId }: InProject): Promise<readonly ListedProblem[]> {
  return unavailableInsteadOf(async () => {
    const project = await requireProject(ctx, projectId)
    const found = (await problemsNow(ctx, project)).map((problem) => ({
      ...problem,
      id: problemId(ctx, projectId, problem),
    }))
    const kept = await ctx.storage.getMany('problem', [...new Set(found.map(({ id }) => id))])
    const known = new Map(kept.map((row) => [row.id, row]))
    const at = ctx.clock.now()
    const listed = found.map((problem) => ({ ...problem, ...doneAbout(known.get(problem.id), at) }))
    return [...listed.filter(({ muted }) => muted === null), ...listed.filter(({ muted }) => muted !== null)]
  })
}

/** Returns what people did about an open problem. A mute is also in force for a problem that is not open. */
function doneAbout(
  row: KeptProblem | undefined,
  at: Instant,
): Pick<ListedProblem, 'openedAt' | 'acknowledged' | 'muted'> {
  const open = row !== undefined && row.closedAt === null ? row : undefined
  return {
    openedAt: open?.openedAt ?? null,
    acknowledged: open?.acknowledged ?? null,
    muted: row !== undefined && isMuted(row, at) ? (row.muted ?? null) : null,
  }
}
