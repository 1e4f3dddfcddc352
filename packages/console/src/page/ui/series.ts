/** A line of a chart. */
export interface Series {
  readonly label: string
  readonly values: readonly (number | null)[]
  /** Name of a colour in `tokens.css`; the default is `accent`. */
  readonly tone?: 'accent' | 'info' | 'wait' | 'bad' | 'good' | 'still'
  readonly dashed?: boolean
  /** Dots in place of a line: filled, or hollow for values that are less certain. */
  readonly dots?: 'filled' | 'hollow'
}
