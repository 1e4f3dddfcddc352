import { MAX_LIST_BYTES } from '../catalog/limits'
import { validationFailed } from '../errors/service-error'
import { utf8Length } from '../shared/json'
import { cursorOf, type Place, placeOf, type Stretch } from '../shared/place'

/** Part of a list that a storage reads: the newest items after the position `before`, or the newest items of the whole list. */
export interface WalkWindow {
  readonly before?: Place
  readonly limit: number
  readonly maxBytes: number
}

interface Walk<T extends Place> {
  readonly cursor: string | undefined
  readonly limit: number
  /** Maximum bytes of stored JSON in one answer. Further items follow on the next page. */
  readonly maxBytes?: number
  /** Maximum bytes of one item. Without this number, one more read may be needed to find the end of the list. */
  readonly largest?: number
  readonly read: (window: WalkWindow) => Promise<readonly T[]>
}

/**
 * Returns one page of a list after a cursor: `limit` items, or fewer when the items are large. The cost grows with the size of the answer.
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
    throw validationFailed([
      { path: 'cursor', message: 'must be the cursor for the next page, as an earlier answer returned it' },
    ])
  }
  const data: T[] = []
  let bytes = 0
  const goingOn = (last: T | undefined): Stretch<T> => ({
    data,
    nextCursor: last === undefined ? null : cursorOf(last),
  })
  for (;;) {
    // One more item than the page returns is read, to find out whether another page follows.
    const wanted = limit + 1 - data.length
    const rows = await read({ ...(at && { before: at }), limit: wanted, maxBytes: Math.max(1, maxBytes - bytes) })
    for (const row of rows) {
      bytes += utf8Length(JSON.stringify(row))
      if (data.length === limit || (data.length > 0 && bytes > maxBytes)) return goingOn(data.at(-1))
      data.push(row)
    }
    // All rows of this read are returned. If even the largest possible item would have fitted, the list has ended. Otherwise the next item
    // may have been too large for the remaining bytes of this read, so the list is read again.
    if (rows.length === 0 || bytes + largest <= maxBytes) return goingOn(undefined)
    at = data.at(-1)
  }
}
