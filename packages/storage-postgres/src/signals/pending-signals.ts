import type { Signal } from '@matchyard/core/ports'

/**
 * Maximum number of signals that wait for their NOTIFY. If more signals wait, one `resync` replaces all of them for the
 * other nodes.
 */
export const MAX_PENDING_SIGNALS = 10_000

export const RESYNC: Signal = { topic: 'resync', id: '' }

/** Signals that were not yet sent to the other nodes, without duplicates. */
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
