import type { Service } from '../node/service'
import { budgetProblems } from '../problems/budget'
import { keepProblems } from '../problems/keep-problems'
import { MINUTE_MS } from '../shared/time'

/** Milliseconds between two looks at a budget. */
export const WATCH_BUDGET_MS = 5 * MINUTE_MS

/**
 * Opens the problem of a project's budget, also while nothing else happens in the project: a server that runs writes no figures. Returns the
 * time of the next look; undefined when the project has no budget. `watch-problems` closes the problem.
 */
export async function watchBudget(ctx: Service, projectId: string): Promise<number | undefined> {
  const project = await ctx.storage.get('project', projectId)
  if (project === undefined || project.deletedAt !== null || project.budgetMicroUsd === undefined) return undefined
  if ((await budgetProblems(ctx, project)).length > 0) await keepProblems(ctx, projectId)
  return ctx.clock.now() + WATCH_BUDGET_MS
}
