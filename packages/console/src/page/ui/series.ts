/** A line of a chart. */
export interface Series {
  readonly label: string
  readonly values: readonly (number | null)[]
  /** Name of a colour in `tokens.css`; the default is `accent`. */
  readonly tone?: SeriesTone
  readonly dashed?: boolean
  /** Dots in place of a line: filled, or hollow for values that are less certain. */
  readonly dots?: 'filled' | 'hollow'
  /** Whether each value is a bar, as for counts. */
  readonly bars?: boolean
}

export type SeriesTone = 'accent' | 'info' | 'wait' | 'bad' | 'good' | 'still'

/** Instant that a chart marks with a vertical line. */
export interface ChartMark {
  /** Instant in milliseconds since 1970. */
  readonly at: number
  /** Letter above the line. */
  readonly letter: string
  readonly tone: SeriesTone
}
