/** What the page says. The first message is `join`; then one `input` a tick. */
export type ToServer =
  | { readonly type: 'join'; readonly token: string }
  | { readonly type: 'input'; readonly seq: number; readonly x: number; readonly y: number; readonly dash: boolean }

/** `waiting` for everybody to connect, `countdown`, `playing`, `over`. */
export type Phase = 'waiting' | 'countdown' | 'playing' | 'over'

/** Somebody in the match. `n` is their number in it, by which all other messages name them. */
export interface Contestant {
  readonly n: number
  readonly playerId: string
  readonly name: string
  readonly hue: number
  /** Whether they are connected. */
  readonly here: boolean
}

/** n, x, y, vx, vy, score, dash, again, stun. */
export type BallRow = readonly [number, number, number, number, number, number, number, number, number]
/** id, x, y, and 1 for gold. */
export type ShardRow = readonly [number, number, number, 0 | 1]
/** What happened, where, to whom, and how much of it. */
export type Happening = readonly ['pick' | 'gold' | 'knock' | 'clash' | 'dash' | 'gone', number, number, number, number]

/** How everything is at a tick. */
export interface Snapshot {
  readonly type: 'snapshot'
  readonly tick: number
  readonly phase: Phase
  /** Of the phase, in milliseconds; 0 where it has no end of its own. */
  readonly leftMs: number
  /** The newest of one's own inputs that is in it. */
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
  /** From 1; who has as many shards has the same. */
  readonly place: number
}

/** What the game server says. */
export type ToPage =
  | { readonly type: 'welcome'; readonly n: number; readonly seconds: number }
  | { readonly type: 'roster'; readonly contestants: readonly Contestant[] }
  | Snapshot
  | { readonly type: 'over'; readonly results: readonly Result[] }
  | { readonly type: 'refused'; readonly reason: string }
