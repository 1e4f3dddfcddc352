import type { Ports } from '../../ports/ports'
import { isStopping, stopGraceOf } from '../../server/game-server'
import { tokenHolds } from '../../server/launch'
import { teamsInFile } from '../../server/server-file'
import type { JsonValue } from '../../shared/json'
import type { Instant } from '../../shared/time'
import { Followed } from '../follower'
import { PulledStream, type StreamSource } from '../pulled-stream'
import type { WaitingBytes } from '../waiting-bytes'

/** Message to a game server about its match, or about the server itself. */
export type ServerMessage =
  | {
      /** The match of the server changed. */
      readonly event: 'match_updated'
      /** Version of the match. */
      readonly id: number
      /** Current teams, in the form that they have in the configuration file. */
      readonly teams: readonly JsonValue[]
      /** Object that is the same for all readers that get the same text. */
      readonly source: object
    }
  | {
      /** The server is to stop. */
      readonly event: 'stopping'
      /** Latest time at which the server's program is killed. */
      readonly deadline: Instant
      /** Object that is the same for all readers that get the same text. */
      readonly source: object
    }

/** Current state of a server and its match. */
interface ServerState {
  readonly match: { readonly version: number; readonly teams: readonly JsonValue[] } | undefined
  /** Latest time at which the process is killed; null while the server is not being stopped. */
  readonly deadline: Instant | null
}

/**
 * Stream of a game server. It delivers the current state and no history. A game server that lags gets only the newest state, so that no
 * messages accumulate.
 */
export class ServerStream extends PulledStream<ServerMessage> {
  /** Undefined, because the game server reads with its own token. */
  readonly keyId = undefined
  private state: ServerState | undefined
  private toldStop = false

  constructor(
    /** Project of the server. */
    readonly projectId: string,
    /** Id of the server that reads. */
    readonly readerId: string,
    /** Number of the attempt that the reader's token belongs to, from 1. */
    readonly attempt: number,
    /** Version of the match that the game server already has; undefined when it has no version. */
    private known: number | undefined,
    source: StreamSource,
  ) {
    super(source)
  }

  /** Gives the stream the current state, from which it makes the messages. */
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
    // A stream is valid as long as the token of its attempt is valid.
    for (const stream of [...this.streams]) if (!tokenHolds(server, stream.attempt).ok) stream.close()
    if (server === undefined || this.streams.size === 0) return false
    const match = this.matchId === null ? undefined : await storage.get('match', this.matchId)
    const state = {
      match: match && { version: match.version, teams: teamsInFile(match) },
      deadline: isStopping(server) ? server.updatedAt + stopGraceOf(server, settings.stopGraceMs) : null,
    }
    for (const stream of this.streams) stream.show(state)
    return false
  }
}
