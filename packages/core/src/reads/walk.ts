import { MAX_LIST_BYTES } from '../catalog/limits'
import { validationFailed } from '../errors/service-error'
import { utf8Length } from '../shared/json'
import { cursorOf, type Place, placeOf, type Stretch } from '../shared/place'

/** Part of a list that a storage reads: the newest items after the place `before`, or the newest of all. */
export interface WalkWindow {
  readonly before?: Place
  readonly limit: number
  readonly maxBytes: number
}

interface Walk<T extends Place> {
  readonly cursor: string | undefined
  readonly limit: number
  /** Maximum bytes of stored JSON in one answer; further items come on the next page. */
  readonly maxBytes?: number
  /** Upper bound of the bytes of one item. Without it, one more read may be needed to find the end of the list. */
  readonly largest?: number
  readonly read: (window: WalkWindow) => Promise<readonly T[]>
}

/**
 * Returns one page of a list, from a cursor on: `limit` items, fewer when they are large. The cost grows with the size of the answer.
 * Throws VALIDATION_FAILED for an invalid cursor.
 */
export async function walked<T extends Place>({
  cursor,
  limit,
  maxBytes = MAX_LIST_BYTES,
  largest = Number.POSITIVE_INFINITY,
  read,
}: Walk<T>): Promise<Stretch<T>> {
  let at = cursor === undefined ? undefined : placeOf(cursor)
  if (cursor !== undefined && at === undefined) {
    throw validationFailed([{ path: 'cursor', message: 'must be the next_cursor of an earlier response' }])
  }
  const data: T[] = []
  let bytes = 0
  const goingOn = (last: T | undefined): Stretch<T> => ({
    data,
    nextCursor: last === undefined ? null : cursorOf(last),
  })
  for (;;) {
    // One item more than returned shows whether another page follows.
    const wanted = limit + 1 - data.length
    const rows = await read({ ...(at && { before: at }), limit: wanted, maxBytes: Math.max(1, maxBytes - bytes) })
    for (const row of rows) {
      bytes += utf8Length(JSON.stringify(row))
      if (data.length === limit || (data.length > 0 && bytes > maxBytes)) return goingOn(data.at(-1))
      data.push(row)
    }
    // The rows of this read are all returned. If even the largest item would have fitted, the list is at its end; otherwise the next item
    // may have been too large for the read, so read again.
    if (rows.length === 0 || bytes + largest <= maxBytes) return goingOn(undefined)
    at = data.at(-1)
  }
}
