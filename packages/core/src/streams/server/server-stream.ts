import type { Ports } from '../../ports/ports'
import { isStopping } from '../../server/game-server'
import { tokenHolds } from '../../server/launch'
import { teamsInFile } from '../../server/server-file'
import type { JsonValue } from '../../shared/json'
import type { Instant } from '../../shared/time'
import { Followed } from '../follower'
import { PulledStream, type StreamSource } from '../pulled-stream'
import type { WaitingBytes } from '../waiting-bytes'

/** Message to a game server about itself. */
export type ServerMessage =
  | {
      readonly event: 'match_updated'
      /** Version of the match. */
      readonly id: number
      /** Present teams, in the form of the configuration file. */
      readonly teams: readonly JsonValue[]
      readonly source: object
    }
  | { readonly event: 'stopping'; readonly deadline: Instant; readonly source: object }

/** Present state of a server and its match. */
interface ServerState {
  readonly match: { readonly version: number; readonly teams: readonly JsonValue[] } | undefined
  /** Time at which the process is killed at the latest; null while the server is not being stopped. */
  readonly deadline: Instant | null
}

/**
 * Stream of a game server: it gets the present state, not the history. A lagging server gets only the newest state, so that nothing
 * accumulates.
 */
export class ServerStream extends PulledStream<ServerMessage> {
  readonly keyId = undefined
  private state: ServerState | undefined
  private toldStop = false

  constructor(
    readonly projectId: string,
    readonly readerId: string,
    readonly attempt: number,
    /** Version of the match that the reader knows; undefined when it knows none. */
    private known: number | undefined,
    source: StreamSource,
  ) {
    super(source)
  }

  /** Gives the stream the present state. */
  show(state: ServerState): void {
    this.state = state
    this.awake()
  }

  protected take(): ServerMessage | undefined {
    const { state } = this
    if (state === undefined) return undefined
    const { match, deadline } = state
    if (match !== undefined && match.version !== this.known) {
      this.known = match.version
      return { event: 'match_updated', id: match.version, teams: match.teams, source: match }
    }
    if (deadline === null || this.toldStop) return undefined
    this.toldStop = true
    return { event: 'stopping', deadline, source: state }
  }
}

/** Game server and its match, read once for all streams of the server. */
export class ServerWatch extends Followed<ServerStream> {
  constructor(
    private readonly ctx: Ports,
    instanceId: string,
    readonly matchId: string | null,
    readonly waiting: WaitingBytes,
  ) {
    super(instanceId)
  }

  protected async once(): Promise<boolean> {
    const { storage, settings } = this.ctx
    const server = await storage.get('server', this.id)
    // A stream is valid as long as the token of its attempt is.
    for (const stream of [...this.streams]) if (!tokenHolds(server, stream.attempt).ok) stream.close()
    if (server === undefined || this.streams.size === 0) return false
    const match = this.matchId === null ? undefined : await storage.get('match', this.matchId)
    const state = {
      match: match && { version: match.version, teams: teamsInFile(match) },
      deadline: isStopping(server) ? server.updatedAt + settings.stopGraceMs : null,
    }
    for (const stream of this.streams) stream.show(state)
    return false
  }
}
