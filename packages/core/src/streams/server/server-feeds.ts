import { unavailableInsteadOf } from '../../commit/transact'
import type { Context } from '../../context/context'
import type { SelfCall } from '../../context/inputs'
import { requireSelf } from '../../context/require-self'
import type { Signal } from '../../ports/storage/index'
import { isStopping } from '../../server/game-server'
import { tokenHolds } from '../../server/launch'
import { teamsInFile } from '../../server/server-file'
import type { Place, Places } from '../places'
import { SEATS } from '../stream-limits'
import type { WaitingBytes } from '../waiting-bytes'
import { ServerStream } from './server-stream'

/** Servers looked at side by side after a time without signals. */
const LOOKED_AT_ONCE = 16

/** What all streams of a node have room in. */
export interface StreamRoom {
  readonly places: Places
  readonly waiting: WaitingBytes
}

export interface WatchServerInput extends SelfCall {
  /** The `Last-Event-ID` header as it came: the match's version that the game server knows. */
  readonly lastEventId?: string | undefined
  /** Waited for once the stream has its place, before anything is read for it. */
  readonly turn?: (() => Promise<void>) | undefined
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
      const { projectId, instanceId } = input
      const seats = { name: `server ${instanceId}`, most: SEATS.streamsPerServer, past: 'oldest ends' } as const
      const place = this.room.places.take({ projectId, isBackend: true, seats })
      try {
        await input.turn?.()
        return await this.openIn(place, input)
      } catch (error) {
        place.end()
        place.release()
        throw error
      }
    })
  }

  private async openIn(place: Place, input: WatchServerInput): Promise<ServerStream> {
    const { id, projectId, matchId } = await requireSelf(this.ctx, input)
    const known = knownVersion(input.lastEventId)
    const stream = new ServerStream({ projectId, instanceId: id }, input.attempt, known, this.room.waiting)
    this.add(stream, matchId)
    place.fill(stream)
    await this.look(id)
    return stream
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
    stream.onEnd(() => {
      watched.streams.delete(stream)
      if (watched.streams.size > 0 || this.watched.get(instanceId) !== watched) return
      this.watched.delete(instanceId)
      if (matchId !== null) this.byMatch.delete(matchId)
    })
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
