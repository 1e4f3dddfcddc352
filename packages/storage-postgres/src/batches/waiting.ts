import { StorageUnavailable } from '@matchyard/core/ports'

/** An item of work that waits for a batch. */
export interface Item {
  /** Number of characters in the item's texts. */
  readonly size: number
  readonly reject: (error: unknown) => void
}

export interface WaitingBounds {
  /** Maximum number of items in one batch; `batchSize` is the maximum sum of their sizes. */
  readonly batch: number
  readonly batchSize: number
  /**
   * Maximum number of waiting items; `waitingSize` is the maximum sum of their sizes. Items above these bounds are
   * refused.
   */
  readonly waiting: number
  readonly waitingSize: number
  /**
   * Milliseconds after which a waiting item is refused. No part of the item's work was done, and the caller gets the
   * error.
   */
  readonly patienceMs: number
  /** Plural name of the items, for errors. */
  readonly name: string
}

/** Queue of the items that no batch has taken yet, with bounds for their number, their size and their waiting time. */
export class Waiting<T extends Item> {
  readonly #waiting: { readonly item: T; readonly since: number }[] = []
  #size = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly bounds: WaitingBounds,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get length(): number {
    return this.#waiting.length
  }

  /** Milliseconds for which the oldest item has waited; 0 when no item waits. */
  get age(): number {
    const [first] = this.#waiting
    return first === undefined ? 0 : this.now() - first.since
  }

  /**
   * Adds an item. Throws StorageUnavailable when the queue is full. If no other item waits, an item of any size may
   * wait.
   */
  add(item: T): void {
    const { waiting, waitingSize, patienceMs, name } = this.bounds
    if (this.length >= waiting || (this.length > 0 && this.#size + item.size > waitingSize)) {
      throw new StorageUnavailable(`PostgreSQL: too many ${name} wait already`)
    }
    this.#waiting.push({ item, since: this.now() })
    this.#size += item.size
    this.#timer ??= setTimeout(() => this.#shed(), patienceMs)
  }

  /** Removes and returns the items of the next batch: the oldest items, up to the bounds of a batch. */
  take(): T[] {
    const { batch, batchSize } = this.bounds
    let size = 0
    let count = 0
    for (const { item } of this.#waiting) {
      if (count === batch || (count > 0 && size + item.size > batchSize)) break
      size += item.size
      count++
    }
    this.#size -= size
    const taken = this.#waiting.splice(0, count).map(({ item }) => item)
    if (this.length === 0) this.#stopWatching()
    return taken
  }

  /** Refuses the items that have waited longer than `patienceMs`. */
  #shed(): void {
    this.#timer = undefined
    const oldest = this.now() - this.bounds.patienceMs
    const kept = this.#waiting.findIndex(({ since }) => since > oldest)
    for (const { item } of this.#waiting.splice(0, kept === -1 ? this.length : kept)) {
      this.#size -= item.size
      item.reject(new StorageUnavailable(`PostgreSQL: the ${this.bounds.name} before this one take too long`))
    }
    const [first] = this.#waiting
    if (first !== undefined) this.#timer = setTimeout(() => this.#shed(), first.since - oldest)
  }

  #stopWatching(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
