import { utf8Length } from './json'

/** Page of a list: `limit` within PAGE_LIMIT, `offset` at least 0. */
export interface PageRequest {
  /** Maximum number of items on the page, 1 to 100. */
  readonly limit: number
  /** Number of items before the page. */
  readonly offset: number
}

/** Page of a list that a storage reads. */
export interface ListWindow extends PageRequest {
  /**
   * Maximum bytes of stored JSON of all items together. A page ends before this bound, but has at least one item. The cost of a read grows
   * with the size of the answer. Absent: no bound.
   */
  readonly maxBytes?: number
}

/** Page of a list. */
export interface Page<T> {
  /** Number of items in the whole list. */
  readonly total: number
  /** Items of the page. */
  readonly data: readonly T[]
}

/** Returns the first items that together have at most `maxBytes` bytes of JSON. The first item is always returned. */
export function withinBytes<T>(items: readonly T[], maxBytes: number): readonly T[] {
  let bytes = 0
  const past = items.findIndex((item, at) => {
    bytes += utf8Length(JSON.stringify(item))
    return at > 0 && bytes > maxBytes
  })
  return past === -1 ? items : items.slice(0, past)
}
