/** A team of a running match, with its open seats. */
export interface OpenTeam {
  readonly name: string
  readonly open: number
  readonly roles: ReadonlyMap<string, number> | undefined
  /** By sum column: sum of the field over the present players, and number of players who have it. */
  readonly sums: readonly number[]
  readonly counts: readonly number[]
}
