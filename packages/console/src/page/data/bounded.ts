/** Maximum number of marks on a chart, the newest ones. */
export const MOST_MARKS = 40
/** Maximum number of versions of a queue that are read for marks. */
export const MOST_VERSIONS = 100
/** Maximum number of log lines of a server that the page keeps, the newest ones; the service has more. */
export const MOST_LOG_LINES = 5_000
/** Maximum number of versions of a lobby that the page keeps, the newest ones. */
export const MOST_LOBBY_VERSIONS = 500

/** Returns the events within a time, at most `MOST_MARKS`. `of` has the newest first, and the newest stay. */
export const marksWithin = <T extends { readonly at: number }>(
  of: readonly T[],
  from: number,
  to: number,
): readonly T[] => of.filter(({ at }) => at >= from && at <= to).slice(0, MOST_MARKS)

/** Reads at most `most` items of a list that arrives in pages. The pages after the last read item are not requested. */
export async function firstOf<T>(items: AsyncIterable<T>, most: number): Promise<readonly T[]> {
  const read: T[] = []
  for await (const item of items) {
    read.push(item)
    if (read.length >= most) break
  }
  return read
}

/** Returns a list with further items at its end, at most `most` items, the last ones. */
export const lastOf = <T>(items: readonly T[], more: readonly T[], most: number): T[] =>
  [...items, ...more].slice(-most)
