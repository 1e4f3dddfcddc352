import type { Happening } from '../../game/protocol'

/** A ball as the page draws it. */
export interface ShownBall {
  readonly n: number
  readonly x: number
  readonly y: number
  readonly vx: number
  readonly vy: number
  readonly score: number
  readonly dash: number
  readonly stun: number
  readonly hue: number
  readonly name: string
  readonly isMe: boolean
  readonly isHere: boolean
}

export interface ShownShard {
  readonly id: number
  readonly x: number
  readonly y: number
  readonly isGold: boolean
}

/** Everything that one picture shows. */
export interface Shown {
  readonly balls: readonly ShownBall[]
  readonly shards: readonly ShownShard[]
  /** Events since the picture before. */
  readonly happened: readonly Happening[]
}

/** A source of pictures: a match, or the game behind the menu. */
export interface Scene {
  /** Returns the content of the next picture. `now` and `elapsed` are in milliseconds. */
  frame(now: number, elapsed: number): Shown
}
