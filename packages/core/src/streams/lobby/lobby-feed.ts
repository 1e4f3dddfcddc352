import type { Lobby } from '../../lobby/lobby'
import type { LoggedEvent, Storage } from '../../ports/storage/index'
import type { RecentPages } from '../recent-pages'
import { PAGE } from '../stream-limits'
import type { WaitingBytes } from '../waiting-bytes'
import type { LobbyStream, StreamSource } from './lobby-stream'

/** What the feeds of a node share. */
export interface Feeding {
  readonly storage: Storage
  readonly recent: RecentPages
  readonly waiting: WaitingBytes
  /** Hears of each state of every lobby that is watched. */
  readonly told: (lobby: Lobby) => void
}

/** One lobby's log, read once for all who are at its end, and at their own pace for those who are not. */
export class LobbyFeed implements StreamSource {
  readonly streams = new Set<LobbyStream>()
  private reading: Promise<void> | undefined
  private again = false
  private shown: WeakRef<Lobby> | undefined

  constructor(
    private readonly shared: Feeding,
    readonly lobbyId: string,
    /** Up to here the log was read for everybody. */
    public version: number,
  ) {}

  /** One object for a crowd that is shown the lobby at one version, so that its text is made once; kept by who still needs it. */
  shownAs(lobby: Lobby): Lobby {
    const known = this.shown?.deref()
    if (known?.version === lobby.version) return known
    this.shown = new WeakRef(lobby)
    return lobby
  }

  find(version: number): LoggedEvent | undefined {
    return this.shared.recent.find(this.lobbyId, version)
  }

  async read(afterVersion: number): Promise<readonly LoggedEvent[]> {
    const { storage, recent } = this.shared
    const events = await storage.events.read(this.lobbyId, afterVersion, PAGE.events, PAGE.bytes)
    recent.add(this.lobbyId, events)
    return events
  }

  waits(stream: LobbyStream, chunk: object, chunkBytes: number, ownBytes: number): void {
    this.shared.waiting.add(stream, chunk, chunkBytes, ownBytes)
  }

  goesOn(stream: LobbyStream): void {
    this.shared.waiting.remove(stream)
  }

  /** Reads on to the end of the log and tells the streams. One reading at a time; it reads again for whoever asks meanwhile. */
  catchUp(): Promise<void> {
    this.again = true
    this.reading ??= this.readOn().finally(() => {
      this.reading = undefined
    })
    return this.reading
  }

  private async readOn(): Promise<void> {
    for (let isGone = false; this.again; ) {
      this.again = false
      const events = await this.read(this.version)
      for (const event of events) {
        this.version = event.version
        this.shared.told(event.lobby)
        for (const stream of this.streams) stream.announce(event)
      }
      if (events.length > 0) this.again = true
      else if (isGone) return this.endAll()
      // A log always keeps its newest event, unless its lobby was deleted so long ago that it is forgotten whole. Then there is
      // nothing more to say; one more read makes sure.
      else if ((await this.shared.storage.events.heads([this.lobbyId])).length === 0) this.again = isGone = true
    }
  }

  private endAll(): void {
    for (const stream of [...this.streams]) stream.endAfter(this.version)
  }
}
