import type { PlanInterval } from '../account/account'
import { USAGE_PROJECTS } from '../catalog/limits'
import { isMetered, monthlyCredit } from '../catalog/plans'
import type { PriceTable } from '../catalog/prices'
import type { Tier } from '../catalog/tiers'
import { type Instant, type Month, monthBounds } from '../shared/time'
import { secondsStartingIn, type UsageSum } from './usage-sums'

/** Properties of a server that the meter reads. */
export interface MeteredServer {
  readonly projectId: string
  readonly tier: Tier
  readonly runningAt: Instant | null
  /** null while it runs: it is metered to now. */
  readonly stoppedAt: Instant | null
}

export interface UsageInput {
  readonly month: Month
  readonly now: Instant
  /** Contiguous, oldest first; the first plan holds before its instant too. */
  readonly planHistory: readonly PlanInterval[]
  /** Those whose seconds are in no sum. */
  readonly servers: readonly MeteredServer[]
  /** Usage that was summed before. */
  readonly sums: readonly UsageSum[]
  /** Projects of the account, deleted ones included: each keeps its line. */
  readonly projects: readonly { readonly id: string; readonly name: string }[]
  readonly prices: PriceTable
}

/** Cost of a month, in whole micro-USD. */
export interface Usage {
  readonly month: Month
  readonly totalMicroUsd: number
  readonly creditMicroUsd: number
  readonly balanceMicroUsd: number
  /** The projects that cost something, in the order they were given: of more than a thousand those that cost most. */
  readonly projects: readonly ProjectUsage[]
  /** Whether projects that cost something are left out of `projects`; the sums hold them all. */
  readonly hasMore: boolean
}

interface ProjectUsage {
  readonly projectId: string
  readonly name: string
  readonly microUsd: number
}

interface Span {
  readonly from: Instant
  readonly to: Instant
}

const HOUR_SECONDS = 3_600n

/**
 * Usage of a month (docs/http-api.md §3). Second k of a server starts at `runningAt` + k·1000 ms, belongs wholly to the month in
 * which it starts and is priced by the plan of that instant; each project's sum is rounded once, half up. A server's seconds are
 * either added up or computed from its interval, so each second counts exactly once.
 */
export function usageOf(input: UsageInput): Usage {
  const { month, now, servers, planHistory, prices } = input
  const { start, end } = monthBounds(month)
  const inMonth = { from: start, to: end }
  // An operator's tariff costs nothing and brings no credit.
  const spans = spansOf(planHistory).filter(({ tariff }) => tariff === undefined)
  const paid = spans.filter(({ plan }) => isMetered(plan)).map((span) => overlap(span, inMonth))
  const sums = new Map<string, bigint>()
  const add = (projectId: string, tier: Tier, seconds: number) =>
    sums.set(projectId, (sums.get(projectId) ?? 0n) + BigInt(seconds) * BigInt(prices[tier]))
  for (const { projectId, tier, runningAt, stoppedAt } of servers) {
    if (runningAt === null) continue
    const interval = { from: runningAt, to: stoppedAt ?? now }
    for (const { from, to } of paid) add(projectId, tier, secondsStartingIn(interval, from, to))
  }
  for (const { projectId, tier, beginsAt, seconds } of input.sums) {
    if (paid.some(({ from, to }) => from <= beginsAt && beginsAt < to)) add(projectId, tier, seconds)
  }
  const projects = input.projects
    .map(({ id, name }) => ({ projectId: id, name, microUsd: perHour(sums.get(id) ?? 0n) }))
    .filter(({ microUsd }) => microUsd > 0)
  const totalMicroUsd = projects.reduce((sum, { microUsd }) => sum + microUsd, 0)
  const held = spans.filter((span) => !isEmpty(overlap(span, inMonth)))
  const credit = Math.max(0, ...held.map(({ plan }) => monthlyCredit(plan)))
  const creditMicroUsd = Math.min(credit, totalMicroUsd)
  return { month, totalMicroUsd, creditMicroUsd, balanceMicroUsd: totalMicroUsd - creditMicroUsd, ...told(projects) }
}

function told(projects: readonly ProjectUsage[]): Pick<Usage, 'projects' | 'hasMore'> {
  if (projects.length <= USAGE_PROJECTS) return { projects, hasMore: false }
  const dearest = projects.toSorted((a, b) => b.microUsd - a.microUsd).slice(0, USAGE_PROJECTS)
  const isTold = new Set(dearest)
  return { projects: projects.filter((project) => isTold.has(project)), hasMore: true }
}

/** When the account was on which plan, the last one going on for ever. */
const spansOf = (history: readonly PlanInterval[]): (Span & Pick<PlanInterval, 'plan' | 'tariff'>)[] =>
  history.map(({ plan, tariff, from }, index) => ({
    plan,
    tariff,
    from: index === 0 ? Number.NEGATIVE_INFINITY : from,
    to: history[index + 1]?.from ?? Number.POSITIVE_INFINITY,
  }))

const overlap = (a: Span, b: Span): Span => ({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) })
const isEmpty = ({ from, to }: Span) => from >= to

/** Seconds times hourly price to micro-USD, rounded half up. */
const perHour = (secondsTimesPrice: bigint): number =>
  Number((secondsTimesPrice * 2n + HOUR_SECONDS) / (HOUR_SECONDS * 2n))
