import type { Signal } from '@matchyard/core/ports'

/** Maximum number of signals that wait for their NOTIFY; beyond it they become one resync for the other nodes. */
export const MAX_PENDING_SIGNALS = 10_000

export const RESYNC: Signal = { topic: 'resync', id: '' }

/** Signals that the other nodes have not received yet, each once. */
export class PendingSignals {
  #signals = new Map<string, Signal>()

  get size(): number {
    return this.#signals.size
  }

  add(signals: readonly Signal[]): void {
    for (const signal of signals) this.#signals.set(`${signal.topic} ${signal.id}`, signal)
    if (this.size > MAX_PENDING_SIGNALS) this.#signals = new Map([[RESYNC.topic, RESYNC]])
  }

  /** Removes and returns all signals. */
  take(): Iterable<Signal> {
    const signals = this.#signals.values()
    this.#signals = new Map()
    return signals
  }
}
