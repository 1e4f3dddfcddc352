import type { PlanInterval } from '../account/account'
import type { Tier } from '../catalog/tiers'
import { DAY_MS, type Instant, SECOND_MS } from '../shared/time'

/** From when to when something is metered: second k starts at `from` + k·1000 ms, and the last one before `to`. */
export interface MeteredInterval {
  readonly from: Instant
  readonly to: Instant
}

/** Owner and price of an interval of usage. */
export interface Meter {
  readonly accountId: string
  readonly projectId: string
  readonly tier: Tier
}

/** How many seconds of a project's servers of one tier start in one stretch of time. */
export interface UsageSum extends Meter {
  /** Where the stretch begins: at midnight UTC, or where the account's plan changed. It ends at the next of these. */
  readonly beginsAt: Instant
  readonly seconds: number
}

/** How many seconds of an interval start in [from, to). */
export function secondsStartingIn(interval: MeteredInterval, from: Instant, to: Instant): number {
  const start = Math.max(interval.from, from)
  const end = Math.min(interval.to, to)
  const secondsBefore = (instant: Instant) => Math.ceil((instant - interval.from) / SECOND_MS)
  return start < end ? secondsBefore(end) - secondsBefore(start) : 0
}

/**
 * The sums that an interval adds to. A stretch lies in one month and under one plan, so that nothing need be known of the interval
 * later. A downgrade that is noticed late began with a month, and so with a stretch.
 */
export function usageSumsOf(meter: Meter, interval: MeteredInterval, history: readonly PlanInterval[]): UsageSum[] {
  const { accountId, projectId, tier } = meter
  const sums: UsageSum[] = []
  // The first plan holds before its instant too.
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

/** Sums of the same project, tier and stretch as one: by account, where they begin, project and tier. */
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

/** One text for each sum that is kept by itself. */
export const usageKey = ({ accountId, beginsAt, projectId, tier }: Omit<UsageSum, 'seconds'>): string =>
  JSON.stringify([accountId, beginsAt, projectId, tier])
