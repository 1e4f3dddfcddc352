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
  /** Somebody came to the running match, or left it. `server.teams` is as it says already. */
  readonly match_updated: MatchUpdate<State>
  /**
   * The server is to end: by request, because its match has ended, or by `shutdown()`. Say farewell and save what is to be saved: the
   * promise that a listener answers is waited for, then the process ends with code 0. At `deadline` it ends in any case.
   */
  readonly stopping: { readonly deadline: Date }
  /** State of the connection to the service. A match continues without it; calls made meanwhile are sent afterwards. */
  readonly connection: { readonly state: ConnectionState; readonly why: string }
}

/** How long a call may be tried. */
export interface CallOptions {
  /** Gives up: the call rejects with the signal's reason. Without it a call waits for a service that is away, for as long as it takes. */
  readonly signal?: AbortSignal
}

/** This process, as Matchyard's game server. `attach()` gives it. */
export interface GameServer<Game extends GameShape = GameShape> {
  /** `srv_…`, by which players see the server; `local_server` outside Matchyard. */
  readonly instanceId: string
  /** The region in which it runs, such as `iad`. */
  readonly region: string
  /** Whether it was attached outside Matchyard, by `attach({ local })`. */
  readonly isLocal: boolean
  /** The match that it is for; null for a server that was launched by itself. */
  readonly match: Match | null
  /** Present players by team, in the order of the match's teams. The array is replaced, never changed. */
  readonly teams: readonly Team<StateOf<Game>>[]
  /** The settings of the lobby, of several in a match the one that waited longest. */
  readonly settings: SettingsOf<Game>
  /** `custom_data` of the queue's `server_settings`. */
  readonly customData: CustomDataOf<Game>
  /** When its life ends, at the earliest; null where it is unlimited. */
  readonly expiresAt: Date | null
  /** The whole configuration file, spelled as it is there. It holds secrets: never show it to anybody. */
  readonly raw: Configuration

  /** The port to listen on, by its name in the queue's `network_ports`. Throws an Error that names the ports that there are. */
  port(name: string): number

  /**
   * Says that players may come: from now on their lobbies are `in_game` and know the address. Say it once you listen. Again is fine.
   * Rejects with INVALID_SERVER_STATE.
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
   * Says that a player has left the game for good: their lobby loses them, and their seat is open. Again, or after the match, nothing
   * happens. Rejects with PLAYER_NOT_IN_LOBBY for who was never in the match, and MATCH_NOT_FOUND.
   */
  playerLeft(playerId: string, options?: CallOptions): Promise<void>

  /**
   * Asks for players for open seats; `match_updated` announces them. A match has one request: a new one replaces it and keeps its age. Rejects
   * with INVALID_MATCH_STATE (full, closed, or started without matchmaking), VALIDATION_FAILED, MATCH_NOT_FOUND, MATCHMAKING_NOT_CONFIGURED.
   */
  backfill(request?: BackfillRequest, options?: CallOptions): Promise<Backfill>

  /** Asks for nobody any more, until the next `backfill`. It is fine where none is there. */
  cancelBackfill(options?: CallOptions): Promise<void>

  /** Closes the match to newcomers until its end. Players who were matched before still come. Rejects with MATCH_NOT_FOUND. */
  close(options?: CallOptions): Promise<void>

  /**
   * The match is over: tells the service, so that its lobbies go back to `waiting`, and ends this process as any stop does (`stopping`, then
   * exit code 0). A service that does not answer within five seconds is told by the exit.
   */
  shutdown(): Promise<void>
}
