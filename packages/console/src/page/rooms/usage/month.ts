/** A month in UTC, as the meter counts it. */
export interface Month {
  /** `2026-03`. */
  readonly id: string
  readonly from: number
  readonly to: number
}

/** The month of an instant, or so many before it. */
export function monthOf(instant: number, back = 0): Month {
  const then = new Date(instant)
  const from = Date.UTC(then.getUTCFullYear(), then.getUTCMonth() - back, 1)
  const first = new Date(from)
  const to = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1)
  return { id: first.toISOString().slice(0, 7), from, to }
}

export const monthName = ({ from }: Month): string =>
  new Date(from).toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Cost so far, and the present cost of a millisecond. */
export interface Spending {
  readonly total: number
  /** Part of the total for other projects, of which only this sum is known. */
  readonly elsewhere: number
  /** Undefined where it is not known. */
  readonly rate: number | undefined
}

/**
 * Returns the projected cost of a month, when this project continues at its present rate and the others at their average; null where unknown,
 * or for a past month.
 */
export function projected({ total, elsewhere, rate }: Spending, { from, to }: Month, now: number): number | null {
  if (rate === undefined || now >= to || now <= from) return null
  const left = to - now
  return total + rate * left + (elsewhere / (now - from)) * left
}

/** `$12.34`; of little more is told. */
export const money = (dollars: number): string =>
  `$${dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: dollars !== 0 && Math.abs(dollars) < 0.1 ? 4 : 2 })}`

/** Hours with as many digits as say something. */
export const hours = (milliseconds: number): string => {
  const count = milliseconds / 3_600_000
  return count.toLocaleString('en-US', { maximumFractionDigits: count < 10 ? 2 : count < 100 ? 1 : 0 })
}
