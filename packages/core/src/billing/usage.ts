import type { PlanInterval } from '../account/account'
import { USAGE_PROJECTS } from '../catalog/limits'
import { isMetered, monthlyCredit } from '../catalog/plans'
import type { PriceTable } from '../catalog/prices'
import type { Tier } from '../catalog/tiers'
import { type Instant, type Month, monthBounds } from '../shared/time'
import { secondsStartingIn, type UsageSum } from './usage-sums'

/** Properties of a server that metering reads. */
export interface MeteredServer {
  readonly projectId: string
  readonly tier: Tier
  readonly runningAt: Instant | null
  /** End of the server; null while the server runs, which is then metered up to now. */
  readonly stoppedAt: Instant | null
}

export interface UsageInput {
  readonly month: Month
  readonly now: Instant
  /** Plans of the account, without gaps, oldest first. The first plan also counts before its `from`. */
  readonly planHistory: readonly PlanInterval[]
  /** Servers whose seconds are not in `sums` yet. */
  readonly servers: readonly MeteredServer[]
  /** Usage that is already added up. */
  readonly sums: readonly UsageSum[]
  /** Projects of the account, including deleted ones, because their usage is charged too. */
  readonly projects: readonly { readonly id: string; readonly name: string }[]
  readonly prices: PriceTable
}

/** Cost of a month, in whole micro-USD. Usage under an operator's tariff costs nothing. */
export interface Usage {
  /** The month in UTC, as `YYYY-MM`. */
  readonly month: Month
  /** Cost of the month, before the credit. */
  readonly totalMicroUsd: number
  /** Part of the cost that is paid by the credit of the plan. */
  readonly creditMicroUsd: number
  /** Remaining amount: the cost without the credit. */
  readonly balanceMicroUsd: number
  /** Projects with a cost, in the order of the input. When more than 1,000 projects have a cost, only the most expensive are listed. */
  readonly projects: readonly ProjectUsage[]
  /** Whether `projects` leaves out projects with a cost. The totals include all projects. */
  readonly hasMore: boolean
}

/** Cost of one project in a month. */
interface ProjectUsage {
  /** Id of the project. */
  readonly projectId: string
  /** Display name of the project. */
  readonly name: string
  /** Cost of the project's servers, before the credit. */
  readonly microUsd: number
}

/** Usage that has a cost, with the plans and prices that decide about the cost. */
export type MeteredUsage = Pick<UsageInput, 'now' | 'planHistory' | 'servers' | 'sums' | 'prices'>

interface Span {
  readonly from: Instant
  readonly to: Instant
}

const HOUR_SECONDS = 3_600n

/**
 * Returns the usage of a month (docs/http-api.md §3). Second k of a server starts at `runningAt` + k·1000 ms. The second belongs to the
 * month in which it starts. It is charged when the account's plan at that instant is metered. Each second counts once: it is either in a
 * sum or computed from the server's interval. The sum of each project is rounded once, half up.
 */
export function usageOf(input: UsageInput): Usage {
  const { month } = input
  const { start, end } = monthBounds(month)
  const inMonth = { from: start, to: end }
  const spans = chargedSpans(input.planHistory)
  const costs = costsIn(inMonth, input)
  const projects = input.projects
    .map(({ id, name }) => ({ projectId: id, name, microUsd: costs.get(id) ?? 0 }))
    .filter(({ microUsd }) => microUsd > 0)
  const totalMicroUsd = projects.reduce((sum, { microUsd }) => sum + microUsd, 0)
  const held = spans.filter((span) => !isEmpty(overlap(span, inMonth)))
  const credit = Math.max(0, ...held.map(({ plan }) => monthlyCredit(plan)))
  const creditMicroUsd = Math.min(credit, totalMicroUsd)
  return { month, totalMicroUsd, creditMicroUsd, balanceMicroUsd: totalMicroUsd - creditMicroUsd, ...told(projects) }
}

/**
 * Returns the cost of each project in a span of time, in micro-USD. Sums belong to the span in which they begin, so a span begins and ends
 * at a midnight UTC, or ends after the last sum.
 */
export function costsIn(within: Span, { now, planHistory, servers, sums, prices }: MeteredUsage): Map<string, number> {
  const paid = chargedSpans(planHistory)
    .filter(({ plan }) => isMetered(plan))
    .map((span) => overlap(span, within))
  const totals = new Map<string, bigint>()
  const add = (projectId: string, tier: Tier, seconds: number) =>
    totals.set(projectId, (totals.get(projectId) ?? 0n) + BigInt(seconds) * BigInt(prices[tier]))
  for (const { projectId, tier, runningAt, stoppedAt } of servers) {
    if (runningAt === null) continue
    const interval = { from: runningAt, to: stoppedAt ?? now }
    for (const { from, to } of paid) add(projectId, tier, secondsStartingIn(interval, from, to))
  }
  for (const { projectId, tier, beginsAt, seconds } of sums) {
    if (paid.some(({ from, to }) => from <= beginsAt && beginsAt < to)) add(projectId, tier, seconds)
  }
  return new Map([...totals].map(([projectId, total]) => [projectId, perHour(total)]))
}

/** Returns the spans of time in which usage may be charged: an operator's tariff costs nothing and has no credit. */
const chargedSpans = (history: readonly PlanInterval[]) => spansOf(history).filter(({ tariff }) => tariff === undefined)

function told(projects: readonly ProjectUsage[]): Pick<Usage, 'projects' | 'hasMore'> {
  if (projects.length <= USAGE_PROJECTS) return { projects, hasMore: false }
  const dearest = projects.toSorted((a, b) => b.microUsd - a.microUsd).slice(0, USAGE_PROJECTS)
  const isTold = new Set(dearest)
  return { projects: projects.filter((project) => isTold.has(project)), hasMore: true }
}

/** Returns the span of time of each plan. The first span begins at the start of time, and the last span does not end. */
const spansOf = (history: readonly PlanInterval[]): (Span & Pick<PlanInterval, 'plan' | 'tariff'>)[] =>
  history.map(({ plan, tariff, from }, index) => ({
    plan,
    tariff,
    from: index === 0 ? Number.NEGATIVE_INFINITY : from,
    to: history[index + 1]?.from ?? Number.POSITIVE_INFINITY,
  }))

const overlap = (a: Span, b: Span): Span => ({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) })
const isEmpty = ({ from, to }: Span) => from >= to

/** Returns micro-USD for seconds times hourly price, rounded half up. */
const perHour = (secondsTimesPrice: bigint): number =>
  Number((secondsTimesPrice * 2n + HOUR_SECONDS) / (HOUR_SECONDS * 2n))
