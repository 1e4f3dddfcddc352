/** One line of the table of targets. */
export interface Row {
  readonly what: string
  readonly ours: string
  readonly beside: string
  /** Ours divided by what stands beside it, or the figure itself where nothing does. */
  readonly ratio: string
  readonly target: string
  readonly met: Met
}

/** `by CPU`: what the clock says misses it, what the processor was asked for does not. On a machine with other work that is the one that counts. */
export type Met = 'yes' | 'by CPU' | 'NO'

export const HEADER = '| what | ours | beside | ratio | target | met |\n|---|---|---|---|---|---|'

export const lineOf = ({ what, ours, beside, ratio, target, met }: Row): string =>
  `| ${what} | ${ours} | ${beside} | ${ratio} | ${target} | ${met} |`

export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
/** Of each side in each round. */
export const SECONDS = Number(process.env.BENCH_SECONDS ?? 2)

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

export const count = (value: number): string => Math.round(value).toLocaleString('en-US')

export const atLeast = (target: number, ratio: number, byCpu = ratio): Met =>
  ratio >= target ? 'yes' : byCpu >= target ? 'by CPU' : 'NO'

export const atMost = (target: number, ratio: number, byCpu = ratio): Met =>
  ratio <= target ? 'yes' : byCpu <= target ? 'by CPU' : 'NO'
