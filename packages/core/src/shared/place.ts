import type { Instant } from './time'

/** Position in a list that is ordered from the newest to the oldest item. It stays valid after the item at this position is deleted. */
export interface Place {
  readonly createdAt: Instant
  readonly id: string
}

/** One page of a list that is ordered from the newest to the oldest item. */
export interface Stretch<T> {
  /** Items of the page. */
  readonly data: readonly T[]
  /** Cursor of the next page; null at the end of the list. */
  readonly nextCursor: string | null
}

/** Returns the position as an opaque cursor for callers. */
export const cursorOf = ({ createdAt, id }: Place): string => `${createdAt.toString(36)}.${id}`

const SHAPE = /^([0-9a-z]{1,11})\.([A-Za-z0-9_-]{1,64})$/

/** Returns the position of a cursor; undefined for a text that is not a cursor. */
export function placeOf(cursor: string): Place | undefined {
  const [, at = '', id = ''] = SHAPE.exec(cursor) ?? []
  const createdAt = Number.parseInt(at, 36)
  return Number.isSafeInteger(createdAt) ? { createdAt, id } : undefined
}
