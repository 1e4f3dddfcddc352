/** Amounts of a month in dollars. */
export interface Amounts {
  /** Budget of the month. */
  readonly budget: number
  /** Cost until now. */
  readonly spent: number
  /** Cost of the whole month by the forecast; undefined for a month that is over. */
  readonly forecast: number | undefined
}

/** Lengths of a bar as shares of its whole length, 0 to 1. */
export interface BudgetBar {
  readonly spent: number
  readonly forecast: number
  /** Place of the budget. */
  readonly budget: number
}

/** Share of the budget from which on the service warns. */
const NEAR = 0.8

/** Returns the lengths of the bar of a budget. The longest amount is the whole bar. */
export function barOf({ budget, spent, forecast = spent }: Amounts): BudgetBar {
  const whole = Math.max(budget, spent, forecast, 1e-9)
  return { spent: spent / whole, forecast: forecast / whole, budget: budget / whole }
}

/** Returns the tone of a month: bad when the budget is spent, and waiting when it is nearly spent or will be. */
export function toneOf({ budget, spent, forecast = spent }: Amounts): 'bad' | 'wait' | undefined {
  if (spent >= budget) return 'bad'
  return spent >= NEAR * budget || forecast >= budget ? 'wait' : undefined
}

/** Returns a number of dollars from a text such as `100` or `$1,250.50`; undefined when the text is not such a number. */
export function dollarsOf(text: string): number | undefined {
  const plain = text.trim().replace(/^\$/, '').replaceAll(',', '')
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined
}
