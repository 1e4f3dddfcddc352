import type { LogSync } from '../../src/log/log-sync'

/** A disk whose syncs end when a test says so. `length` says how much of the log there is; what was there as a sync began is kept. */
export class HeldDisk {
  /** Bytes of the log that a power cut leaves. */
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

  /** Ends the syncs that were asked for. */
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

/** Lets what is ready happen: two turns of the event loop. */
export const turn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)))
