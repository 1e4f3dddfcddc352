/** A window of a list: `limit` 1..100, `offset` at least 0. */
export interface PageRequest {
  readonly limit: number
  readonly offset: number
}

export interface Page<T> {
  /** How many items the whole list has. */
  readonly total: number
  readonly data: readonly T[]
}

export const DEFAULT_PAGE_LIMIT = 50
export const MAX_PAGE_LIMIT = 100
