import { validationFailed } from '../errors/service-error'
import { utf8Length } from '../shared/json'
import { cursorOf, type Place, placeOf, type Stretch } from '../shared/place'

/** Bytes of one answer of a list that is walked, as they are kept: what is more comes with the next one. */
const MAX_BYTES = 4 * 1_024 * 1_024

interface Walk<T extends Place> {
  readonly cursor: string | undefined
  readonly limit: number
  /** Rows that are read at once: so many are in memory beside those that are told. */
  readonly portion: number
  /** The newest after a place, or of all, no more than `limit`. */
  readonly read: (before: Place | undefined, limit: number) => Promise<readonly T[]>
}

/**
 * Some of a list from a cursor on: as many as were asked for, and fewer where they are large. What it costs grows with what is told. Throws
 * VALIDATION_FAILED for a cursor that was not given out here.
 */
export async function walked<T extends Place>({ cursor, limit, portion, read }: Walk<T>): Promise<Stretch<T>> {
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
    const wanted = Math.min(portion, limit + 1 - data.length)
    const rows = await read(at, wanted)
    for (const row of rows) {
      bytes += utf8Length(JSON.stringify(row))
      if (data.length === limit || (data.length > 0 && bytes > MAX_BYTES)) return goingOn(data.at(-1))
      data.push(row)
    }
    if (rows.length < wanted) return goingOn(undefined)
    at = data.at(-1)
  }
}
