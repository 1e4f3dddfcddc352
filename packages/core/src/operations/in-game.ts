import type { SettingsFilter, SettingValue } from '../lobby/labels'
import type { Lobby } from '../lobby/lobby'
import type { Match } from '../match/match'
import type { JsonObject } from '../shared/json'
import type { Feed, FeedMessage, LobbyStream, StreamMessage } from '../streams/index'
import type { AnyGame, GameTypes, PlainGame, SettingsOf, StateOf } from './game-types'
import type { LobbyView, MatchView } from './views'

// Types of the calls for one game. A type without states and settings is not changed, so that editors show its name.

type Simple = string | number | boolean | bigint | symbol | null | undefined | ((...args: never) => unknown)

/** The first type when both have the same values, which keeps its name; else the second. */
type Kept<Old, New> = [Old] extends [New] ? ([New] extends [Old] ? Old : New) : New

/** A function whose parameters are compared as those of a method, so that the service of one game is a service of any game. */
export type Method<Args extends unknown[], Answer> = { method(...args: Args): Answer }['method']

/** Whether a type is a free-form JSON object. */
type IsFree<Value> = [Value] extends [JsonObject | undefined]
  ? [JsonObject] extends [Value]
    ? string extends keyof NonNullable<Value>
      ? true
      : false
    : false
  : false

type Free<Key, Value, Game> =
  IsFree<Value> extends true
    ? Key extends 'state'
      ? StateOf<Game> | Extract<Value, undefined>
      : Key extends 'settings'
        ? SettingsOf<Game> | Extract<Value, undefined>
        : Value
    : never

/** An answer, event or message with the game's own types. */
export type Seen<T, Game extends GameTypes> = T extends Simple
  ? T
  : T extends Lobby
    ? 'warnings' extends keyof T
      ? LobbyView<Game> & Pick<T, 'warnings'>
      : LobbyView<Game>
    : T extends Match
      ? MatchView<Game>
      : T extends Promise<infer Answer>
        ? Promise<Seen<Answer, Game>>
        : T extends LobbyStream
          ? LobbyMessages<PlainGame<Game>>
          : T extends Feed
            ? FeedView<PlainGame<Game>>
            : string extends keyof T
              ? T
              : Kept<T, { [K in keyof T]: SeenField<K, T[K], Game> }>

type SeenField<Key, Value, Game extends GameTypes> = [Free<Key, Value, Game>] extends [never]
  ? Seen<Value, Game>
  : Free<Key, Value, Game>

/** Stream of a lobby, with the game's own types. */
export interface LobbyMessages<Game extends GameTypes = AnyGame>
  extends Omit<LobbyStream, 'next' | typeof Symbol.asyncIterator>,
    AsyncIterable<Seen<StreamMessage, Game>> {
  /** Returns the next message as soon as there is one; undefined after the end of the stream. */
  next(): Promise<Seen<StreamMessage, Game> | undefined>
}

/** Feed of a project, with the game's own types. */
export interface FeedView<Game extends GameTypes = AnyGame>
  extends Omit<Feed, 'next' | typeof Symbol.asyncIterator>,
    AsyncIterable<Seen<FeedMessage, Game>> {
  /** Returns the next message as soon as there is one; undefined after the end of the feed. */
  next(): Promise<Seen<FeedMessage, Game> | undefined>
}

/** Settings that a lobby must have, with the game's own names and values. */
type FilterOf<Game> =
  JsonObject extends SettingsOf<Game>
    ? SettingsFilter
    : { readonly [K in keyof SettingsOf<Game>]?: Extract<SettingsOf<Game>[K], SettingValue> }

type IsFilter<Value> = [Value] extends [SettingsFilter | undefined]
  ? [SettingsFilter] extends [Value]
    ? true
    : false
  : false

type GivenField<Key, Value, Game extends GameTypes> =
  IsFilter<Value> extends true
    ? FilterOf<Game> | Extract<Value, undefined>
    : [Free<Key, Value, Game>] extends [never]
      ? Given<Value, Game>
      : Free<Key, Value, Game>

type IsEmpty<Value> = Record<never, never> extends Value ? true : false
type Needs<T, Key, Value> = Key extends keyof T
  ? IsFree<T[Key]> extends true
    ? IsEmpty<Value> extends true
      ? unknown
      : { readonly [K in Key & string]: Value }
    : unknown
  : unknown

/** Fields that a caller of this game must give: without them, a stored state or settings would be empty and not have the game's type. */
type Needed<T, Game extends GameTypes> = Needs<T, 'state', StateOf<Game>> & Needs<T, 'settings', SettingsOf<Game>>

/** An input, or a part of one, with the game's own types. A merge changes only the given fields of a state. */
export type Given<T, Game extends GameTypes> = T extends Simple
  ? T
  : string extends keyof T
    ? T
    : Kept<T, { [K in keyof T]: 'merge' extends keyof T ? MergedField<K, T[K], Game> : GivenField<K, T[K], Game> }>

type MergedField<Key, Value, Game> = Key extends 'state' ? Partial<StateOf<Game>> : Value

type GivenInput<T, Game extends GameTypes> = T extends unknown ? Kept<T, Given<T, Game> & NeededOf<T, Game>> : never
type NeededOf<T, Game extends GameTypes> = 'merge' extends keyof T ? unknown : Needed<T, Game>

/** A call with the game's own types. */
export type CallIn<Call, Game extends GameTypes> = Call extends (...args: infer Args) => infer Answer
  ? Args extends [input: infer Input, ...rest: infer Rest]
    ? Kept<Call, Method<[input: GivenInput<Input, Game>, ...rest: Rest], Seen<Answer, Game>>>
    : Call
  : Call

/** The calls of a group with the game's own types. */
export type GroupIn<Group, Game extends GameTypes> = { [Member in keyof Group]: CallIn<Group[Member], Game> }
