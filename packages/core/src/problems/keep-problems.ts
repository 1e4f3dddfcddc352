import { Draft } from '../commit/draft'
import { writeProblem } from '../commit/rows/problem'
import { transact } from '../commit/transact'
import type { Service } from '../node/service'
import { noteAbsent, noteFound } from '../problem/decide'
import { type KeptProblem, MAX_KEPT_PROBLEMS } from '../problem/kept-problem'
import type { ProjectProblem } from '../project/problem'
import { problemId } from './problem-id'
import { problemsNow } from './problems-now'

/**
 * Opens the problems of a project that exist now, closes those that have not existed for some minutes, and removes those that closed long
 * ago, in one commit. Changes nothing in a deleted project.
 */
export async function keepProblems(ctx: Service, projectId: string): Promise<void> {
  const project = await ctx.storage.get('project', projectId)
  if (project === undefined || project.deletedAt !== null) return
  const found = new Map<string, ProjectProblem>()
  // The gravest problem comes first, and stands for others with the same id.
  for (const problem of await problemsNow(ctx, project)) {
    const id = problemId(ctx, projectId, problem)
    if (!found.has(id)) found.set(id, problem)
  }
  await transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const rows = await ctx.storage.problems.ofProject(projectId, MAX_KEPT_PROBLEMS)
    const known = new Map(rows.map((row) => [row.id, row]))
    let room = MAX_KEPT_PROBLEMS - rows.length
    for (const row of rows) {
      if (found.has(row.id)) continue
      const after = noteAbsent(row, draft.at)
      if (after !== undefined) writeProblem(draft, row, after)
      else {
        draft.remove('problem', row)
        room++
      }
    }
    const replaceable = rows.filter((row) => row.closedAt !== null && !found.has(row.id)).sort(closedFirst)
    for (const [id, problem] of found) {
      const before = known.get(id)
      if (before === undefined && room <= 0) {
        const oldest = replaceable.shift()
        if (oldest === undefined) continue
        if (draft.expects('problem', oldest.id)) continue
        draft.remove('problem', oldest)
      } else if (before === undefined) room--
      writeProblem(draft, before, noteFound(before, { id, projectId, problem }, draft.at))
    }
    return { draft, answer: undefined }
  })
}

const closedFirst = (a: KeptProblem, b: KeptProblem): number => (a.closedAt ?? 0) - (b.closedAt ?? 0)
