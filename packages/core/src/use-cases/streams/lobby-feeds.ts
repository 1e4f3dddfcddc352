import type { Logger } from '../../ports/logger'
import type { Signal, Storage, StreamEvent } from '../../ports/storage/index'
import type { LobbyStream } from './lobby-stream'

const EVENTS_AT_ONCE = 100
const BYTES_AT_ONCE = 256 * 1024

interface Feed {
  /** Up to here the log was read for everybody. */
  version: number
  readonly streams: Set<LobbyStream>
  reading: boolean
  again: boolean
}

const newFeed = (version: number): Feed => ({ version, streams: new Set(), reading: false, again: false })

const endAll = (feed: Feed): void => {
  for (const stream of [...feed.streams]) stream.end()
}

/**
 * Reads each watched lobby's log once per node, however many watch it. Signals only say that there is something to read; order and
 * completeness come from the log, whose versions have no gaps.
 */
export class LobbyFeeds {
  private readonly feeds = new Map<string, Feed>()
  private readonly unsubscribe: () => void

  constructor(
    private readonly storage: Storage,
    private readonly logger: Logger,
  ) {
    this.unsubscribe = storage.subscribe((signal) => this.onSignal(signal))
  }

  get openStreams(): number {
    let open = 0
    for (const feed of this.feeds.values()) open += feed.streams.size
    return open
  }

  /** From now on the stream gets every event after its position. */
  async attach(stream: LobbyStream): Promise<void> {
    for (let ahead = false; ; ) {
      const events = await this.storage.events.read(stream.lobbyId, stream.position, EVENTS_AT_ONCE, BYTES_AT_ONCE)
      for (const event of events) stream.replayEvent(event)
      // What the shared reading had is not in the log any more.
      if (ahead && events.length === 0) stream.end()
      if (stream.isEnded) return
      // The stream reads on its own until it has caught up with the shared reading; from there on to the end nothing waits.
      ahead = (this.feeds.get(stream.lobbyId)?.version ?? 0) > stream.position
      if (events.length < EVENTS_AT_ONCE && !ahead) break
    }
    const feed = this.feeds.get(stream.lobbyId) ?? newFeed(stream.position)
    feed.streams.add(stream)
    this.feeds.set(stream.lobbyId, feed)
    stream.onEnd(() => this.detach(stream))
    // What was written after the last read had its signal before the stream was listening.
    void this.read(stream.lobbyId)
  }

  /** Ends every stream, for a shutdown. */
  close(): void {
    this.unsubscribe()
    for (const feed of [...this.feeds.values()]) endAll(feed)
  }

  private detach(stream: LobbyStream): void {
    const feed = this.feeds.get(stream.lobbyId)
    feed?.streams.delete(stream)
    if (feed?.streams.size === 0) this.feeds.delete(stream.lobbyId)
  }

  private onSignal({ topic, id }: Signal): void {
    if (topic === 'lobby') void this.read(id)
    else if (topic === 'api-key') void this.endRevoked((keyId) => keyId === id)
    else if (topic === 'resync') {
      for (const lobbyId of this.feeds.keys()) void this.read(lobbyId)
      void this.endRevoked(() => true)
    }
  }

  private async read(lobbyId: string): Promise<void> {
    const feed = this.feeds.get(lobbyId)
    if (feed === undefined) return
    if (feed.reading) {
      feed.again = true
      return
    }
    feed.reading = true
    try {
      for (let isGone = false; ; ) {
        feed.again = false
        const events = await this.storage.events.read(lobbyId, feed.version, EVENTS_AT_ONCE, BYTES_AT_ONCE)
        for (const event of events) this.spread(feed, event)
        if (events.length > 0) feed.again ||= events.length === EVENTS_AT_ONCE
        else if (isGone) return endAll(feed)
        // What was deleted so long ago that its log is forgotten has nothing more to say; one more read makes sure.
        else if ((await this.storage.get('lobby', lobbyId)) === undefined) feed.again = isGone = true
        if (!feed.again) return
      }
    } catch (error) {
      // Readers resume by their last id; going on would leave a gap.
      this.logger.warn('a lobby stream could not be read', { lobby_id: lobbyId, error: String(error) })
      endAll(feed)
    } finally {
      feed.reading = false
    }
  }

  private spread(feed: Feed, event: StreamEvent): void {
    feed.version = event.version
    for (const stream of feed.streams) stream.pushEvent(event)
  }

  private async endRevoked(concerns: (keyId: string) => boolean): Promise<void> {
    const byKey = new Map<string, LobbyStream[]>()
    for (const feed of this.feeds.values()) {
      for (const stream of feed.streams) {
        const { keyId } = stream.reader
        if (keyId !== undefined && concerns(keyId)) byKey.set(keyId, [...(byKey.get(keyId) ?? []), stream])
      }
    }
    for (const [keyId, streams] of byKey) {
      const key = await this.storage.get('api-key', keyId).catch(() => undefined)
      if (key === undefined || key.revokedAt !== null) for (const stream of streams) stream.end()
    }
  }
}
