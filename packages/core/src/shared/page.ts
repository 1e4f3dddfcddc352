import { utf8Length } from './json'

/** A window of a list: `limit` within PAGE_LIMIT, `offset` at least 0. */
export interface PageRequest {
  readonly limit: number
  readonly offset: number
}

/** A window of a list as a storage is asked for it. */
export interface ListWindow extends PageRequest {
  /**
   * Bytes of stored JSON of all items together: beyond it a page has fewer items, and always the first. The cost grows with the size of the
   * answer. Absent: no bound.
   */
  readonly maxBytes?: number
}

export interface Page<T> {
  /** How many items the whole list has. */
  readonly total: number
  readonly data: readonly T[]
}

/** Returns the first item, and as many of the next as stay within so many bytes of JSON. */
export function withinBytes<T>(items: readonly T[], maxBytes: number): readonly T[] {
  let bytes = 0
  const past = items.findIndex((item, at) => {
    bytes += utf8Length(JSON.stringify(item))
    return at > 0 && bytes > maxBytes
  })
  return past === -1 ? items : items.slice(0, past)
}
