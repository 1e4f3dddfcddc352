import type { KubeClient, Pauses } from './client'
import { wordsOf } from './connection'
import { ApiRefusal, isRefused, Unreachable } from './errors'
import { HeldObjects } from './held-objects'
import type { ResourcePath } from './resources'
import { asRead, type KubeItem, type KubeStatus, type WatchEvent } from './shapes'

/** Seconds after which a watch ends by itself. Without this limit, a dead stream would look like a stream without changes. */
const WATCH_SECONDS = 240
/** Milliseconds within which a watch opens. When opening takes longer, the connection counts as dead. */
const OPENS_WITHIN_MS = 15_000
/**
 * Milliseconds without data after which an open watch counts as dead. A working watch receives a bookmark about every
 * minute.
 */
const MOST_SILENCE_MS = 75_000
/** Milliseconds between two lists while no watch works: a right is missing, or a proxy holds streams back. */
const LISTED_EVERY_MS = 30_000
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000

export interface ReflectorEvents<T extends KubeItem> {
  /** Called when an object is new, has changed, or no longer exists. */
  readonly changed: (item: T, isGone: boolean) => void
  readonly trouble: (words: string) => void
}

/**
 * Local copy of a cluster's objects of one kind, from a list and from the watch that continues the list. After an
 * interruption, the watch continues from the last version that it received. When that version is too old (status 410),
 * or no watch sends data, all objects are listed again. So the copy reaches the cluster's state even after missed
 * events.
 */
export class Reflector<T extends KubeItem> {
  private readonly held: HeldObjects<T>
  private version = ''
  private readonly stopping = new AbortController()
  /** Time of the last list or watch event. Opening a watch without an event does not count. */
  private heardAt = Number.NEGATIVE_INFINITY
  private waitMs = FIRST_WAIT_MS
  /** Number of consecutive watches that the cluster refused because their version was too old. */
  private expired = 0
  private listed: (() => void)[] = []

  constructor(
    private readonly client: KubeClient,
    private readonly resource: ResourcePath,
    private readonly selector: string,
    private readonly pauses: Pauses,
    private readonly events: ReflectorEvents<T>,
  ) {
    this.held = new HeldObjects(events.changed)
  }

  start(): void {
    void this.run()
  }

  stop(): void {
    this.stopping.abort()
    for (const done of this.listed.splice(0)) done()
  }

  /** Resolves after the first list, or when the reflector is stopped. */
  whenListed(): Promise<void> {
    if (this.version !== '' || this.stopping.signal.aborted) return Promise.resolve()
    return new Promise((resolve) => this.listed.push(resolve))
  }

  get all(): readonly T[] {
    return this.held.all
  }

  byName(name: string): T | undefined {
    return this.held.byName(name)
  }

  /**
   * Returns the milliseconds since the last list or watch event; infinite before the first list. The value stays below
   * two minutes while the cluster answers, even when no watch is possible.
   */
  silentMs(): number {
    return this.pauses.now() - this.heardAt
  }

  /** Stores the object that a call of this service returned, so that the local copy contains it at once. */
  put(item: T): void {
    this.held.put(item, this.version)
  }

  /** Removes an object that no longer exists, or that the service no longer needs. */
  drop(item: KubeItem): void {
    this.held.drop(item)
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        if (this.version === '' || this.silentMs() >= LISTED_EVERY_MS) await this.list()
        await this.watch()
      } catch (error) {
        if (this.stopping.signal.aborted) return
        if (isRefused(error, 410)) {
          this.version = ''
          this.expired++
          // A version that is too old is not counted as a failure at first: the objects are listed again at once. A
          // second refusal in a row counts as a failure.
          if (this.expired === 1) continue
        }
        this.events.trouble(wordsOf(error))
        if (error instanceof ApiRefusal)
          this.waitMs = Math.max(this.waitMs, Math.min(error.retryAfterMs ?? 0, LONGEST_WAIT_MS))
      }
      // The pause also follows a stream that ended without an error: a stream that ends at once again and again must
      // not cause calls without a pause.
      await this.pauses.pause(this.waitMs, this.stopping.signal).catch(() => {})
      this.waitMs = Math.min(2 * this.waitMs, this.expired > 1 ? LISTED_EVERY_MS : LONGEST_WAIT_MS)
    }
  }

  private async list(): Promise<void> {
    const { items, version } = await this.client.list<T>(this.resource, this.selector)
    this.version = version
    this.heardAt = this.pauses.now()
    this.held.replace(items, version)
    for (const done of this.listed.splice(0)) done()
  }

  private async watch(): Promise<void> {
    const query = {
      labelSelector: this.selector,
      resourceVersion: this.version,
      allowWatchBookmarks: 'true',
      timeoutSeconds: String(WATCH_SECONDS),
    }
    const over = new AbortController()
    const signal = AbortSignal.any([this.stopping.signal, over.signal])
    let until = this.pauses.now() + OPENS_WITHIN_MS
    void this.endAt(() => until, over)
    try {
      const stream = await unlessAborted(this.client.watch(this.resource, query, signal), signal)
      until = this.pauses.now() + MOST_SILENCE_MS
      await this.follow(stream, () => {
        until = this.pauses.now() + MOST_SILENCE_MS
      })
    } finally {
      over.abort()
    }
  }

  private async follow(stream: AsyncIterable<Buffer>, heard: () => void): Promise<void> {
    try {
      for await (const event of eventsIn<T>(stream)) {
        this.hear(event)
        heard()
      }
    } catch (error) {
      if (error instanceof ApiRefusal) throw error
      // The stream was interrupted: the next watch continues from the last version that was received.
    }
  }

  /**
   * Aborts the watch at the time that `until` returns, even before the watch is open. A call on a dead connection would
   * wait forever, and meanwhile the service would report stale data.
   */
  private async endAt(until: () => number, over: AbortController): Promise<void> {
    while (!over.signal.aborted && !this.stopping.signal.aborted) {
      const left = until() - this.pauses.now()
      if (left <= 0) return over.abort()
      await this.pauses.pause(left, over.signal).catch(() => {})
    }
  }

  private hear({ type, object }: WatchEvent<T>): void {
    if (type === 'ERROR') {
      const { code = 500, reason = '', message = '' } = object as unknown as KubeStatus
      throw new ApiRefusal(code, reason, message, undefined)
    }
    if (type === 'DELETED') this.drop(object)
    else if (type !== 'BOOKMARK') this.held.take(asRead(object))
    this.version = object.metadata.resourceVersion
    this.heardAt = this.pauses.now()
    this.waitMs = FIRST_WAIT_MS
    this.expired = 0
  }
}

async function* eventsIn<T extends KubeItem>(stream: AsyncIterable<Buffer>): AsyncGenerator<WatchEvent<T>> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as WatchEvent<T>
  }
}

/** Returns the result of the work. Rejects when the signal aborts, even if the work does not react to the signal. */
const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      const words = `it does not open within ${OPENS_WITHIN_MS / 1_000} s, and is not waited for any more`
      signal.addEventListener('abort', () => reject(new Unreachable(words)), { once: true })
    }),
  ])
