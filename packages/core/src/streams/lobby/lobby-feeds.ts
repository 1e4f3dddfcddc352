import type { Lobby } from '../../lobby/lobby'
import type { Service } from '../../node/service'
import { type LoggedEvent, MAX_HEADS } from '../../ports/storage/index'
import { Follower } from '../follower'
import { inParts } from '../in-parts'
import type { StreamPlace } from '../places'
import { RecentPages } from '../recent-pages'
import type { StreamRoom } from '../stream-room'
import { LobbyLog, LobbyStream, type StreamReader } from './lobby-stream'

/**
 * Follows the log of each lobby that has streams on this node. The versions in a log have no gaps, so streams deliver every event in order.
 */
export class LobbyFeeds extends Follower<LobbyStream, LobbyLog> {
  protected readonly failure = { text: 'a lobby stream could not be read', id: 'lobby_id' }
  private readonly shared: ConstructorParameters<typeof LobbyLog>[0]

  constructor(ctx: Service, room: StreamRoom, recentBytes: number) {
    super(ctx, room)
    this.shared = { ctx, waiting: room.waiting, recent: new RecentPages<LoggedEvent>(recentBytes) }
  }

  /**
   * Opens a stream of an existing lobby, from the events after version `from`, or from the present state. The stream delivers every event.
   */
  open(lobby: Lobby, reader: StreamReader, from: number | undefined, place: StreamPlace): LobbyStream {
    const log = this.get(lobby.id) ?? new LobbyLog(this.shared, lobby.id, lobby.version)
    const stream = new LobbyStream(reader, from ?? lobby.version, log)
    if (from === undefined) stream.begin(log.shownAs(lobby))
    this.add(stream, log, place)
    return stream
  }

  /** Reads events whose signal arrived before the stream was open. Throws the errors of the storage. */
  async catchUp({ lobbyId }: LobbyStream): Promise<void> {
    await this.get(lobbyId)?.run()
  }

  /**
   * Opens a stream of the log that a deleted lobby leaves for an hour. The stream delivers the events after version `from`, up to the
   * lobby's last version.
   */
  openEnded(lobbyId: string, reader: StreamReader, from: number, last: number, place: StreamPlace): LobbyStream {
    const stream = new LobbyStream(reader, from, new LobbyLog(this.shared, lobbyId, last))
    place.fill(stream)
    stream.endAfter(last)
    return stream
  }

  /**
   * Finds the logs that have new events, with one storage call for many lobbies. Logs without new events cost almost nothing. Throws the
   * errors of the storage.
   */
  async look(): Promise<void> {
    for (const lobbyIds of inParts(this.ids, MAX_HEADS)) await this.lookAtHeads(lobbyIds)
  }

  /**
   * Discards earlier reads, which may contain commits that the database has lost. A stream whose log is now shorter starts again. The other
   * streams continue, because every event contains the whole lobby.
   */
  forget(): void {
    this.shared.recent.forgetAll()
  }

  private async lookAtHeads(lobbyIds: readonly string[]): Promise<void> {
    const known = new Map(lobbyIds.map((lobbyId) => [lobbyId, this.get(lobbyId)?.version ?? 0]))
    const heads = await this.ctx.storage.events.heads(lobbyIds)
    const inLog = new Map(heads.map(({ lobbyId, version }) => [lobbyId, version]))
    const moved: string[] = []
    for (const lobbyId of lobbyIds) {
      const [now, before] = [inLog.get(lobbyId), known.get(lobbyId) ?? 0]
      if (now !== undefined && now < before) this.startOver(lobbyId)
      else if (now !== before) moved.push(lobbyId)
    }
    await this.readAll(moved)
  }

  /**
   * Handles a log that is shorter than the part already read, because the database lost its last commits. The streams end, and their
   * readers resume with the present lobby.
   */
  private startOver(lobbyId: string): void {
    this.shared.recent.forget(lobbyId)
    for (const stream of [...(this.get(lobbyId)?.streams ?? [])]) stream.drop()
  }
}
