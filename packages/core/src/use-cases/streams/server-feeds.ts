import { unavailableInsteadOf } from '../../commit/transact'
import type { Context } from '../../context/context'
import type { SelfCall } from '../../context/inputs'
import { requireSelf } from '../../context/require-self'
import { ServiceError } from '../../errors/service-error'
import type { Signal } from '../../ports/storage/index'
import { isStopping } from '../../server/game-server'
import { tokenHolds } from '../../server/launch'
import { teamsInFile } from '../../server/server-file'
import type { OpenCounts } from './open-counts'
import { ServerStream } from './server-stream'
import type { WaitingBytes } from './waiting-bytes'

/** Streams of one game server at once; who opens another has let go of the oldest. */
const STREAMS_PER_SERVER = 4
/** Servers looked at side by side after a time without signals. */
const LOOKED_AT_ONCE = 16

/** What all streams of a node have room in. */
export interface StreamRoom {
  readonly counts: OpenCounts
  readonly waiting: WaitingBytes
}

export interface WatchServerInput extends SelfCall {
  /** The `Last-Event-ID` header as it came: the match's version that the game server knows. */
  readonly lastEventId?: string | undefined
}

/** One watched server. */
interface Watched {
  readonly streams: Set<ServerStream>
  readonly matchId: string | null
  /** A look at it: one at a time, and one more for whoever asked meanwhile. */
  looking: Promise<void> | undefined
  again: boolean
}

/** Tells game servers how they and their matches are. Signals only say that there is something to look at. */
export class ServerFeeds {
  private readonly watched = new Map<string, Watched>()
  private readonly byMatch = new Map<string, string>()
  private readonly unsubscribe: () => void

  constructor(
    private readonly ctx: Context,
    private readonly room: StreamRoom,
  ) {
    this.unsubscribe = ctx.storage.subscribe((signal) => this.onSignal(signal))
  }

  /** The stream of a game server that calls; what it does not know yet comes first. Throws INVALID_SERVER_STATE, UNAVAILABLE. */
  open(input: WatchServerInput): Promise<ServerStream> {
    return unavailableInsteadOf(async () => {
      const { id, matchId } = await requireSelf(this.ctx, input)
      if (this.room.counts.isFull(undefined)) {
        throw new ServiceError('UNAVAILABLE', 'too many event streams are open here; try again shortly', {})
      }
      const stream = new ServerStream(id, input.attempt, knownVersion(input.lastEventId), this.room.waiting)
      this.add(stream, matchId)
      try {
        await this.look(id)
      } catch (error) {
        stream.close()
        throw error
      }
      return stream
    })
  }

  /** Ends every stream, for a shutdown. */
  close(): void {
    this.unsubscribe()
    for (const { streams } of this.watched.values()) closeAll(streams)
  }

  private add(stream: ServerStream, matchId: string | null): void {
    const { instanceId } = stream
    const known = this.watched.get(instanceId)
    const watched = known ?? { streams: new Set<ServerStream>(), matchId, looking: undefined, again: false }
    this.watched.set(instanceId, watched)
    if (matchId !== null) this.byMatch.set(matchId, instanceId)
    watched.streams.add(stream)
    this.room.counts.add(stream)
    stream.onEnd(() => {
      this.room.counts.remove(stream)
      watched.streams.delete(stream)
      if (watched.streams.size > 0 || this.watched.get(instanceId) !== watched) return
      this.watched.delete(instanceId)
      if (matchId !== null) this.byMatch.delete(matchId)
    })
    const [oldest] = watched.streams
    if (watched.streams.size > STREAMS_PER_SERVER) oldest?.close()
  }

  private onSignal({ topic, id }: Signal): void {
    if (topic === 'server') this.lookSoon(id)
    else if (topic === 'match') this.lookSoon(this.byMatch.get(id))
    else if (topic === 'resync' || topic === 'reset') void this.lookAtAll()
  }

  private lookSoon(instanceId: string | undefined): void {
    if (instanceId !== undefined) void this.lookOrEnd(instanceId)
  }

  private async lookAtAll(): Promise<void> {
    const all = [...this.watched.keys()]
    for (let from = 0; from < all.length; from += LOOKED_AT_ONCE) {
      await Promise.all(all.slice(from, from + LOOKED_AT_ONCE).map((instanceId) => this.lookOrEnd(instanceId)))
    }
  }

  /** Whose state cannot be read resumes: going on would hide what changed. */
  private async lookOrEnd(instanceId: string): Promise<void> {
    try {
      await this.look(instanceId)
    } catch (error) {
      this.ctx.logger.warn('a game server could not be told how it is', {
        instance_id: instanceId,
        error: String(error),
      })
      closeAll(this.watched.get(instanceId)?.streams ?? [])
    }
  }

  private look(instanceId: string): Promise<void> {
    const watched = this.watched.get(instanceId)
    if (watched === undefined) return Promise.resolve()
    watched.again = true
    watched.looking ??= this.lookOn(instanceId, watched).finally(() => {
      watched.looking = undefined
    })
    return watched.looking
  }

  private async lookOn(instanceId: string, watched: Watched): Promise<void> {
    const { storage, settings } = this.ctx
    while (watched.again) {
      watched.again = false
      const server = await storage.get('server', instanceId)
      // A token speaks for its server while that lives, and so does who reads by it.
      for (const stream of [...watched.streams]) if (!tokenHolds(server, stream.attempt).ok) stream.close()
      if (server === undefined || watched.streams.size === 0) return
      const match = watched.matchId === null ? undefined : await storage.get('match', watched.matchId)
      const state = {
        match: match && { version: match.version, teams: teamsInFile(match) },
        deadline: isStopping(server) ? server.updatedAt + settings.stopGraceMs : null,
      }
      for (const stream of watched.streams) stream.show(state)
    }
  }
}

function closeAll(streams: Iterable<ServerStream>): void {
  for (const stream of [...streams]) stream.close()
}

/** Garbage is a fresh start. */
const knownVersion = (lastEventId: string | undefined): number | undefined =>
  lastEventId !== undefined && /^[0-9]{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined
