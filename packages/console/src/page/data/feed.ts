import { isMatchyardError } from '@matchyard/client'
import { signal } from '@preact/signals'
import type { Wire } from './wire'

export type Kind = 'lobby' | 'match' | 'server' | 'build' | 'queue'

/**
 * State of the feed. `quiet`: not opened yet. `live`: all changes arrive. `away`: the page is hidden, so the stream is
 * closed. `broken`: the service does not answer, and the page retries.
 */
export type FeedState = 'quiet' | 'connecting' | 'live' | 'away' | 'broken'

export interface FeedSink {
  updated(kind: Kind, thing: unknown): void
  deleted(kind: Kind, id: string): void
  /**
   * Called when the stream begins to report all changes of some kinds (types of resources, such as lobbies), and after
   * a gap. The entities of these kinds must be read now.
   */
  begin(kinds: ReadonlySet<Kind>): void
  /** Called when the stream failed; the page retries. `kinds` are the kinds whose entities have not been read yet. */
  failed(kinds: ReadonlySet<Kind>, error: unknown): void
  /** Called when the service no longer accepts the page's key. The feed does not retry. */
  refused(error: unknown): void
}

interface Change {
  readonly kind: Kind
  readonly id: string
  readonly change: 'updated' | 'deleted'
  readonly data: unknown
}

const AGAIN_MS = [250, 500, 1_000, 2_000, 3_000]
/**
 * Milliseconds after which a hidden tab closes its stream. A browser allows six connections to one service over HTTP/1.
 */
const AWAY_AFTER_MS = 20_000
/**
 * Milliseconds for which the feed still reports a kind that no view shows any more, so that a return to the view is
 * immediate.
 */
const UNWANTED_MS = 30_000
/**
 * Milliseconds without any bytes after which the stream is reopened. The service sends at least a ping every 15
 * seconds.
 */
const SILENT_MS = 40_000

/**
 * Feed of the project (`GET /v1/events`): one stream with the kinds of entities that the shown views need, and the
 * state of the connection.
 */
export class Feed {
  readonly state = signal<FeedState>('quiet')
  /** Time of the last received bytes, in milliseconds since 1970. */
  readonly heardAt = signal<number | undefined>(undefined)
  private readonly wanted = new Map<Kind, number>()
  private asked: ReadonlySet<Kind> = new Set()
  /** Kinds that the stream reports, but of which the page has not read the entities yet. */
  private readonly fresh = new Set<Kind>()
  private cursor: string | undefined
  private run: AbortController | undefined
  private failures = 0
  private timer = 0
  private awayTimer = 0
  private shrinkTimer = 0
  private ended = false

  constructor(
    private readonly wire: Wire,
    private readonly sink: FeedSink,
  ) {
    document.addEventListener('visibilitychange', this.looked)
  }

  /** Keeps a kind in the stream until the returned function is called. */
  want(kind: Kind): () => void {
    const count = this.wanted.get(kind) ?? 0
    this.wanted.set(kind, count + 1)
    // The stream is opened a moment later, so that all views that are mounted together cause one stream.
    if (count === 0 && !this.asked.has(kind)) queueMicrotask(() => this.reopen())
    return () => {
      this.wanted.set(kind, (this.wanted.get(kind) ?? 1) - 1)
      clearTimeout(this.shrinkTimer)
      this.shrinkTimer = window.setTimeout(() => this.reopen(), UNWANTED_MS)
    }
  }

  close(): void {
    this.ended = true
    document.removeEventListener('visibilitychange', this.looked)
    clearTimeout(this.timer)
    clearTimeout(this.awayTimer)
    clearTimeout(this.shrinkTimer)
    this.run?.abort()
  }

  /**
   * Reopens the stream when the set of needed kinds has changed. The stream resumes at the last cursor; the entities of
   * new kinds are read.
   */
  private reopen(): void {
    const kinds = new Set([...this.wanted].filter(([, count]) => count > 0).map(([kind]) => kind))
    if (this.ended || kinds.size === 0) return
    if (kinds.size === this.asked.size && [...kinds].every((kind) => this.asked.has(kind))) return
    for (const kind of kinds) if (!this.asked.has(kind)) this.fresh.add(kind)
    this.asked = kinds
    this.open()
  }

  private open(): void {
    this.run?.abort()
    clearTimeout(this.timer)
    const run = new AbortController()
    this.run = run
    if (this.state.value !== 'broken') this.state.value = 'connecting'
    const silence = this.watchSilence(run)
    const headers: Record<string, string> = this.cursor === undefined ? {} : { 'last-event-id': this.cursor }
    const heard = () => {
      silence.postpone()
      this.heardAt.value = Date.now()
    }
    this.wire
      .stream(`/v1/events?kinds=${[...this.asked].join(',')}`, {
        headers,
        signal: run.signal,
        heard,
        event: ({ name, data, id }) => this.take(name, data, id),
      })
      .then(() => this.again(run, undefined))
      .catch((error: unknown) => this.again(run, error))
      .finally(() => silence.stop())
  }

  private take(name: string, data: string, id: string | undefined): void {
    if (id !== undefined && id !== '') this.cursor = id
    if (name === 'hello') {
      this.failures = 0
      this.state.value = 'live'
      this.begin(this.fresh)
    } else if (name === 'gap') this.begin(this.asked)
    else if (name === 'change') {
      const { kind, id: thing, change, data: now } = JSON.parse(data) as Change
      if (change === 'deleted') this.sink.deleted(kind, thing)
      else this.sink.updated(kind, now)
    }
  }

  private begin(kinds: ReadonlySet<Kind>): void {
    const now = new Set(kinds)
    this.fresh.clear()
    if (now.size > 0) this.sink.begin(now)
  }

  private again(run: AbortController, error: unknown): void {
    if (this.run !== run || this.ended) return
    if (isMatchyardError(error, 'INVALID_API_KEY', 'CREDENTIAL_NOT_ALLOWED')) {
      this.sink.refused(error)
      return
    }
    if (run.signal.aborted && this.state.value === 'away') return
    this.state.value = 'broken'
    if (error !== undefined) this.sink.failed(this.fresh, error)
    const delay = AGAIN_MS[Math.min(this.failures++, AGAIN_MS.length - 1)] ?? 0
    this.timer = window.setTimeout(() => this.open(), delay)
  }

  /** Aborts a stream that was silent for too long: a dead connection may never report an error. */
  private watchSilence(run: AbortController) {
    let timer = 0
    const postpone = () => {
      clearTimeout(timer)
      timer = window.setTimeout(() => run.abort(), SILENT_MS)
    }
    postpone()
    return { postpone, stop: () => clearTimeout(timer) }
  }

  private readonly looked = (): void => {
    clearTimeout(this.awayTimer)
    if (document.visibilityState === 'visible') {
      if (this.state.value === 'away') {
        this.state.value = 'connecting'
        this.open()
      }
      return
    }
    this.awayTimer = window.setTimeout(() => {
      if (this.run === undefined) return
      this.state.value = 'away'
      this.run.abort()
    }, AWAY_AFTER_MS)
  }
}
