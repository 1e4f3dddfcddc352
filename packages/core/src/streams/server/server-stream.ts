import type { JsonValue } from '../../shared/json'
import type { Instant } from '../../shared/time'
import { PulledStream, type StreamSource } from '../pulled-stream'

/** What a game server is told of itself. */
export type ServerMessage =
  | {
      readonly event: 'match_updated'
      /** The match's version. */
      readonly id: number
      /** Who plays now, as the configuration file shows it. */
      readonly teams: readonly JsonValue[]
      readonly source: object
    }
  | { readonly event: 'stopping'; readonly deadline: Instant; readonly source: object }

/** A server and its match as they are. */
export interface ServerState {
  readonly match: { readonly version: number; readonly teams: readonly JsonValue[] } | undefined
  /** When its process is ended at the latest; null while it is not being stopped. */
  readonly deadline: Instant | null
}

/** A game server that reads: what is, not what happened. One that lags is told the newest, so that nothing piles up for it. */
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
