import type { Configuration } from './configuration'
import type { ConnectionState } from './follow-events'
import type { JoiningPlayer, RefusedToken } from './join-token'
import type { PlayerLeftOptions } from './link'
import type {
  Backfill,
  BackfillRequest,
  CustomDataOf,
  GameShape,
  KeptSeat,
  Match,
  MatchUpdate,
  ResultReport,
  SeatWish,
  SettingsOf,
  StateOf,
  Team,
} from './match'

/** Events of a game server. */
export interface GameServerEvents<State> {
  /** A player joined or left the running match; `server.teams` has the new state. */
  readonly match_updated: MatchUpdate<State>
  /**
   * The server must end: because somebody requested the stop, because its match has ended, or because of `shutdown()`.
   * Send last messages and save data in a listener. The process waits for the promises of the listeners, and then exits
   * with code 0. At `deadline` it exits in any case.
   */
  readonly stopping: { readonly deadline: Date }
  /**
   * State of the connection to the service. The match continues while there is no connection. Calls that are made
   * meanwhile are sent afterwards.
   */
  readonly connection: { readonly state: ConnectionState; readonly why: string }
}

/** Options of a call. */
export interface CallOptions {
  /**
   * Cancels the call, which then rejects with the signal's reason. Without a signal, a call waits for the service
   * without a time limit.
   */
  readonly signal?: AbortSignal
}

/** This process as a game server of Matchyard. `attach()` returns this object. */
export interface GameServer<Game extends GameShape = GameShape> {
  /** Id of the server (`srv_…`), as players see it; `local_server` when the server runs without Matchyard. */
  readonly instanceId: string
  /** Region of the server, for example `iad`. */
  readonly region: string
  /** Whether the server was attached without Matchyard, by `attach({ local })`. */
  readonly isLocal: boolean
  /** Match of the server; null for a server that was launched without a match. */
  readonly match: Match | null
  /**
   * Present players by team, in the order of the match's teams. A change makes a new array and leaves the old array as
   * it is.
   */
  readonly teams: readonly Team<StateOf<Game>>[]
  /** Settings of the lobby. If the match has several lobbies, the settings of the lobby that waited longest. */
  readonly settings: SettingsOf<Game>
  /** `custom_data` of the queue's `server_settings`. */
  readonly customData: CustomDataOf<Game>
  /** Earliest time at which the service may end the server because of its age; null if the lifetime has no limit. */
  readonly expiresAt: Date | null
  /** Content of the configuration file, with its original field names. It contains secrets: never show it. */
  readonly raw: Configuration

  /**
   * Returns the port to listen on, by its name in the queue's `network_ports`. If there is no such port, throws an
   * Error with the names of the existing ports.
   */
  port(name: string): number

  /**
   * Reports that players may connect: their lobbies become `in_game` and get the server's address. Call this method
   * when your server listens. Repeated calls are allowed. Rejects with INVALID_SERVER_STATE.
   */
  ready(options?: CallOptions): Promise<void>

  /**
   * Adds a listener for an event. If the server is already stopping, a listener of `stopping` is called at once.
   * Returns a function that removes the listener.
   */
  on<Event extends keyof GameServerEvents<StateOf<Game>>>(
    event: Event,
    listener: (message: GameServerEvents<StateOf<Game>>[Event]) => unknown,
  ): () => void

  /**
   * Returns the player of a join token, without a call to the service. You may pass any input of an unknown client.
   * Players from backfill are accepted even if they connect before `match_updated`. When the server runs without
   * Matchyard, the token is the player's id.
   */
  verify(joinToken: unknown): JoiningPlayer | RefusedToken

  /**
   * Reports that a player has left and will not come back. The service removes the player from the lobby, and the
   * player's seat is open. With `excused`, the player gets no penalty of the queue for leaving. Repeated calls, and calls
   * after the match, have no effect. Rejects with PLAYER_NOT_IN_LOBBY for a player who was never in the match, and with
   * MATCH_NOT_FOUND.
   */
  playerLeft(playerId: string, options?: PlayerLeftOptions): Promise<void>

  /**
   * Requests players for open seats; `match_updated` reports the new players. A match has at most one request: a new
   * request replaces the old one and keeps its age. Rejects with INVALID_MATCH_STATE (full, closed, or started without
   * matchmaking), VALIDATION_FAILED, MATCH_NOT_FOUND, MATCHMAKING_NOT_CONFIGURED.
   */
  backfill(request?: BackfillRequest, options?: CallOptions): Promise<Backfill>

  /**
   * Withdraws the match's request for players. The match then gets no new players until the next `backfill`. Does
   * nothing if there is no request.
   */
  cancelBackfill(options?: CallOptions): Promise<void>

  /**
   * Keeps an open seat for one player, who then joins without a search; `match_updated` reports the player. Without
   * `team` the team with the most open seats is chosen. Backfill does not fill the seat. Rejects with MATCH_FULL,
   * PLAYER_IN_MATCH, INVALID_MATCH_STATE (closed, or the queue has no `late_join`), VALIDATION_FAILED, MATCH_NOT_FOUND.
   */
  keepSeat(playerId: string, wish?: SeatWish, options?: CallOptions): Promise<KeptSeat>

  /** Gives back the seat that is kept for a player. Does nothing if no seat is kept for the player. */
  freeSeat(playerId: string, options?: CallOptions): Promise<void>

  /**
   * Reports the result of the match: a rank for every team, or a score for every team. A match has one result; the same
   * result again changes nothing. With `end: true` the match ends in the same step, and this server is stopped. Rejects
   * with RESULT_EXISTS, VALIDATION_FAILED, INVALID_MATCH_STATE, MATCH_NOT_FOUND.
   */
  result(report: ResultReport, options?: CallOptions): Promise<void>

  /**
   * Closes the match to new players until its end. Players who were matched before the call can still join. Rejects
   * with MATCH_NOT_FOUND.
   */
  close(options?: CallOptions): Promise<void>

  /**
   * Ends the match: reports the end to the service, and the lobbies of the match return to `waiting`. Then this process
   * ends as at any stop (`stopping`, then exit code 0). If the service does not answer within five seconds, it notices
   * the end when the process exits.
   */
  shutdown(): Promise<void>
}
