import type { PlanInterval } from '../account/account'
import type { Tier } from '../catalog/tiers'
import { DAY_MS, type Instant, SECOND_MS } from '../shared/time'

/** Metered time, counted in seconds. Second k starts at `from` + k·1000 ms; the last second starts before `to`. */
export interface MeteredInterval {
  readonly from: Instant
  readonly to: Instant
}

/** Account, project and tier to which metered time belongs. */
export interface Meter {
  readonly accountId: string
  readonly projectId: string
  readonly tier: Tier
}

/** Number of metered seconds of a project's servers of one tier that start within one span of time. */
export interface UsageSum extends Meter {
  /** Start of the span: midnight UTC, or a change of the account's plan. The span ends at the next midnight or change. */
  readonly beginsAt: Instant
  readonly seconds: number
}

/** Returns the number of seconds of an interval that start in [from, to). */
export function secondsStartingIn(interval: MeteredInterval, from: Instant, to: Instant): number {
  const start = Math.max(interval.from, from)
  const end = Math.min(interval.to, to)
  const secondsBefore = (instant: Instant) => Math.ceil((instant - interval.from) / SECOND_MS)
  return start < end ? secondsBefore(end) - secondsBefore(start) : 0
}

/**
 * Returns the sums to which an interval adds. Each sum lies in one month and under one plan, so the interval itself need not be stored. A
 * downgrade that is applied late took effect at the start of a month, where a span begins in any case.
 */
export function usageSumsOf(meter: Meter, interval: MeteredInterval, history: readonly PlanInterval[]): UsageSum[] {
  const { accountId, projectId, tier } = meter
  const sums: UsageSum[] = []
  // The first plan also counts before its `from`.
  const changes = history.slice(1).map(({ from }) => from)
  for (let at = interval.from; at < interval.to; ) {
    const day = Math.floor(at / DAY_MS) * DAY_MS
    const beginsAt = Math.max(day, ...changes.filter((change) => change <= at))
    const end = Math.min(day + DAY_MS, ...changes.filter((change) => change > at))
    const seconds = secondsStartingIn(interval, at, end)
    if (seconds > 0) sums.push({ accountId, projectId, tier, beginsAt, seconds })
    at = end
  }
  return sums
}

/** Adds up sums of the same project, tier and span. Returns them sorted by account, start, project and tier. */
export function addedUp(sums: readonly UsageSum[]): UsageSum[] {
  const cells = new Map<string, UsageSum>()
  for (const sum of sums) {
    const key = usageKey(sum)
    cells.set(key, { ...sum, seconds: (cells.get(key)?.seconds ?? 0) + sum.seconds })
  }
  return [...cells.values()].sort(
    (a, b) =>
      byText(a.accountId, b.accountId) ||
      a.beginsAt - b.beginsAt ||
      byText(a.projectId, b.projectId) ||
      byText(a.tier, b.tier),
  )
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Returns the key of a sum. Sums with equal keys are added up. */
export const usageKey = ({ accountId, beginsAt, projectId, tier }: Omit<UsageSum, 'seconds'>): string =>
  JSON.stringify([accountId, beginsAt, projectId, tier])
