/** What a figure came to in pairs: of each the new side's divided by the old one's. */
export interface Compared {
  readonly median: number
  readonly low: number
  readonly high: number
}

/** Eleven pairs are asked for: from the second to the tenth of their ratios the true median lies with 98.8 % (by the sign test). */
export const PAIRS = 11
const LEFT_OUT = 1

export function compared(ratios: readonly number[]): Compared {
  const sorted = [...ratios].sort((a, b) => a - b)
  const at = (index: number) => sorted[index] ?? Number.NaN
  return { median: at(sorted.length >> 1), low: at(LEFT_OUT), high: at(sorted.length - 1 - LEFT_OUT) }
}

/** `1.02 (0.98 to 1.05)`, and `slower` where the whole interval says so. */
export function sentenceOf({ median, low, high }: Compared): string {
  const verdict = low > 1 ? 'slower' : high < 1 ? 'faster' : 'no difference shown'
  return `${median.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)}) ${verdict}`
}
