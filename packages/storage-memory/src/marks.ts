/** The last change of a thing, with its number; of a map that holds them in the order of their numbers. */
interface Mark {
  readonly sequence: number
}

interface Place {
  readonly sequence: number
  readonly key: string
}

/** A log may be this many times as long as what is in it is still so. */
const SLACK = 2
const SHORT = 64

/** By the map of the marks: a store that went back has other maps, and so other logs. */
const LOGS = new WeakMap<ReadonlyMap<string, Mark>, Place[]>()

/**
 * The marks after a number, in order. A map can only be walked from its beginning, and a reader of a log asks repeatedly for the few at its
 * end: a list beside the map finds the place by search.
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

/** Says that a mark was set, in the map already. */
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
