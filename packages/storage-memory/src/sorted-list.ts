export type Order<T> = (a: T, b: T) => number

/** Maximum number of values in a chunk; a larger chunk is split. */
const CHUNK = 256

/**
 * Values in order, stored in chunks, so that adding or removing a value moves only the values of one chunk. No two
 * values may be equal in the order.
 */
export class SortedList<T> {
  size = 0
  private readonly chunks: T[][] = []

  constructor(private readonly order: Order<T>) {}

  add(value: T): void {
    this.size++
    const at = Math.min(this.chunkFor(value), this.chunks.length - 1)
    const chunk = this.chunks[at]
    if (chunk === undefined) return void this.chunks.push([value])
    const place = placeIn(chunk, (other) => this.order(other, value) >= 0)
    // Most new values are added at the end. They start a new chunk, because splitting the last chunk would leave all
    // chunks half full.
    if (place === CHUNK && at === this.chunks.length - 1) return void this.chunks.push([value])
    chunk.splice(place, 0, value)
    if (chunk.length > CHUNK) this.chunks.splice(at + 1, 0, chunk.splice(CHUNK >> 1))
  }

  /** Removes a value; does nothing if the list does not contain it. */
  delete(value: T): void {
    const at = this.chunkFor(value)
    const chunk = this.chunks[at]
    if (chunk === undefined) return
    const place = placeIn(chunk, (other) => this.order(other, value) >= 0)
    const found = chunk[place]
    if (found === undefined || this.order(found, value) !== 0) return
    chunk.splice(place, 1)
    if (chunk.length === 0) this.chunks.splice(at, 1)
    this.size--
  }

  /**
   * Returns the values in order, beginning with the first value for which `isPast` is true. `isPast` must also be true
   * for all later values.
   */
  *values(isPast: (value: T) => boolean = () => true): Generator<T> {
    for (let at = placeIn(this.chunks, (chunk) => isPast(lastOf(chunk))); at < this.chunks.length; at++) {
      const chunk = this.chunks[at] as T[]
      for (let place = placeIn(chunk, isPast); place < chunk.length; place++) yield chunk[place] as T
    }
  }

  /**
   * Returns the values in reverse order, beginning with the last value for which `isBefore` is true. `isBefore` must
   * also be true for all earlier values.
   */
  *backwards(isBefore: (value: T) => boolean = () => true): Generator<T> {
    for (let at = placeIn(this.chunks, (chunk) => !isBefore(chunk[0] as T)) - 1; at >= 0; at--) {
      const chunk = this.chunks[at] as T[]
      for (let place = placeIn(chunk, (value) => !isBefore(value)) - 1; place >= 0; place--) yield chunk[place] as T
    }
  }

  /** Returns the number of values before the first value for which `isPast` is true; see `values`. */
  countBefore(isPast: (value: T) => boolean): number {
    const at = placeIn(this.chunks, (chunk) => isPast(lastOf(chunk)))
    const whole = this.chunks.slice(0, at).reduce((sum, chunk) => sum + chunk.length, 0)
    return whole + placeIn(this.chunks[at] ?? [], isPast)
  }

  /** Returns the index of the first chunk whose last value is not before the given value. */
  private chunkFor(value: T): number {
    return placeIn(this.chunks, (chunk) => this.order(lastOf(chunk), value) >= 0)
  }
}

const lastOf = <T>(chunk: readonly T[]): T => chunk[chunk.length - 1] as T

/** Returns the first index for which `holds` is true. `holds` must also be true for all later values. */
function placeIn<T>(values: readonly T[], holds: (value: T) => boolean): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(values[middle] as T)) high = middle
    else low = middle + 1
  }
  return low
}

/** Merges several sorted iterators into one sorted sequence. */
export function* merged<T>(lists: readonly Iterator<T>[], order: Order<T>): Generator<T> {
  const heads: { value: T; rest: Iterator<T> }[] = []
  const enter = (rest: Iterator<T>) => {
    const next = rest.next()
    if (next.done === true) return
    const { value } = next
    heads.splice(
      placeIn(heads, (head) => order(head.value, value) < 0),
      0,
      { value, rest },
    )
  }
  for (const list of lists) enter(list)
  // `heads` is sorted with the first value at its end, so that removing this value does not move the others.
  for (let first = heads.pop(); first !== undefined; first = heads.pop()) {
    yield first.value
    // The last remaining iterator needs no comparisons.
    if (heads.length === 0) return yield* { [Symbol.iterator]: () => first.rest }
    enter(first.rest)
  }
}
