import { StorageUnavailable } from '@matchyard/core/ports'

/** Maximum number of operations in one durable transaction (a group). */
export const MAX_GROUP = 256
/**
 * Maximum characters of JSON that one group writes, because a group blocks the event loop while it runs. A single
 * operation with more text runs in a group of its own.
 */
export const MAX_GROUP_TEXT = 4 * 1024 * 1024
/**
 * Maximum number of operations that wait for the writer. These are sixteen groups, which take less than a second on a
 * disk that needs 20 ms for a sync.
 */
export const MAX_WAITING = 16 * MAX_GROUP
/** Maximum characters of JSON of all operations that wait for the writer. */
export const MAX_WAITING_TEXT = 64 * 1024 * 1024
/**
 * Additional places in the queue for urgent operations (jobs, leases, pings), which the service needs to keep running.
 * A flood of other calls therefore does not stop these operations.
 */
export const URGENT_PLACES = MAX_GROUP
/**
 * Milliseconds after which a waiting operation is refused. By then the caller has timed out, or will call again soon.
 */
export const MAX_WAIT_MS = 5_000

export interface SubmitOptions {
  /** Characters of JSON that the operation writes. */
  readonly text?: number
  /** Whether the operation is urgent (jobs, leases, pings): the service needs it to keep running. */
  readonly urgent?: boolean
  /**
   * Returns the error for an operation of which it is unknown whether it was applied. Default: the same error as for a
   * refused operation.
   */
  readonly unknown?: (cause: unknown) => unknown
}

/** Operation that waits for the writer. */
export interface Operation {
  readonly apply: () => unknown
  readonly options: SubmitOptions
  readonly since: number
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
  /** Whether the operation must run in a transaction of its own, because an operation of its group had a bug. */
  alone: boolean
}

/**
 * Operations that wait for the writer, in order of arrival. Their number, their characters of JSON and their waiting
 * time are bounded.
 */
export class WaitingOperations {
  #waiting: Operation[] = []
  #text = 0
  #watch: NodeJS.Timeout | undefined

  get length(): number {
    return this.#waiting.length
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** Returns the error that refuses one more operation; undefined if the queue has a place for the operation. */
  refusalOf({ text = 0, urgent }: SubmitOptions): StorageUnavailable | undefined {
    const places = urgent ? MAX_WAITING + URGENT_PLACES : MAX_WAITING
    if (this.#waiting.length >= places) return tooMuch(`${this.#waiting.length} operations`)
    if (this.#text > 0 && this.#text + text > MAX_WAITING_TEXT && !urgent) {
      return tooMuch(`${this.#text} characters of JSON`)
    }
    return undefined
  }

  add(operation: Operation): void {
    this.#text += operation.options.text ?? 0
    this.#waiting.push(operation)
    this.#watch ??= setTimeout(() => this.#refuseLate(), MAX_WAIT_MS).unref()
  }

  /** Takes the next group from the queue: as many operations as fit, but at least one operation if any waits. */
  take(): Operation[] {
    this.#refuseLate()
    let text = 0
    let count = 0
    for (const operation of this.#waiting) {
      text += operation.options.text ?? 0
      if (count === MAX_GROUP || (count > 0 && (operation.alone || text > MAX_GROUP_TEXT))) break
      count += 1
      if (operation.alone) break
    }
    const group = this.#waiting.splice(0, count)
    for (const { options } of group) this.#text -= options.text ?? 0
    return group
  }

  /** Puts a group back at the front of the queue; each of its operations runs in a transaction of its own. */
  putBack(group: readonly Operation[]): void {
    for (const operation of group) {
      operation.alone = true
      this.#text += operation.options.text ?? 0
    }
    this.#waiting.unshift(...group)
  }

  /**
   * Refuses the operations that have waited for more than `MAX_WAIT_MS`. The queue is in order of arrival, so the
   * oldest operations are at its front.
   */
  #refuseLate(): void {
    clearTimeout(this.#watch)
    this.#watch = undefined
    const before = performance.now() - MAX_WAIT_MS
    const next = this.#waiting.findIndex(({ since }) => since > before)
    const late = this.#waiting.splice(0, next === -1 ? this.#waiting.length : next)
    if (late.length > 0) {
      const refusal = new StorageUnavailable(`the disk is slow: it was not written within ${MAX_WAIT_MS} ms`)
      for (const { options, reject } of late) {
        this.#text -= options.text ?? 0
        reject(refusal)
      }
    }
    const first = this.#waiting[0]
    if (first === undefined) return
    this.#watch = setTimeout(() => this.#refuseLate(), Math.max(first.since - before, 1)).unref()
  }
}

const tooMuch = (what: string) => new StorageUnavailable(`too much waits for the disk: ${what}`)
