import { DAY_MS, HOUR_MS, type Instant, type Month, monthBounds } from '../shared/time'
import { costsIn, type MeteredUsage } from './usage'

/** Cost of a project in a month until now, and its forecast, in whole micro-USD. Costs under an operator's tariff are 0. */
export interface Spending {
  /** Month in UTC, as `YYYY-MM`. */
  readonly month: Month
  /** Cost of the month until now, with running game servers, before the credit of the plan. At most a minute old. */
  readonly spentMicroUsd: number
  /** Cost of the whole month when the project goes on as since the begin of yesterday (UTC). */
  readonly forecastMicroUsd: number
}

/** Cost of the projects of an account, as it was at one instant. */
export interface AccountCosts {
  readonly at: Instant
  readonly month: Month
  /** Cost of the month until the instant, by project. */
  readonly ofMonth: ReadonlyMap<string, number>
  /** Cost since `rateFrom` until the instant, by project. */
  readonly recent: ReadonlyMap<string, number>
}

/** Shortest time from which a rate is computed, so that the first minutes of a project forecast no huge cost. */
const SHORTEST_MS = HOUR_MS

/** Returns the start of the time whose mean rate a forecast continues: yesterday at midnight UTC. It has a whole day with its night. */
export const rateFrom = (at: Instant): Instant => Math.floor(at / DAY_MS) * DAY_MS - DAY_MS

/** Returns the costs of an account's projects from its metered usage since the start of the month and since `rateFrom`. */
export function accountCosts(month: Month, usage: MeteredUsage): AccountCosts {
  const { start, end } = monthBounds(month)
  const at = usage.now
  return {
    at,
    month,
    ofMonth: costsIn({ from: start, to: end }, usage),
    recent: costsIn({ from: rateFrom(at), to: at + 1 }, usage),
  }
}

/** Returns the cost and the forecast of one project. */
export function spendingIn(
  { at, month, ofMonth, recent }: AccountCosts,
  { id, createdAt }: { readonly id: string; readonly createdAt: Instant },
): Spending {
  const spentMicroUsd = ofMonth.get(id) ?? 0
  const lasted = Math.max(SHORTEST_MS, at - Math.max(rateFrom(at), createdAt))
  const rest = ((recent.get(id) ?? 0) / lasted) * Math.max(0, monthBounds(month).end - at)
  return { month, spentMicroUsd, forecastMicroUsd: spentMicroUsd + Math.round(rest) }
}
