import type { JsonObject } from './json'

/**
 * Types of your game's own data, for `attach<…>()`: the types of `settings`, `customData` and a player's `state`. They are not checked at run
 * time.
 */
export interface GameShape {
  /** A lobby's settings: the map, the mode. */
  readonly settings?: object
  /** `custom_data` of the queue. */
  readonly customData?: object
  /** A player's state in its lobby. */
  readonly state?: object
}

export type SettingsOf<Game extends GameShape> = Game extends { readonly settings: infer Settings }
  ? Settings
  : JsonObject
export type CustomDataOf<Game extends GameShape> = Game extends { readonly customData: infer Data } ? Data : JsonObject
export type StateOf<Game extends GameShape> = Game extends { readonly state: infer State } ? State : JsonObject

/** Which match the server is for. */
export interface Match {
  readonly matchId: string
  /** Id of the queue that made the match; null where a lobby was played without one. */
  readonly queueId: string | null
  /** Grows with every change of the match: a player who came, one who left. */
  readonly version: number
}

/** Team of players. */
export interface Team<State = JsonObject> {
  readonly name: string
  /** Present players of the team; players who have left are not shown. */
  readonly players: readonly Player<State>[]
}

/** Somebody who plays in the match. */
export interface Player<State = JsonObject> {
  readonly playerId: string
  /** The name of their team. */
  readonly team: string
  /** Role of the player, where the queue's teams have roles; else null. */
  readonly role: string | null
  /** The lobby that brought them. */
  readonly lobbyId: string
  /** State of the player at the time of the match. */
  readonly state: State
}

/** Present players, and the change. */
export interface MatchUpdate<State = JsonObject> {
  /** The match's version. */
  readonly version: number
  /** Present teams, as `server.teams`. */
  readonly teams: readonly Team<State>[]
  /** Players who were not there before. */
  readonly joined: readonly Player<State>[]
  /** Players who were there before and are gone. */
  readonly left: readonly Player<State>[]
}

/** Backfill request of a match. */
export interface Backfill {
  readonly matchId: string
  readonly status: 'searching'
  /** The seats that are still to be filled, by team. */
  readonly teams: readonly { readonly name: string; readonly open: number }[]
  /** When it ends by itself. */
  readonly expiresAt: Date
  /** When the match first asked; a request that replaces another keeps its age. */
  readonly createdAt: Date
}

/** Players that a match requests. */
export interface BackfillRequest {
  /** Seats by team. Every open seat unless said. */
  readonly teams?: readonly { readonly name: string; readonly open: number }[]
  /** Brings up to date the state by which the queue's rules judge those who play: a rating that changed. */
  readonly players?: readonly { readonly playerId: string; readonly state: object }[]
  /** Seconds to search, 5 to 3,600. Default: the queue's setting. */
  readonly timeoutSeconds?: number
}
