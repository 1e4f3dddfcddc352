import type { LogSync } from '../../src/log/log-sync'

/**
 * A simulated disk whose syncs end when the test calls `release`. `length` returns the size of the log. The size at the
 * beginning of each sync is stored in `kept`.
 */
export class HeldDisk {
  /** Bytes of the log that would survive a power cut. */
  kept = 0
  length = () => 0
  #syncs: { readonly length: number; resolve(): void; reject(error: Error): void }[] = []

  get waiting(): number {
    return this.#syncs.length
  }

  readonly open = (): LogSync => ({
    sync: () => new Promise((resolve, reject) => this.#syncs.push({ length: this.length(), resolve, reject })),
    stop: async () => {},
  })

  /** Ends the syncs that were requested. */
  release(): void {
    for (const { length, resolve } of this.#syncs.splice(0)) {
      this.kept = length
      resolve()
    }
  }

  fail(error: Error): void {
    for (const { reject } of this.#syncs.splice(0)) reject(error)
  }
}

/** Waits for two turns of the event loop, in which everything that is ready runs. */
export const turn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)))
