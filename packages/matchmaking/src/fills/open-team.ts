/** A team of a match that goes on. */
export interface OpenTeam {
  readonly name: string
  readonly open: number
  readonly roles: ReadonlyMap<string, number> | undefined
  /** By sum column: sum and number of the field over those who play. */
  readonly sums: readonly number[]
  readonly counts: readonly number[]
}
