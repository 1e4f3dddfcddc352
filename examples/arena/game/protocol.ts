/** Messages of a page to the game server. The first is `join`; then one `input` follows in each tick. */
export type ToServer =
  | { readonly type: 'join'; readonly token: string }
  | { readonly type: 'input'; readonly seq: number; readonly x: number; readonly y: number; readonly dash: boolean }

/** Phase of a round: `waiting` for all players to connect, `countdown`, `playing`, `over`. */
export type Phase = 'waiting' | 'countdown' | 'playing' | 'over'

/** A player of the match. `n` is the player's number, which all other messages use. */
export interface Contestant {
  readonly n: number
  readonly playerId: string
  readonly name: string
  readonly hue: number
  /** Whether the player is connected. */
  readonly here: boolean
}

/** A ball: n, x, y, vx, vy, score, dash, again, stun. */
export type BallRow = readonly [number, number, number, number, number, number, number, number, number]
/** A shard: id, x, y, and 1 for gold or 0. */
export type ShardRow = readonly [number, number, number, 0 | 1]
/** An event of the game: its kind, its place (x, y), the player's number, and an amount. */
export type Happening = readonly ['pick' | 'gold' | 'knock' | 'clash' | 'dash' | 'gone', number, number, number, number]

/** State of the arena at one tick. */
export interface Snapshot {
  readonly type: 'snapshot'
  readonly tick: number
  readonly phase: Phase
  /** Milliseconds until the phase ends; 0 for a phase without an end of its own. */
  readonly leftMs: number
  /** Sequence number of the receiver's newest input that this state includes. */
  readonly ack: number
  readonly balls: readonly BallRow[]
  readonly shards: readonly ShardRow[]
  readonly happened: readonly Happening[]
}

export interface Result {
  readonly n: number
  readonly name: string
  readonly hue: number
  readonly score: number
  /** Place in the ranking, from 1; players with equal scores share a place. */
  readonly place: number
}

/** Messages of the game server to a page. */
export type ToPage =
  | { readonly type: 'welcome'; readonly n: number; readonly seconds: number }
  | { readonly type: 'roster'; readonly contestants: readonly Contestant[] }
  | Snapshot
  | { readonly type: 'over'; readonly results: readonly Result[] }
  | { readonly type: 'refused'; readonly reason: string }
