import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Signal, SignalListener } from '@matchyard/core/ports'
import type { Connections } from '../connections/connections'
import type { Settings } from '../options'
import { decodeSignals, encodeSignals } from './messages'
import { PendingSignals, RESYNC } from './pending-signals'
import { SignalSession } from './session'

/** Between two NOTIFY of a node: at most a hundred a second, however many commits; a lone signal goes out at once. */
const GAP_MS = 10

/** What a lost notification can delay by, at most. */
const POLL_MS = 1_000

const RESET: Signal = { topic: 'reset', id: '' }

/**
 * Tells listeners of changes: of this node's at once, of other nodes' through NOTIFY. Signals that come while a NOTIFY is on
 * its way go together in the next one, so that a busy node sends few transactions (a NOTIFY holds a lock of the whole
 * server while it commits). It is a hint that may get lost, so listeners are asked to read again once a second.
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

  /** Connects; a listener that subscribes afterwards misses nothing. Does not fail: connecting goes on by itself. */
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

  /** Tells of an applied commit. */
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
      // What could not be sent is dropped: the other nodes look by themselves within a second.
      await this.#session.notify(encodeSignals(this.#sender, this.#pending.take()))
      await wait(GAP_MS)
    }
  }

  // Each listener has a turn of its own: one that throws takes nothing from the others, or from the committer.
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
