import { isDisabled } from '../../account/decide'
import type { Lobby } from '../../lobby/lobby'
import type { Timers } from '../../ports/clock'
import type { Logger } from '../../ports/logger'
import { MAX_HEADS, type Signal, type Storage } from '../../ports/storage/index'
import { SECOND_MS } from '../../shared/time'
import { type Place, Places } from '../places'
import { RecentPages } from '../recent-pages'
import type { StreamRoom } from '../server/server-feeds'
import type { StreamLimits } from '../stream-limits'
import { WaitingBytes } from '../waiting-bytes'
import { type Feeding, LobbyFeed } from './lobby-feed'
import { LobbyStream, type StreamReader } from './lobby-stream'

/** Logs read side by side where many have moved at once, as after a time without signals. */
const READ_AT_ONCE = 16
/** Keys asked for in one call. */
const KEYS_AT_ONCE = 1_000
/** How soon a look at everything that failed is made again: the signal that asked for it may have been the only one. */
const LOOK_AGAIN_MS = SECOND_MS

/**
 * Follows each watched lobby's log once per node, however many watch it. Signals only say that there is something to read; order
 * and completeness come from the log, whose versions have no gaps.
 */
export class LobbyFeeds {
  private readonly feeds = new Map<string, LobbyFeed>()
  private readonly shared: Feeding
  private readonly places: Places
  private readonly unsubscribe: () => void
  /** A look at everything: one at a time, and one more for whoever asked meanwhile. */
  private looking = false
  private lookAgain = false
  private cancelLook: (() => void) | undefined
  private closed = false

  constructor(
    private readonly storage: Storage,
    private readonly logger: Logger,
    private readonly timers: Timers,
    limits: StreamLimits,
    told: (lobby: Lobby) => void,
  ) {
    this.shared = { storage, recent: new RecentPages(limits.recentBytes), waiting: new WaitingBytes(limits), told }
    this.places = new Places(limits)
    this.unsubscribe = storage.subscribe((signal) => this.onSignal(signal))
  }

  /** What streams of other kinds have room in too: a node bears so many in all. */
  get room(): StreamRoom {
    return { places: this.places, waiting: this.shared.waiting }
  }

  get openStreams(): number {
    return this.places.taken
  }

  /** A stream of a lobby that is there: from after version `from`, or from the lobby as it is. It is told of every event. */
  open(lobby: Lobby, reader: StreamReader, from: number | undefined, place: Place): LobbyStream {
    const feed = this.feeds.get(lobby.id) ?? new LobbyFeed(this.shared, lobby.id, lobby.version)
    const stream = new LobbyStream(lobby.id, reader, from ?? lobby.version, feed)
    if (from === undefined) stream.begin(feed.shownAs(lobby))
    this.feeds.set(lobby.id, feed)
    feed.streams.add(stream)
    stream.onEnd(() => {
      feed.streams.delete(stream)
      if (feed.streams.size === 0 && this.feeds.get(lobby.id) === feed) this.feeds.delete(lobby.id)
    })
    place.fill(stream)
    return stream
  }

  /** What was written before the stream was open had its signal before anybody listened. Throws what the storage throws. */
  async catchUp({ lobbyId }: LobbyStream): Promise<void> {
    await this.feeds.get(lobbyId)?.catchUp()
  }

  /** A stream of what is left of a deleted lobby's log: from after version `from` up to its last. */
  openEnded(lobbyId: string, reader: StreamReader, from: number, last: number, place: Place): LobbyStream {
    const stream = new LobbyStream(lobbyId, reader, from, new LobbyFeed(this.shared, lobbyId, last))
    place.fill(stream)
    stream.endAfter(last)
    return stream
  }

  /** Ends every stream, for a shutdown. */
  close(): void {
    this.closed = true
    this.unsubscribe()
    this.cancelLook?.()
    for (const feed of this.feeds.values()) closeAll(feed)
  }

