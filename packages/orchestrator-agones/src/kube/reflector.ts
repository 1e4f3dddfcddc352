import type { KubeClient, Pauses, ResourcePath } from './client'
import { wordsOf } from './connection'
import { ApiRefusal, isRefused } from './errors'
import type { KubeItem, KubeStatus, WatchEvent } from './shapes'

/** A watch ends by itself after so long, so that a stream that nobody feeds any more is not taken for quiet. */
const WATCH_SECONDS = 240
/** A watch that says nothing for longer is taken for dead: one that lives is sent a bookmark about every minute. */
const MOST_SILENCE_MS = 90_000
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000
/** Of what is gone, so many are remembered: an answer that comes late does not bring them back. */
const REMEMBERED_GONE = 2_000

export interface ReflectorEvents<T extends KubeItem> {
  /** It is there, or changed, or went. */
  readonly changed: (item: T, isGone: boolean) => void
  readonly trouble: (words: string) => void
}

/**
 * What the cluster holds of a kind, by a list and the watch that goes on from it. Level, not edge: whatever is missed while a watch is
 * cut is found by the version that was seen last, and where that is too old (410) by a list anew.
 */
export class Reflector<T extends KubeItem> {
  private items = new Map<string, T>()
  private readonly gone = new Set<string>()
  private version = ''
  private readonly stopping = new AbortController()
  private heardAt = Number.NEGATIVE_INFINITY
  private isConnected = false
  /** When the open watch said something, or was opened. */
  private lastWordAt = Number.NEGATIVE_INFINITY
  private listed: (() => void)[] = []

  constructor(
    private readonly client: KubeClient,
    private readonly resource: ResourcePath,
    private readonly selector: string,
    private readonly pauses: Pauses,
    private readonly events: ReflectorEvents<T>,
  ) {}

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
    return [...this.items.values()]
  }

  byName(name: string): T | undefined {
    return this.items.get(name)
  }

  /** For how long nothing was heard; 0 while a watch is open, infinite before the first list. */
  silentMs(): number {
    return this.isConnected ? 0 : this.pauses.now() - this.heardAt
  }

  /** What a call of this service answered: known at once, and never older than what the watch told. */
  put(item: T): void {
    const { name, uid } = item.metadata
    if (this.gone.has(uid)) return
    const known = this.items.get(name)
    if (known !== undefined && known.metadata.uid === uid && !isNewer(item, known)) return
    if (known !== undefined && known.metadata.uid !== uid && isNewer(known, item)) return
    this.items.set(name, item)
    this.events.changed(item, false)
  }

  /** It is not there any more, or is nobody's business from now on. */
  drop(item: KubeItem): void {
    const { name, uid } = item.metadata
    this.gone.add(uid)
    if (this.gone.size > REMEMBERED_GONE) this.gone.delete([...this.gone][0] ?? '')
    const known = this.items.get(name)
    if (known?.metadata.uid !== uid) return
    this.items.delete(name)
    this.events.changed(known, true)
  }

  private async run(): Promise<void> {
    let waitMs = FIRST_WAIT_MS
    while (!this.stopping.signal.aborted) {
      try {
        if (this.version === '') await this.list()
        await this.watch(() => {
          waitMs = FIRST_WAIT_MS
        })
      } catch (error) {
        this.isConnected = false
        if (this.stopping.signal.aborted) return
        // Too old a version: nothing is wrong, it is listed anew at once.
        if (isRefused(error, 410)) {
          this.version = ''
          continue
        }
        this.events.trouble(wordsOf(error))
        const asked = error instanceof ApiRefusal ? (error.retryAfterMs ?? 0) : 0
        await this.pauses
          .pause(Math.max(waitMs, Math.min(asked, LONGEST_WAIT_MS)), this.stopping.signal)
          .catch(() => {})
        waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)
      }
    }
  }

  private async list(): Promise<void> {
    const { items, version } = await this.client.list<T>(this.resource, this.selector)
    const before = this.items
    const now = new Map(
      items.filter(({ metadata }) => !this.gone.has(metadata.uid)).map((one) => [one.metadata.name, one]),
    )
    // What this service made while the list was under way is newer than the list.
    for (const [name, one] of before)
      if (!now.has(name) && isLater(one.metadata.resourceVersion, version)) now.set(name, one)
    for (const [name, one] of before) {
      const found = now.get(name)
      if (found !== undefined && found.metadata.uid === one.metadata.uid && isNewer(one, found)) now.set(name, one)
    }
    this.items = now
    this.version = version
    this.heardAt = this.pauses.now()
    for (const [name, one] of before)
      if (now.get(name)?.metadata.uid !== one.metadata.uid) this.events.changed(one, true)
    for (const [name, one] of now) {
      if (before.get(name)?.metadata.resourceVersion !== one.metadata.resourceVersion) this.events.changed(one, false)
    }
    for (const done of this.listed.splice(0)) done()
  }

  private async watch(heard: () => void): Promise<void> {
    const query = {
      labelSelector: this.selector,
      resourceVersion: this.version,
      allowWatchBookmarks: 'true',
      timeoutSeconds: String(WATCH_SECONDS),
    }
    const over = new AbortController()
    const stream = await this.client.watch(this.resource, query, AbortSignal.any([this.stopping.signal, over.signal]))
    this.isConnected = true
    this.lastWordAt = this.pauses.now()
    void this.cutWhenSilent(over)
    try {
      for await (const event of eventsIn<T>(stream)) {
        this.lastWordAt = this.pauses.now()
        heard()
        this.hear(event)
      }
    } catch (error) {
      if (error instanceof ApiRefusal) throw error
      // Cut: it goes on from the version that was seen last.
    } finally {
      over.abort()
      this.isConnected = false
      this.heardAt = this.pauses.now()
    }
    // A stream that ends at once, again and again, is no reason to ask without a pause.
    await this.pauses.pause(FIRST_WAIT_MS, this.stopping.signal).catch(() => {})
  }

  private async cutWhenSilent(over: AbortController): Promise<void> {
    while (!over.signal.aborted && !this.stopping.signal.aborted) {
      const left = this.lastWordAt + MOST_SILENCE_MS - this.pauses.now()
      if (left <= 0) return over.abort()
      await this.pauses.pause(left, over.signal).catch(() => {})
    }
  }

  private hear({ type, object }: WatchEvent<T>): void {
    if (type === 'ERROR') {
      const { code = 500, reason = '', message = '' } = object as unknown as KubeStatus
      throw new ApiRefusal(code, reason, message, undefined)
    }
    this.version = object.metadata.resourceVersion
    if (type === 'BOOKMARK') return
    if (type === 'DELETED') this.drop(object)
    else this.put(object)
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

/** Versions of one cluster's objects are numbers that grow; one that is none is not compared, and the watch decides. */
export const isLater = (a: string, b: string): boolean =>
  /^\d+$/.test(a) && /^\d+$/.test(b) && (a.length > b.length || (a.length === b.length && a > b))

const isNewer = (a: KubeItem, b: KubeItem): boolean => isLater(a.metadata.resourceVersion, b.metadata.resourceVersion)
