/**
 * A month in UTC, in which the service counts usage. `from` and `to` are milliseconds since 1970; `to` is exclusive.
 */
export interface Month {
  /** Name of the month: `2026-03`. */
  readonly id: string
  readonly from: number
  readonly to: number
}

/** Returns the month of an instant, or the month `back` months earlier. */
export function monthOf(instant: number, back = 0): Month {
  const then = new Date(instant)
  const from = Date.UTC(then.getUTCFullYear(), then.getUTCMonth() - back, 1)
  const first = new Date(from)
  const to = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1)
  return { id: first.toISOString().slice(0, 7), from, to }
}

export const monthName = ({ from }: Month): string =>
  new Date(from).toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Cost in dollars from the start of the month until now, and the current cost per millisecond. */
export interface Spending {
  readonly total: number
  /** Dollars of the total that all other projects of the account cost together. */
  readonly elsewhere: number
  /** Present cost of this project in dollars per millisecond; undefined when unknown. */
  readonly rate: number | undefined
}

/**
 * Returns the projected cost of a month in dollars, if this project continues at its present cost per millisecond and
 * the other projects at their average of the month. Null when the rate is unknown, and for a past or future month.
 */
export function projected({ total, elsewhere, rate }: Spending, { from, to }: Month, now: number): number | null {
  if (rate === undefined || now >= to || now <= from) return null
  const left = to - now
  return total + rate * left + (elsewhere / (now - from)) * left
}

/** Returns dollars as text: `$12.34`, with up to four decimals below $0.10. */
export const money = (dollars: number): string =>
  `$${dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: dollars !== 0 && Math.abs(dollars) < 0.1 ? 4 : 2 })}`

/** Returns milliseconds as hours. The text has up to two decimals, and fewer decimals for larger numbers. */
export const hours = (milliseconds: number): string => {
  const count = milliseconds / 3_600_000
  return count.toLocaleString('en-US', { maximumFractionDigits: count < 10 ? 2 : count < 100 ? 1 : 0 })
}
