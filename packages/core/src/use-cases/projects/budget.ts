import type { Spending } from '../../billing/spending'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { followUps } from '../../commit/follow-ups'
import { transact, unavailableInsteadOf } from '../../commit/transact'
import { validationFailed } from '../../errors/service-error'
import type { Service } from '../../node/service'
import { budgetFaults } from '../../project/budget'
import type { Project } from '../../project/project'
import { requireOwnProject } from '../../reads/require'
import { spendingOf } from '../../reads/spending'
import type { OnOwnProject } from './player-auth'

/** Budget of a project. */
export interface SetBudgetInput extends OnOwnProject {
  /**
   * Amount for each calendar month in UTC, in whole micro-USD: 10,000 (one cent) to 1,000,000,000,000 (a million dollars). Null removes the
   * budget.
   */
  readonly monthlyMicroUsd: number | null
}

/** Budget of a project, with the cost of the present month and its forecast. */
export interface ProjectBudget extends Spending {
  /** Amount for each calendar month in UTC, in whole micro-USD; null without a budget. */
  readonly monthlyMicroUsd: number | null
}

/** Sets the budget of a project. Throws PROJECT_NOT_FOUND, VALIDATION_FAILED. */
export function setBudget(ctx: Service, input: SetBudgetInput, call?: CallOptions): Promise<ProjectBudget> {
  const { monthlyMicroUsd } = input
  const set = async () => {
    const issues = budgetFaults(monthlyMicroUsd)
    if (issues.length > 0) throw validationFailed(issues)
    const before = await requireOwnProject(ctx, input)
    const draft = new Draft(ctx.clock.now())
    const { budgetMicroUsd, ...rest } = before
    const after: Project = monthlyMicroUsd === null ? rest : { ...rest, budgetMicroUsd: monthlyMicroUsd }
    if ((budgetMicroUsd ?? null) !== monthlyMicroUsd) {
      draft.update('project', before, { ...after, updatedAt: draft.at })
      if (monthlyMicroUsd !== null) draft.job(...followUps.budgetSet(after, draft.at))
    }
    return { draft, answer: await shown(ctx, after), about: { id: before.id } }
  }
  return transact(ctx, call, set, () => getBudget(ctx, input))
}

/** Returns the budget of a project and the cost of its month. Throws PROJECT_NOT_FOUND. */
export const getBudget = (ctx: Service, input: OnOwnProject): Promise<ProjectBudget> =>
  unavailableInsteadOf(async () => shown(ctx, await requireOwnProject(ctx, input)))

const shown = async (ctx: Service, project: Project): Promise<ProjectBudget> => ({
  monthlyMicroUsd: project.budgetMicroUsd ?? null,
  ...(await spendingOf(ctx, project)),
})
