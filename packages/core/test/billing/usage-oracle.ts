import type { PlanInterval, PriceTable, Usage } from '@matchyard/core'
import type { UsageInput } from '../../src/billing/usage'

interface Fraction {
  readonly top: bigint
  readonly bottom: bigint
}

/**
 * Slow reference implementation of the metering in docs/http-api.md §3: every second of every server separately, costs as exact fractions,
 * months by the calendar. It shares no code with the implementation that it checks.
 */
export function usageOracle({ month, now, planHistory, servers, projects, prices }: Omit<UsageInput, 'sums'>): Usage {
  const costs = new Map<string, Fraction>()
  for (const { projectId, tier, runningAt, stoppedAt } of servers) {
    if (runningAt === null) continue
    const end = stoppedAt === null ? now : stoppedAt
    for (let second = runningAt; second < end; second += 1_000) {
      if (calendarMonth(second) !== month) continue
      const cost = planOf(planHistory, second) === 'free' ? none : secondAt(prices, tier)
      costs.set(projectId, plus(costs.get(projectId) ?? none, cost))
    }
  }
  const lines = projects
    .map(({ id, name }) => ({ projectId: id, name, microUsd: Number(halfUp(costs.get(id) ?? none)) }))
    .filter((line) => line.microUsd !== 0)
  const total = lines.reduce((sum, line) => sum + line.microUsd, 0)
  const credit = Math.min(wasOnPro(planHistory, month) ? 5_000_000 : 0, total)
  const sums = { totalMicroUsd: total, creditMicroUsd: credit, balanceMicroUsd: total - credit }
  return { month, ...sums, projects: lines, hasMore: false }
}

export function calendarMonth(at: number): string {
  const date = new Date(at)
  return `${String(date.getUTCFullYear()).padStart(4, '0')}-${String(date.getUTCMonth() + 1).padStart(2, '0')}`
}

const none: Fraction = { top: 0n, bottom: 1n }
const secondAt = (prices: PriceTable, tier: keyof PriceTable): Fraction => ({
  top: BigInt(prices[tier]),
  bottom: 3_600n,
})

function plus(a: Fraction, b: Fraction): Fraction {
  return a.bottom === b.bottom
    ? { top: a.top + b.top, bottom: a.bottom }
    : { top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom }
}

/** Returns the nearest whole number; a number exactly between two is rounded up. */
function halfUp({ top, bottom }: Fraction): bigint {
  const whole = top / bottom
  const rest = top - whole * bottom
  return rest * 2n >= bottom ? whole + 1n : whole
}

function planOf(history: readonly PlanInterval[], at: number): string | undefined {
  let plan = history[0]?.plan
  for (const interval of history) if (interval.from <= at) plan = interval.plan
  return plan
}

/**
 * Whether the account was on pro at some time of the month: at its first instant, or when pro began within it and was not replaced at once.
 */
function wasOnPro(history: readonly PlanInterval[], month: string): boolean {
  const [year = 0, number = 1] = month.split('-').map(Number)
  if (planOf(history, Date.UTC(year, number - 1, 1)) === 'pro') return true
  return history.some(({ from }) => calendarMonth(from) === month && planOf(history, from) === 'pro')
}
