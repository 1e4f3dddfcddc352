import { MAX_LIST_BYTES } from '../catalog/limits'
import { validationFailed } from '../errors/service-error'
import { utf8Length } from '../shared/json'
import { cursorOf, type Place, placeOf, type Stretch } from '../shared/place'

/** Window of a storage read: the newest items after a place, or of all. */
export interface WalkWindow {
  readonly before?: Place
  readonly limit: number
  readonly maxBytes: number
}

interface Walk<T extends Place> {
  readonly cursor: string | undefined
  readonly limit: number
  /** Bytes of one answer, as its items are stored; more items come with the next one. */
  readonly maxBytes?: number
  /** No item has more bytes than this; where that is not known, the end of a list is asked for by itself. */
  readonly largest?: number
  readonly read: (window: WalkWindow) => Promise<readonly T[]>
}

/**
 * Some of a list from a cursor on: as many as were asked for, and fewer where they are large. The cost grows with the size of the answer.
 * Throws VALIDATION_FAILED for a cursor that was not given out here.
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
    throw validationFailed([{ path: 'cursor', message: 'must be the next_cursor of an earlier answer' }])
  }
  const data: T[] = []
  let bytes = 0
  const goingOn = (last: T | undefined): Stretch<T> => ({
    data,
    nextCursor: last === undefined ? null : cursorOf(last),
  })
  for (;;) {
    // One more than is told, to know whether there is one.
    const wanted = limit + 1 - data.length
    const rows = await read({ ...(at && { before: at }), limit: wanted, maxBytes: Math.max(1, maxBytes - bytes) })
    for (const row of rows) {
      bytes += utf8Length(JSON.stringify(row))
      if (data.length === limit || (data.length > 0 && bytes > maxBytes)) return goingOn(data.at(-1))
      data.push(row)
    }
    // Fewer than were asked for are the last ones, or the next is too large for what was left of the bytes.
    if (rows.length === 0 || bytes + largest <= maxBytes) return goingOn(undefined)
    at = data.at(-1)
  }
}
