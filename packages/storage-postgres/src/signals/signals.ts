import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Signal, SignalListener } from '@matchyard/core/ports'
import type { Connections } from '../connections/connections'
import type { Settings } from '../options'
import { decodeSignals, encodeSignals } from './messages'
import { PendingSignals, RESYNC } from './pending-signals'
import { SignalSession } from './session'

/**
 * Milliseconds between two NOTIFY of a node: at most a hundred per second, for any number of commits. A single signal
 * is sent at once.
 */
const GAP_MS = 10

/** Milliseconds between two polls: the longest delay that a lost notification can cause. */
const POLL_MS = 1_000

const RESET: Signal = { topic: 'reset', id: '' }

/**
 * Calls listeners for changes: of this node at once, of other nodes through NOTIFY. Signals that arrive while a NOTIFY
 * is under way are sent together in the next one, so that a busy node sends few transactions; a NOTIFY holds a lock of
 * the whole server while it commits. Signals may be lost, so listeners are told to read again once a second.
 */
export class Signals {
  readonly #sender = randomUUID().slice(0, 13)
  readonly #listeners = new Set<SignalListener>()
  readonly #session: SignalSession
  readonly #pending = new PendingSignals()
  #sending: Promise<void> | undefined
  #poll: ReturnType<typeof setInterval> | undefined

  constructor(settings: Settings, connections: Connections) {
    connections.history.onReset(() => this.#tell([RESET]))
    this.#session = new SignalSession(settings, connections, {
      message: (payload) => {
        const { sender, signals } = decodeSignals(payload)
        if (sender !== this.#sender) this.#tell(signals)
      },
      connected: () => this.#tell([RESYNC]),
    })
  }

  /**
   * Connects, and never rejects: after a failed attempt it retries in the background. A listener that subscribes
   * afterwards misses no change.
   */
  open(): Promise<void> {
    return this.#session.open()
  }

  subscribe(listener: SignalListener): () => void {
    const added: SignalListener = (signal) => listener(signal)
    this.#listeners.add(added)
    void this.#session.open()
    this.#poll ??= setInterval(() => this.#tell([RESYNC]), POLL_MS).unref()
    return () => {
      this.#listeners.delete(added)
      if (this.#listeners.size === 0) this.#stopPolling()
    }
  }

  /** Signals an applied commit to this node's listeners and to the other nodes. */
  emit(signals: readonly Signal[]): void {
    if (signals.length === 0) return
    this.#tell(signals)
    this.#pending.add(signals)
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined
    })
  }

  async close(): Promise<void> {
    this.#stopPolling()
    this.#listeners.clear()
    await this.#sending
    await this.#session.close()
  }

  async #send(): Promise<void> {
    while (this.#pending.size > 0) {
      // Signals that could not be sent are dropped: the other nodes poll within a second.
      await this.#session.notify(encodeSignals(this.#sender, this.#pending.take()))
      await wait(GAP_MS)
    }
  }

  // Each call runs in its own microtask, so that a listener that throws affects neither the other listeners nor the
  // committer.
  #tell(signals: readonly Signal[]): void {
    for (const listener of this.#listeners) {
      for (const signal of signals) {
        queueMicrotask(() => {
          if (this.#listeners.has(listener)) listener(signal)
        })
      }
    }
  }

  #stopPolling(): void {
    clearInterval(this.#poll)
    this.#poll = undefined
  }
}
