import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Signal, SignalListener } from '@matchyard/core/ports'
import type { Connections } from '../connections/connections'
import type { ConnectionPool } from '../connections/pool'
import type { Settings } from '../options'
import { decodeSignals, encodeSignals } from './messages'
import { PendingSignals, RESYNC } from './pending-signals'
import { SignalSession } from './session'

/**
 * Milliseconds between two NOTIFY statements of a node: at most a hundred per second, for any number of commits. A
 * single signal is sent at once.
 */
const GAP_MS = 10

/** Milliseconds between two polls. A lost notification delays a listener by at most this time. */
const POLL_MS = 1_000

const RESET: Signal = { topic: 'reset', id: '' }

/**
 * Calls listeners after changes: for changes of this node at once, for changes of other nodes through NOTIFY. A NOTIFY
 * holds a lock of the whole server while it commits. Signals that arrive meanwhile are sent together in the next
 * NOTIFY, so that a busy node needs few transactions. Signals may be lost, so listeners are called once a second to
 * read again.
 */
export class Signals {
  readonly #sender = randomUUID().slice(0, 13)
  readonly #listeners = new Set<SignalListener>()
  readonly #session: SignalSession
  readonly #pending = new PendingSignals()
  #sending: Promise<void> | undefined
  #poll: ReturnType<typeof setInterval> | undefined

  constructor(settings: Settings, connections: Connections, pool: ConnectionPool) {
    connections.history.onReset(() => this.#tell([RESET]))
    this.#session = new SignalSession(settings, connections, pool, {
      message: (payload) => {
        const { sender, signals } = decodeSignals(payload)
        if (sender !== this.#sender) this.#tell(signals)
      },
      connected: () => this.#tell([RESYNC]),
    })
  }

  /**
   * Connects for signals; never rejects. After a failed attempt, further attempts are made in the background. A
   * listener that subscribes after this call misses no change.
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

  /** Sends the signals of an applied commit to this node's listeners and to the other nodes. */
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

  // Calls the listeners, each in its own microtask, so that an error in a listener affects neither the other listeners
  // nor the committer.
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
