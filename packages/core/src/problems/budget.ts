import { budgetState } from '../billing/budget'
import { MICRO_USD } from '../catalog/prices'
import type { Service } from '../node/service'
import type { ProjectProblem } from '../project/problem'
import type { Project } from '../project/project'
import { spendingOf } from '../reads/spending'
import { monthBounds } from '../shared/time'
import { problemId } from './problem-id'
import { sentenceOf } from './sentence'

/** Returns the problem of a project of which the budget of the month is spent, or nearly spent; none without a budget. */
export async function budgetProblems(ctx: Service, project: Project): Promise<ProjectProblem[]> {
  const { budgetMicroUsd: monthlyMicroUsd, slug } = project
  if (monthlyMicroUsd === undefined) return []
  const spending = await spendingOf(ctx, project)
  const state = budgetState(monthlyMicroUsd, spending, await isNear(ctx, project))
  if (state === 'within') return []
  const { month, spentMicroUsd, forecastMicroUsd } = spending
  const [spent, amount] = [dollars(spentMicroUsd), dollars(monthlyMicroUsd)]
  const isPassed = state === 'passed'
  const what = isPassed
    ? `${spent} are spent in ${monthName(month)}, and the budget is ${amount}`
    : `${spent} of ${amount} of ${monthName(month)} are spent`
  const forecast = `at the mean rate since yesterday, ${dollars(forecastMicroUsd)} by the month's end`
  const sentence = sentenceOf(
    slug,
    `${what}; ${forecast}`,
    'A budget stops no servers. Stop servers, or raise the budget.',
  )
  return [
    {
      ...kindOf(project.id, isPassed),
      severity: isPassed ? 'error' : 'warning',
      sentence,
      since: ctx.clock.now(),
      count: 1,
      details: { budget: { monthlyMicroUsd, spentMicroUsd, forecastMicroUsd } },
    },
  ]
}

const kindOf = (projectId: string, isPassed: boolean): Pick<ProjectProblem, 'code' | 'subject'> => ({
  code: isPassed ? 'budget_passed' : 'budget_near',
  subject: { kind: 'project', id: projectId },
})

/** Whether the service already warns that this budget is nearly spent. A warning about an earlier amount does not count. */
async function isNear(ctx: Service, { id, budgetMicroUsd }: Project): Promise<boolean> {
  const row = await ctx.storage.get('problem', problemId(ctx, id, { ...kindOf(id, false), details: {} }))
  return row?.closedAt === null && row.details.budget?.monthlyMicroUsd === budgetMicroUsd
}

const dollars = (microUsd: number): string =>
  `$${(microUsd / MICRO_USD).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

const monthName = (month: string): string =>
  new Date(monthBounds(month).start).toLocaleString('en-US', { month: 'long', timeZone: 'UTC' })
