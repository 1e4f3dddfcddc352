/** The number of the last change of a row. Maps contain marks in the order of these numbers. */
interface Mark {
  readonly sequence: number
}

interface Place {
  readonly sequence: number
  readonly key: string
}

/** Maximum number of entries of a log, as a multiple of the marks in its map. A longer log is built anew. */
const SLACK = 2
const SHORT = 64

/** Log of each map of marks. A store that was set back to a copy has other maps, and therefore other logs. */
const LOGS = new WeakMap<ReadonlyMap<string, Mark>, Place[]>()

/**
 * Returns the marks after a number, in order. A map can be read only from its beginning, but readers repeatedly ask for
 * the last few marks. The log, a sorted list beside the map, finds the first of these marks by binary search.
 */
export function* marksAfter<M extends Mark>(marks: ReadonlyMap<string, M>, after: number): Generator<[string, M]> {
  const log = logOf(marks)
  for (let at = placeAfter(log, after); at < log.length; at++) {
    const { key, sequence } = log[at] as Place
    const mark = marks.get(key)
    // A row that changed again has a later mark, further on in the list.
    if (mark?.sequence === sequence) yield [key, mark]
  }
}

/** Adds a mark to the log. The caller has set the mark in the map already. */
export function noteMark<M extends Mark>(marks: ReadonlyMap<string, M>, key: string, { sequence }: M): void {
  const log = LOGS.get(marks)
  if (log === undefined) return
  log.push({ sequence, key })
  if (log.length > SHORT + SLACK * marks.size) LOGS.delete(marks)
}

function logOf(marks: ReadonlyMap<string, Mark>): Place[] {
  let log = LOGS.get(marks)
  if (log === undefined) {
    log = Array.from(marks, ([key, { sequence }]) => ({ sequence, key }))
    LOGS.set(marks, log)
  }
  return log
}

function placeAfter(log: readonly Place[], after: number): number {
  let [low, high] = [0, log.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((log[middle] as Place).sequence > after) high = middle
    else low = middle + 1
  }
  return low
}