  private onSignal({ topic, id }: Signal): void {
    if (topic === 'lobby') void this.read(id)
    // A key that cannot be asked for may be revoked.
    else if (topic === 'api-key') this.endDead([id]).catch(() => this.places.endOf(id))
    // An account that cannot be asked for is asked for again by the look at everything, and so are its keys.
    else if (topic === 'account') void this.onAccount(id).catch(() => this.lookAtAll())
    else if (topic === 'resync') void this.lookAtAll()
    else if (topic === 'reset') {
      // What was read may never have been. Whose log has less than was told is shown the lobby as it is; the others go on, for every
      // event holds the whole lobby.
      this.shared.recent.forgetAll()
      void this.lookAtAll()
    }
  }

  private async read(lobbyId: string): Promise<void> {
    const feed = this.feeds.get(lobbyId)
    try {
      await feed?.catchUp()
    } catch (error) {
      this.logger.warn('a lobby stream could not be read', { lobby_id: lobbyId, error: String(error) })
      // Readers resume by their last id; going on would leave a gap.
      if (feed !== undefined) closeAll(feed)
    }
  }

  /** Asks once for all which logs have moved, and which keys hold no longer: what is watched and quiet costs next to nothing. */
  private async lookAtAll(): Promise<void> {
    this.lookAgain = true
    if (this.looking) return
    this.looking = true
    try {
      while (this.lookAgain) {
        this.lookAgain = false
        await this.endDead(this.places.keyIds)
        for (const lobbyIds of inParts([...this.feeds.keys()], MAX_HEADS)) await this.lookAtHeads(lobbyIds)
      }
    } catch (error) {
      // Nothing was passed over, so nothing is lost: the next look finds it.
      this.logger.warn('the streams could not look for changes', { error: String(error) })
      this.cancelLook?.()
      if (!this.closed) this.cancelLook = this.timers.after(LOOK_AGAIN_MS, () => void this.lookAtAll())
    } finally {
      this.looking = false
    }
  }

  private async lookAtHeads(lobbyIds: readonly string[]): Promise<void> {
    const known = new Map(lobbyIds.map((lobbyId) => [lobbyId, this.feeds.get(lobbyId)?.version ?? 0]))
    const heads = await this.storage.events.heads(lobbyIds)
    const inLog = new Map(heads.map(({ lobbyId, version }) => [lobbyId, version]))
    const moved = lobbyIds.filter((lobbyId) => inLog.get(lobbyId) !== known.get(lobbyId))
    for (const some of inParts(moved, READ_AT_ONCE)) {
      await Promise.all(
        some.map((lobbyId) => {
          // The log has less than was read of it: a database that lost its last commits. What was told is not so.
          const wentBack = (inLog.get(lobbyId) ?? Number.POSITIVE_INFINITY) < (known.get(lobbyId) ?? 0)
          return wentBack ? this.startOver(lobbyId) : this.read(lobbyId)
        }),
      )
    }
  }

  /** The readers resume, and are shown the lobby as it is. */
  private startOver(lobbyId: string): void {
    this.shared.recent.forget(lobbyId)
    const feed = this.feeds.get(lobbyId)
    for (const stream of [...(feed?.streams ?? [])]) stream.drop()
  }

  /** Accounts change often, by their plans and cards; their keys are looked through only where one was disabled. */
  private async onAccount(accountId: string): Promise<void> {
    const { keyIds } = this.places
    if (keyIds.length === 0) return
    const account = await this.storage.get('account', accountId)
    if (account !== undefined && isDisabled(account)) await this.endDead(keyIds)
  }

  /** Ends the streams of keys that are gone or revoked, or whose account is disabled. */
  private async endDead(keyIds: readonly string[]): Promise<void> {
    for (const some of inParts(keyIds, KEYS_AT_ONCE)) {
      const keys = await this.storage.getMany('api-key', some)
      const accountIds = new Set(keys.map(({ accountId }) => accountId))
      const accounts = await this.storage.getMany('account', [...accountIds])
      for (const account of accounts) if (isDisabled(account)) accountIds.delete(account.id)
      const live = keys.filter(({ revokedAt, accountId }) => revokedAt === null && accountIds.has(accountId))
      const liveIds = new Set(live.map(({ id }) => id))
      for (const keyId of some) if (!liveIds.has(keyId)) this.places.endOf(keyId)
    }
  }
}

function closeAll(feed: LobbyFeed): void {
  for (const stream of [...feed.streams]) stream.close()
}

function* inParts<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}
