import { requireSelf } from '../../reads/require-self'
import type { SelfCall } from '../../server/self-call'
import { Follower } from '../follower'
import type { StreamPlace } from '../places'
import { SEATS } from '../stream-limits'
import { ServerStream, ServerWatch } from './server-stream'

export interface WatchServerInput extends SelfCall {
  /** Text of the header `Last-Event-ID`: the version of the match that the game server already has. */
  readonly lastEventId?: string | undefined
  /** Awaited after the stream has taken its place, before anything is read for the stream. */
  readonly turn?: (() => Promise<void>) | undefined
}

/** Streams of messages to game servers. A message shows the state of the server itself, or of its match. */
export class ServerFeeds extends Follower<ServerStream, ServerWatch> {
  protected readonly failure = { text: 'the status of a game server could not be sent to it', id: 'instance_id' }
  private readonly byMatch = new Map<string, string>()

  /**
   * Opens the stream of the game server that makes the call. The stream begins with the state that the game server does not have yet.
   * Throws INVALID_SERVER_STATE, UNAVAILABLE.
   */
  open(input: WatchServerInput): Promise<ServerStream> {
    const { projectId, instanceId } = input
    const seats = { name: `server ${instanceId}`, most: SEATS.streamsPerServer, past: 'oldest ends' } as const
    const holder = { projectId, isBackend: true, seats }
    return this.room.open(holder, input.turn, (place) => this.openIn(place, input))
  }

  /** Reads the game server of a match that changed, for the server's streams. */
  async readOfMatch(matchId: string): Promise<void> {
    const instanceId = this.byMatch.get(matchId)
    if (instanceId !== undefined) await this.read(instanceId)
  }

  protected override begins({ id, matchId }: ServerWatch): void {
    if (matchId !== null) this.byMatch.set(matchId, id)
  }

  protected override ends({ matchId }: ServerWatch): void {
    if (matchId !== null) this.byMatch.delete(matchId)
  }

  private async openIn(place: StreamPlace, input: WatchServerInput): Promise<ServerStream> {
    const { id, projectId, matchId } = await requireSelf(this.ctx, input)
    const server = this.get(id) ?? new ServerWatch(this.ctx, id, matchId, this.room.waiting)
    const stream = new ServerStream(projectId, id, input.attempt, knownVersion(input.lastEventId), server)
    this.add(stream, server, place)
    await server.run()
    return stream
  }
}

/** Returns the version in a `Last-Event-ID`; undefined for invalid text, so that the stream starts with the current match. */
const knownVersion = (lastEventId: string | undefined): number | undefined =>
  lastEventId !== undefined && /^[0-9]{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined
