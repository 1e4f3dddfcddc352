import type { JsonObject } from '../shared/json'

/** Shapes of a game's own data: the `state` of its players, and the `settings` of its lobbies. An absent shape is any JSON object. */
export interface GameTypes {
  /** Shape of a player's state. */
  readonly state?: object
  /** Shape of a lobby's settings. */
  readonly settings?: object
}

/** Game whose states and settings are any JSON objects. */
export interface AnyGame {
  /** State of a player: any JSON object. */
  readonly state: JsonObject
  /** Settings of a lobby: any JSON object. */
  readonly settings: JsonObject
}

/**
 * A type as JSON has it. Interfaces and read-only arrays stay as they are; a function, a symbol or `unknown` inside becomes `never`, so a type
 * that JSON cannot hold does not extend its JSON.
 */
export type Json<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends (...args: never) => unknown
    ? never
    : T extends object
      ? string extends keyof T
        ? T
        : { [K in keyof T]: Json<T[K]> }
      : never

/** Constraint of a game's types: only `state` and `settings`, and of each only values that JSON can hold. */
export type JsonGame<Game> = { readonly [K in keyof Game]: K extends keyof GameTypes ? Json<Game[K]> : never }

type Shape<Value> = JsonObject extends Value ? JsonObject : Json<Value>

/** State of a player of the game. */
export type StateOf<Game> = Game extends { readonly state: infer State } ? Shape<State> : JsonObject

/** Settings of a lobby of the game. */
export type SettingsOf<Game> = Game extends { readonly settings: infer Settings } ? Shape<Settings> : JsonObject

/** A game with both of its types as JSON has them. */
export type PlainGame<Game> = { readonly state: StateOf<Game>; readonly settings: SettingsOf<Game> }
