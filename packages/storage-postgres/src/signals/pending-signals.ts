import type { Signal } from '@matchyard/core/ports'

/** Signals that wait for their NOTIFY, at most; when there are more the other nodes are told to look at everything. */
export const MAX_PENDING_SIGNALS = 10_000

export const RESYNC: Signal = { topic: 'resync', id: '' }

/** What the other nodes have yet to be told, each thing once. */
export class PendingSignals {
  #signals = new Map<string, Signal>()

  get size(): number {
    return this.#signals.size
  }

  add(signals: readonly Signal[]): void {
    for (const signal of signals) this.#signals.set(`${signal.topic} ${signal.id}`, signal)
    if (this.size > MAX_PENDING_SIGNALS) this.#signals = new Map([[RESYNC.topic, RESYNC]])
  }

  /** All of them; from then on they are the caller's. */
  take(): Iterable<Signal> {
    const signals = this.#signals.values()
    this.#signals = new Map()
    return signals
  }
}
