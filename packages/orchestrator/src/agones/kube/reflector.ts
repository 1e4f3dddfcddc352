import type { KubeClient, Pauses } from './client'
import { wordsOf } from './connection'
import { ApiRefusal, isRefused, Unreachable } from './errors'
import { HeldObjects } from './held-objects'
import type { ResourcePath } from './resources'
import { asRead, type KubeItem, type KubeStatus, type WatchEvent } from './shapes'

/** A watch ends by itself after so long, so that a stream that nobody feeds any more is not taken for quiet. */
const WATCH_SECONDS = 240
/** A watch opens within this time, or its call waits in a connection whose other end is gone. */
const OPENS_WITHIN_MS = 15_000
/** An open watch that says nothing for longer is taken for dead: one that lives is sent a bookmark about every minute. */
const MOST_SILENCE_MS = 75_000
/** What no watch tells (a right is missing, a proxy holds streams back) is listed so often. */
const LISTED_EVERY_MS = 30_000
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000

export interface ReflectorEvents<T extends KubeItem> {
  /** It is there, or changed, or went. */
  readonly changed: (item: T, isGone: boolean) => void
  readonly trouble: (words: string) => void
}

/**
 * What the cluster holds of a kind, by a list and the watch that goes on from it. Level, not edge: whatever is missed while a watch is
 * cut is found by the version that was seen last, and where that is too old (410), or no watch tells anything, by a list anew.
 */
export class Reflector<T extends KubeItem> {
  private readonly held: HeldObjects<T>
  private version = ''
  private readonly stopping = new AbortController()
  /** When a list was read, or the watch said something. That one is open says nothing yet. */
  private heardAt = Number.NEGATIVE_INFINITY
  private waitMs = FIRST_WAIT_MS
  /** Versions that were too old, one after the other. */
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

  /** Once there has been a first list, or it was stopped. */
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

  /** For how long nothing was heard; infinite before the first list. Of a cluster that answers for less than two minutes, whether it can be watched or not. */
  silentMs(): number {
    return this.pauses.now() - this.heardAt
  }

  /** What a call of this service answered: known at once. */
  put(item: T): void {
    this.held.put(item, this.version)
  }

  /** It is not there any more, or is nobody's business from now on. */
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
          // Too old a version: nothing is wrong, and it is listed anew at once. Twice in a row something is.
          if (this.expired === 1) continue
        }
        this.events.trouble(wordsOf(error))
        if (error instanceof ApiRefusal)
          this.waitMs = Math.max(this.waitMs, Math.min(error.retryAfterMs ?? 0, LONGEST_WAIT_MS))
      }
      // Also after a stream that has ended well: one that does so at once, again and again, is no reason to ask without a pause.
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
      // Cut: it goes on from the version that was seen last.
    }
  }

  /** Also before it is open: a call in a connection that is dead would wait for ever, and what it does not tell is told from memory. */
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

/** Whoever does not hear of the signal is not waited for. */
const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      const words = `it does not open within ${OPENS_WITHIN_MS / 1_000} s, and is not waited for any more`
      signal.addEventListener('abort', () => reject(new Unreachable(words)), { once: true })
    }),
  ])
