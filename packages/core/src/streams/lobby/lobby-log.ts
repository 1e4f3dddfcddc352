import type { Context } from '../../context/context'
import type { Lobby } from '../../lobby/lobby'
import type { LoggedEvent } from '../../ports/storage/index'
import { queueKey } from '../../queue/queue'
import { Followed } from '../followed'
import type { RecentPages } from '../recent-pages'
import { PAGE } from '../stream-limits'
import type { WaitingBytes } from '../waiting-bytes'
import type { LobbyStream } from './lobby-stream'

/** One lobby's log, whose events have its versions: read once for all who are at its end, and at their own pace for those who are not. */
export class LobbyLog extends Followed<LobbyStream> {
  private shown: WeakRef<Lobby> | undefined

  constructor(
    private readonly shared: {
      readonly ctx: Pick<Context, 'storage' | 'presence'>
      readonly recent: RecentPages<LoggedEvent>
      readonly waiting: WaitingBytes
    },
    lobbyId: string,
    /** Up to here the log was read for everybody. */
    public version: number,
  ) {
    super(lobbyId)
  }

  get waiting(): WaitingBytes {
    return this.shared.waiting
  }

  /** One object for a crowd that is shown the lobby at one version, so that its text is made once; kept by who still needs it. */
  shownAs(lobby: Lobby): Lobby {
    const known = this.shown?.deref()
    if (known?.version === lobby.version) return known
    this.shown = new WeakRef(lobby)
    return lobby
  }

  find(version: number): LoggedEvent | undefined {
    return this.shared.recent.find(this.id, version)
  }

  async readAfter(version: number): Promise<readonly LoggedEvent[]> {
    const { ctx, recent } = this.shared
    const events = await ctx.storage.events.read(this.id, version, PAGE.events, PAGE.bytes)
    recent.add(this.id, events[0]?.version ?? 0, events)
    return events
  }

  protected async once(): Promise<boolean> {
    if (await this.readPage()) return true
    // A log always keeps its newest event, unless its lobby was deleted so long ago that it is forgotten whole. Then there is
    // nothing more to say; one more read makes sure.
    if ((await this.shared.ctx.storage.events.heads([this.id])).length > 0) return false
    if (await this.readPage()) return true
    for (const stream of [...this.streams]) stream.endAfter(this.version)
    return false
  }

  /** Reads a page for everybody; answers whether it had something. */
  private async readPage(): Promise<boolean> {
    const events = await this.readAfter(this.version)
    for (const event of events) {
      this.version = event.version
      const { id, projectId, queueId } = event.lobby
      this.shared.ctx.presence.lobbyIsIn(id, queueKey(projectId, queueId))
      for (const stream of this.streams) stream.announce(event)
    }
    return events.length > 0
  }
}
