import type { Item, Waiting } from './waiting'

/**
 * Milliseconds for which items wait for the running batch to end. After that a second batch runs at the same time,
 * because the first batch may be waiting for another node's lock or for a slow network.
 */
export const GATHER_MS = 3

/**
 * Runs the items that arrive together in one batch, and gathers further items while a batch runs. Batches therefore
 * grow with the load, and the cost per item falls.
 */
export class Batches<T extends Item> {
  #running = 0
  #scheduled = false
  #gathering: ReturnType<typeof setTimeout> | undefined
  #idle: (() => void)[] = []

  constructor(
    private readonly waiting: Waiting<T>,
    /** Maximum number of batches that run at the same time. */
    private readonly most: number,
    /** Runs a batch and settles its items; never rejects. */
    private readonly run: (items: readonly T[]) => Promise<void>,
  ) {}

  add(item: T): void {
    this.waiting.add(item)
    this.#schedule()
  }

  /** Resolves when every added item is settled. */
  async drain(): Promise<void> {
    if (this.#running === 0 && this.waiting.length === 0) return
    await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  // Starts batches in the check phase of the event loop, when all items of the turn of the event loop have arrived.
  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#start()
    })
  }

  #start(): void {
    while (this.waiting.length > 0 && this.#running < this.most) {
      if (this.#running > 0 && this.waiting.age < GATHER_MS) {
        this.#gathering ??= setTimeout(() => {
          this.#gathering = undefined
          this.#start()
        }, GATHER_MS - this.waiting.age)
        return
      }
      this.#running++
      void this.run(this.waiting.take()).finally(() => {
        this.#running--
        this.#schedule()
      })
    }
    if (this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }
}
