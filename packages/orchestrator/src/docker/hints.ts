import type { ObservedServer } from '@matchyard/core/ports'
import { Newcomers } from '../kit/index'
import { asking, type Engine } from './engine'
import { LABEL } from './labels'

/** Milliseconds between two observations while a server starts. */
const STARTING_EVERY_MS = 100
/** Milliseconds between two observations when no server is starting, in case the engine sent no event for a change. */
const RUNNING_EVERY_MS = 2_000
const RECONNECT_MS = 1_000

/**
 * Calls listeners with the ids of instances that changed. An event of the engine starts an observation, and the
 * comparison with the last observation finds the changes. If the stream of events breaks (the engine restarted), hints
 * are only delayed.
 */
export class Hints {
  private readonly listeners = new Set<(instanceId: string) => void>()
  private last = new Map<string, string>()
  private timer: NodeJS.Timeout | undefined
  private due = Number.POSITIVE_INFINITY
  private looking = false
  private readonly newcomers = new Newcomers()
  private closed = false
  private stream: { destroy(): void } | undefined

  constructor(
    private readonly engine: () => Promise<Engine>,
    private readonly installationId: string,
    private readonly observe: () => Promise<readonly ObservedServer[]>,
  ) {}

  subscribe(listener: (instanceId: string) => void): () => void {
    if (this.listeners.size === 0) this.listen()
    this.listeners.add(listener)
    this.wake()
    return () => this.listeners.delete(listener)
  }

  /** Starts an observation now, because something may have changed. */
  wake(): void {
    this.look(0)
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
    this.stream?.destroy()
    this.listeners.clear()
  }

  private look(afterMs: number): void {
    const due = performance.now() + afterMs
    if (this.closed || this.listeners.size === 0 || due >= this.due) return
    this.due = due
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.compare(), afterMs)
    this.timer.unref() // the timer must not keep the process alive
  }

  private async compare(): Promise<void> {
    this.due = Number.POSITIVE_INFINITY
    if (this.looking) return this.look(STARTING_EVERY_MS)
    this.looking = true
    try {
      const servers = await this.observe()
      const now = new Map(servers.map(({ instanceId, attempt, state }) => [instanceId, `${attempt} ${state}`]))
      const before = this.last
      this.last = now
      for (const instanceId of new Set([...before.keys(), ...now.keys()])) {
        if (before.get(instanceId) !== now.get(instanceId)) this.hint(instanceId)
        if (!now.has(instanceId)) this.newcomers.forget(instanceId)
      }
      const inAHurry = this.newcomers.among(servers, performance.now()).length > 0
      this.look(inAHurry ? STARTING_EVERY_MS : RUNNING_EVERY_MS)
    } catch {
      this.look(RUNNING_EVERY_MS) // the engine is unreachable; callers of `observe` get the error
    } finally {
      this.looking = false
    }
  }

  private hint(instanceId: string): void {
    if (this.closed) return
    for (const listener of this.listeners) listener(instanceId)
  }

  private async listen(): Promise<void> {
    if (this.closed) return
    try {
      const { patient } = await this.engine()
      const filters = { type: ['container'], label: [`${LABEL.installation}=${this.installationId}`] }
      const stream = (await asking(
        patient.getEvents({ filters: JSON.stringify(filters) }),
      )) as NodeJS.ReadableStream & { destroy(): void }
      if (this.closed) return stream.destroy()
      this.stream = stream
      stream.on('data', () => this.wake())
      stream.once('close', () => this.listenAgain())
      stream.on('error', () => {}) // `close` follows
    } catch {
      this.listenAgain()
    }
  }

  private listenAgain(): void {
    if (this.closed) return
    this.wake()
    setTimeout(() => this.listen(), RECONNECT_MS).unref()
  }
}
