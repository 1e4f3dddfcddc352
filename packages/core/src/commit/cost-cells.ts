import type { PlanInterval } from '../account/account'
import type { UsageSum } from '../billing/usage-sums'
import { isMetered } from '../catalog/plans'
import type { PriceTable } from '../catalog/prices'
import { type HistoryCell, minuteCell } from '../ports/storage/index'
import type { Instant } from '../shared/time'

const HOUR_SECONDS = 3_600

/**
 * Returns the rows of the history that usage sums add: the seconds, and their cost in micro-USD at the present prices, rounded half up. Sums
 * under a plan or tariff without metering cost nothing.
 */
export const costCells = (
  sums: readonly UsageSum[],
  history: readonly PlanInterval[],
  prices: PriceTable,
  queueId: string,
  at: Instant,
): HistoryCell[] =>
  sums.map(({ projectId, tier, beginsAt, seconds }) => {
    const cost = isPaid(history, beginsAt) ? Math.round((seconds * prices[tier]) / HOUR_SECONDS) : 0
    return minuteCell(at, { projectId, queueId, series: 'cost', key: tier, count: seconds, sum: cost, most: 0 })
  })

function isPaid(history: readonly PlanInterval[], at: Instant): boolean {
  // The first plan also counts before its `from`.
  const interval = history.findLast(({ from }, index) => index === 0 || from <= at)
  return interval !== undefined && interval.tariff === undefined && isMetered(interval.plan)
}
