import { utf8Length } from './json'

/** A window of a list: `limit` within PAGE_LIMIT, `offset` at least 0. */
export interface PageRequest {
  readonly limit: number
  readonly offset: number
}

/** A window of a list as a storage is asked for it. */
export interface ListWindow extends PageRequest {
  /**
   * Bytes of JSON of the items together, as they are kept: where they would be more, fewer are told, and the first always. What is told
   * decides the cost. Absent: no bound.
   */
  readonly maxBytes?: number
}

export interface Page<T> {
  /** How many items the whole list has. */
  readonly total: number
  readonly data: readonly T[]
}

/** Of items in a row the first, and then as many as stay within so many bytes of JSON. */
export function withinBytes<T>(items: readonly T[], maxBytes: number): readonly T[] {
  let bytes = 0
  const past = items.findIndex((item, at) => {
    bytes += utf8Length(JSON.stringify(item))
    return at > 0 && bytes > maxBytes
  })
  return past === -1 ? items : items.slice(0, past)
}
