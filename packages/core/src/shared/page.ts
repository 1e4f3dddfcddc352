/** A window of a list: `limit` within PAGE_LIMIT, `offset` at least 0. */
export interface PageRequest {
  readonly limit: number
  readonly offset: number
}

export interface Page<T> {
  /** How many items the whole list has. */
  readonly total: number
  readonly data: readonly T[]
}
