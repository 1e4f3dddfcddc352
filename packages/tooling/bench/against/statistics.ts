/** The ratios of one figure over all pairs, new side divided by old side. */
export interface Compared {
  readonly median: number
  readonly low: number
  readonly high: number
}

/**
 * Number of pairs. By the sign test, the true median of eleven ratios lies between the second and the tenth with a
 * confidence of 98.8 %.
 */
export const PAIRS = 11
const LEFT_OUT = 1

export function compared(ratios: readonly number[]): Compared {
  const sorted = [...ratios].sort((a, b) => a - b)
  const at = (index: number) => sorted[index] ?? Number.NaN
  return { median: at(sorted.length >> 1), low: at(LEFT_OUT), high: at(sorted.length - 1 - LEFT_OUT) }
}

/**
 * Returns for example `1.020 (0.980 to 1.050) no difference shown`; `slower` or `faster` only when the whole interval
 * is above or below 1.
 */
export function sentenceOf({ median, low, high }: Compared): string {
  const verdict = low > 1 ? 'slower' : high < 1 ? 'faster' : 'no difference shown'
  return `${median.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)}) ${verdict}`
}
