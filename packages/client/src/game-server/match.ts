import type { JsonObject } from './json'

/**
 * Types of your game's own data, for `attach<…>()`: the types of `settings`, `customData` and a player's `state`. They are not checked at run
 * time.
 */
export interface GameShape {
  /** Settings of a lobby, for example map or mode. */
  readonly settings?: object
  /** `custom_data` of the queue. */
  readonly customData?: object
  /** State of a player in the lobby. */
  readonly state?: object
}

export type SettingsOf<Game extends GameShape> = Game extends { readonly settings: infer Settings }
  ? Settings
  : JsonObject
export type CustomDataOf<Game extends GameShape> = Game extends { readonly customData: infer Data } ? Data : JsonObject
export type StateOf<Game extends GameShape> = Game extends { readonly state: infer State } ? State : JsonObject

/** Match of the server. */
export interface Match {
  readonly matchId: string
  /** Id of the queue that made the match; null for a lobby that was started without matchmaking. */
  readonly queueId: string | null
  /** Version of the match; it grows when a player joins or leaves. */
  readonly version: number
}

/** Team of players. */
export interface Team<State = JsonObject> {
  readonly name: string
  /** Players of the team who are present. Players who have left are not listed. */
  readonly players: readonly Player<State>[]
}

/** A present player of the match. */
export interface Player<State = JsonObject> {
  readonly playerId: string
  /** Name of the player's team. */
  readonly team: string
  /** Role of the player; null when the queue's teams have no roles. */
  readonly role: string | null
  /** Lobby of the player. */
  readonly lobbyId: string
  /** State of the player when the match was made. */
  readonly state: State
}

/** The present players of a match, and the changes since the previous update. */
export interface MatchUpdate<State = JsonObject> {
  /** Version of the match. */
  readonly version: number
  /** Teams with their present players, as in `server.teams`. */
  readonly teams: readonly Team<State>[]
  /** Players who are present now, and were not before. */
  readonly joined: readonly Player<State>[]
  /** Players who were present before, and are no longer. */
  readonly left: readonly Player<State>[]
}

/** Backfill request of a match. */
export interface Backfill {
  readonly matchId: string
  readonly status: 'searching'
  /** Open seats by team. */
  readonly teams: readonly { readonly name: string; readonly open: number }[]
  /** Time at which the request expires. */
  readonly expiresAt: Date
  /** Time of the match's first request for players. A request that replaces another request keeps this time. */
  readonly createdAt: Date
}

/** Options of a match's request for new players (a backfill request). */
export interface BackfillRequest {
  /** Number of requested players by team. Default: the number of open seats. */
  readonly teams?: readonly { readonly name: string; readonly open: number }[]
  /** New states of present players, for example a new rating. The queue's rules use these states in the search. */
  readonly players?: readonly { readonly playerId: string; readonly state: object }[]
  /** Seconds for which the search lasts, 5 to 3,600. Default: the queue's setting. */
  readonly timeoutSeconds?: number
}

/** Options of a seat that is kept for a player. */
export interface SeatWish {
  /** Team of the seat. Default: the team with the most open seats. */
  readonly team?: string
  /** Seconds for which the seat is kept, 5 to 120. Default: 30. */
  readonly holdSeconds?: number
}

/** An open seat that is kept for one player. */
export interface KeptSeat {
  readonly playerId: string
  readonly team: string
  /** Time at which the seat is free again. */
  readonly expiresAt: Date
}

/** Result of the match, which a game server reports once. */
export interface ResultReport {
  /** Result of each team of the match: `rank` for all teams (from 1, shared by equals), or `score` for all (higher is better). */
  readonly teams: readonly { readonly name: string; readonly rank?: number; readonly score?: number }[]
  /** Results of players. `stats` has at most 2 kB and is shown to server keys only. `left`: the player left before the match was decided. */
  readonly players?: readonly {
    readonly playerId: string
    readonly score?: number
    readonly stats?: object
    readonly left?: boolean
  }[]
  /** Whether the match was played to its end; true by default. Otherwise the result counts for nothing. */
  readonly completed?: boolean
  /** Whether the match ends with this result, and this server with it; false by default. */
  readonly end?: boolean
}
