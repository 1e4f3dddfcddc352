import type { Configuration } from './configuration'
import type { ConnectionState } from './follow-events'
import type { JoiningPlayer, RefusedToken } from './join-token'
import type {
  Backfill,
  BackfillRequest,
  CustomDataOf,
  GameShape,
  Match,
  MatchUpdate,
  SettingsOf,
  StateOf,
  Team,
} from './match'

/** Events of a game server. */
export interface GameServerEvents<State> {
  /** A player joined or left the running match; `server.teams` has the new state. */
  readonly match_updated: MatchUpdate<State>
  /**
   * The server must end: by request, because its match has ended, or by `shutdown()`. Send last messages and save data.
   * The promise of a listener is awaited; then the process ends with code 0. At `deadline` it ends in any case.
   */
  readonly stopping: { readonly deadline: Date }
  /** State of the connection to the service. A match continues without it; calls made meanwhile are sent afterwards. */
  readonly connection: { readonly state: ConnectionState; readonly why: string }
}

/** Options of a call. */
export interface CallOptions {
  /**
   * Cancels the call, which then rejects with the signal's reason. Without a signal a call waits for the service
   * without a limit.
   */
  readonly signal?: AbortSignal
}

/** This process as a game server of Matchyard; `attach()` returns it. */
export interface GameServer<Game extends GameShape = GameShape> {
  /** Id of the server (`srv_…`), as players see it; `local_server` without Matchyard. */
  readonly instanceId: string
  /** Region of the server, for example `iad`. */
  readonly region: string
  /** Whether the server was attached without Matchyard, by `attach({ local })`. */
  readonly isLocal: boolean
  /** Match of the server; null for a server that was launched without one. */
  readonly match: Match | null
  /** Present players by team, in the order of the match's teams. The array is replaced, never changed. */
  readonly teams: readonly Team<StateOf<Game>>[]
  /** Settings of the lobby; with several lobbies, those of the one that waited longest. */
  readonly settings: SettingsOf<Game>
  /** `custom_data` of the queue's `server_settings`. */
  readonly customData: CustomDataOf<Game>
  /** Earliest end of the server's lifetime; null without a limit. */
  readonly expiresAt: Date | null
  /** Content of the configuration file, in its own spelling. It contains secrets: never show it. */
  readonly raw: Configuration

  /**
   * Returns the port to listen on, by its name in the queue's `network_ports`. Throws an Error with the names of the
   * existing ports.
   */
  port(name: string): number

  /**
   * Reports that players may connect: their lobbies become `in_game` and get the address. Call it when you listen;
   * repeated calls are allowed. Rejects with INVALID_SERVER_STATE.
   */
  ready(options?: CallOptions): Promise<void>

  /**
   * Calls back at each event from now on; a server that is already stopping reports that at once. Returns a function that stops the callbacks.
   */
  on<Event extends keyof GameServerEvents<StateOf<Game>>>(
    event: Event,
    listener: (message: GameServerEvents<StateOf<Game>>[Event]) => unknown,
  ): () => void

  /**
   * Returns the joining player of a join token, offline. It accepts any input of a stranger safely. Players from backfill are accepted too,
   * also when their token arrives before `match_updated`. Outside Matchyard the token is the player's id.
   */
  verify(joinToken: unknown): JoiningPlayer | RefusedToken

  /**
   * Reports that a player has left for good: the lobby removes the player, and the seat is open. Repeated calls, and
   * calls after the match, have no effect. Rejects with PLAYER_NOT_IN_LOBBY for a player who was never in the match,
   * and with MATCH_NOT_FOUND.
   */
  playerLeft(playerId: string, options?: CallOptions): Promise<void>

  /**
   * Requests players for open seats; `match_updated` reports them. A match has one request: a new one replaces it and
   * keeps its age. Rejects with INVALID_MATCH_STATE (full, closed, or started without matchmaking), VALIDATION_FAILED,
   * MATCH_NOT_FOUND, MATCHMAKING_NOT_CONFIGURED.
   */
  backfill(request?: BackfillRequest, options?: CallOptions): Promise<Backfill>

  /** Withdraws the request for players, until the next `backfill`. No error without a request. */
  cancelBackfill(options?: CallOptions): Promise<void>

  /** Closes the match to newcomers until its end. Players who were matched before still come. Rejects with MATCH_NOT_FOUND. */
  close(options?: CallOptions): Promise<void>

  /**
   * Ends the match: tells the service, whose lobbies return to `waiting`, and ends this process like any stop
   * (`stopping`, then exit code 0). A service that does not answer within five seconds learns it from the exit.
   */
  shutdown(): Promise<void>
}
