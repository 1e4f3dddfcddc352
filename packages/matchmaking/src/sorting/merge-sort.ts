/** Number of entries that are sorted at once, and number of entries that are merged between two yields. */
const CHUNK = 1 << 11
const BLOCK = 1 << 13

/**
 * Sorts `array[from … to)` by a strict order, and yields every few thousand steps. The sort is stable. It uses only the
 * comparison, so it works for any order. Entries that are in order already cost one comparison each.
 */
export function* mergeSort(
  array: Int32Array,
  before: (a: number, b: number) => boolean,
  from = 0,
  to = array.length,
): Generator<undefined, void, undefined> {
  for (let start = from, done = 0; start < to; start += CHUNK) {
    sortChunk(array.subarray(start, Math.min(to, start + CHUNK)), before)
    if (++done % 4 === 0) yield
  }
  if (to - from <= CHUNK) return
  const spare = new Int32Array(to - from)
  for (let width = CHUNK; width < to - from; width *= 2) {
    for (let start = from; start + width < to; start += 2 * width) {
      const end = Math.min(to, start + 2 * width)
      yield* merge(array, start, start + width, end, spare, before)
    }
  }
}

const sortChunk = (chunk: Int32Array, before: (a: number, b: number) => boolean): void => {
  for (let index = 1; index < chunk.length; index++) {
    if (!before(chunk[index] as number, chunk[index - 1] as number)) continue
    chunk.sort((a, b) => (before(a, b) ? -1 : before(b, a) ? 1 : 0))
    return
  }
}

function* merge(
  array: Int32Array,
  from: number,
  middle: number,
  to: number,
  spare: Int32Array,
  before: (a: number, b: number) => boolean,
): Generator<undefined, void, undefined> {
  if (!before(array[middle] as number, array[middle - 1] as number)) return
  const length = middle - from
  for (let index = 0; index < length; index += BLOCK) {
    spare.set(array.subarray(from + index, from + Math.min(length, index + BLOCK)), index)
    if (index > 0) yield
  }
  let left = 0
  let right = middle
  for (let at = from; left < length; ) {
    const until = Math.min(to, at + BLOCK)
    for (; at < until && left < length; at++) {
      const takeRight = right < to && before(array[right] as number, spare[left] as number)
      array[at] = takeRight ? (array[right++] as number) : (spare[left++] as number)
    }
    yield
  }
}
