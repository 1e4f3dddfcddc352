import type { Happening } from '../../game/protocol'

/** A ball as it is drawn. */
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

/** What there is to be drawn at an instant. */
export interface Shown {
  readonly balls: readonly ShownBall[]
  readonly shards: readonly ShownShard[]
  /** Since the picture before. */
  readonly happened: readonly Happening[]
}

/** Something that can be looked at: a match, or the one behind the menu. */
export interface Scene {
  /** `now` and `elapsed` in milliseconds. */
  frame(now: number, elapsed: number): Shown
}
