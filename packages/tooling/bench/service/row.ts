/** One line of the table of targets. */
export interface Row {
  readonly what: string
  readonly ours: string
  readonly beside: string
  /** Our figure divided by the compared figure, or our figure alone when there is no comparison. */
  readonly ratio: string
  readonly target: string
  readonly met: Met
}

/**
 * `by CPU`: the target is missed by wall-clock time but met by CPU time. On a machine with other work the CPU time is
 * the valid figure.
 */
export type Met = 'yes' | 'by CPU' | 'NO'

export const HEADER = '| what | ours | beside | ratio | target | met |\n|---|---|---|---|---|---|'

export const lineOf = ({ what, ours, beside, ratio, target, met }: Row): string =>
  `| ${what} | ${ours} | ${beside} | ${ratio} | ${target} | ${met} |`

export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
/** Seconds of measurement for each side in each round. */
export const SECONDS = Number(process.env.BENCH_SECONDS ?? 2)

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

export const count = (value: number): string => Math.round(value).toLocaleString('en-US')

export const atLeast = (target: number, ratio: number, byCpu = ratio): Met =>
  ratio >= target ? 'yes' : byCpu >= target ? 'by CPU' : 'NO'

export const atMost = (target: number, ratio: number, byCpu = ratio): Met =>
  ratio <= target ? 'yes' : byCpu <= target ? 'by CPU' : 'NO'
