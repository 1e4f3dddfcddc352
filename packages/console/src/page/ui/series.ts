/** A line of a chart. */
export interface Series {
  readonly label: string
  readonly values: readonly (number | null)[]
  /** A colour of the token sheet: `accent` unless said. */
  readonly tone?: 'accent' | 'info' | 'wait' | 'bad' | 'good' | 'still'
  readonly dashed?: boolean
}
