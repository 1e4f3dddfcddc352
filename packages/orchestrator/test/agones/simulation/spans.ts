export interface Span {
  readonly from: number
  readonly to: number
}

/** Returns the milliseconds between two times that lie within spans. A time within two spans counts twice. */
export const withinMs = (spans: readonly Span[], from: number, to: number): number =>
  spans.reduce((sum, one) => sum + Math.max(0, Math.min(one.to, to) - Math.max(one.from, from)), 0)
