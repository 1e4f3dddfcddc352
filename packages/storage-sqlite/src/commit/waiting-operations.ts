import { StorageUnavailable } from '@matchyard/core/ports'

/** Largest number of operations in one durable transaction. */
export const MAX_GROUP = 256
/** Characters of JSON that they write, at most, unless one operation alone has more: the event loop stands still while a group runs. */
export const MAX_GROUP_TEXT = 4 * 1024 * 1024
/** Operations that may wait for the writer: sixteen groups, less than a second of work on a disk that takes 20 ms for a sync. */
export const MAX_WAITING = 16 * MAX_GROUP
/** Characters of JSON that may wait for the writer. */
export const MAX_WAITING_TEXT = 64 * 1024 * 1024
/** Places beyond those for what the service itself goes on by (jobs, leases, pings): a flood of calls must not stop it. */
export const URGENT_PLACES = MAX_GROUP
/** Milliseconds after which a waiting operation is refused: its caller has given up, or will call again. */
export const MAX_WAIT_MS = 5_000

export interface SubmitOptions {
  /** Characters of JSON that the operation writes. */
  readonly text?: number
  /** Whether the service itself needs the operation to keep running (jobs, leases, pings). */
  readonly urgent?: boolean
  /** The error for an operation of which nobody can say whether it was applied. Default: as for one that was refused. */
  readonly unknown?: (cause: unknown) => unknown
}

/** Operation that waits for the writer. */
export interface Operation {
  readonly apply: () => unknown
  readonly options: SubmitOptions
  readonly since: number
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
  /** One of a group in which one had a bug: each runs again on its own. */
  alone: boolean
}

/** What waits for the writer, in order of arrival: as much as there are places for, and none for too long. */
export class WaitingOperations {
  #waiting: Operation[] = []
  #text = 0
  #watch: NodeJS.Timeout | undefined

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** Why one more may not wait; undefined where there is a place for it. */
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

  /** Takes the next group off the queue: as many as fit, the first one always. */
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

  /** Operations are in order of arrival, so those that have waited for too long are the first. */
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
