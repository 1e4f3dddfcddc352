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
      /** The match's version. */
      readonly id: number
      /** Present teams, as the configuration file shows them. */
      readonly teams: readonly JsonValue[]
      readonly source: object
    }
  | { readonly event: 'stopping'; readonly deadline: Instant; readonly source: object }

/** A server and its match as they are. */
interface ServerState {
  readonly match: { readonly version: number; readonly teams: readonly JsonValue[] } | undefined
  /** When its process is ended at the latest; null while it is not being stopped. */
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
    /** The version of the match that the reader knows; undefined where it knows none. */
    private known: number | undefined,
    source: StreamSource,
  ) {
    super(source)
  }

  /** How things are now. */
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

/** One game server that reads, and its match: looked at once for all of its streams. */
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
    // A token speaks for its server while that lives, and so does who reads by it.
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
