// The numbers of the game; change them to change the game. Lengths are in units of the arena, times in ticks unless
// another unit is given.
/** Size of the arena, in units. */
export const WIDTH = 1_600
export const HEIGHT = 900

/** Steps of the world per second; the page draws pictures between two steps. */
export const TICKS_PER_SECOND = 30
export const TICK_SECONDS = 1 / TICKS_PER_SECOND

export const BALL_RADIUS = 30
export const SHARD_RADIUS = 12

/** Speed that steering adds, in units per second for each second. */
export const ACCELERATION = 2_300
/** Drag on a ball, as the exponent of e per second. It limits the speed to about 560 units per second. */
export const DRAG = 4.1

/** A dash: its additional speed, the ticks for which it knocks others away, and the ticks until the next dash. */
export const DASH_SPEED = 760
export const DASH_TICKS = 10
export const DASH_AGAIN_TICKS = 42

/** Speed of a ball that was knocked away, and the ticks for which its player cannot steer. */
export const KNOCK_SPEED = 430
export const STUN_TICKS = 10
/** Share of the shards that a knocked player loses, and the maximum number. */
export const LOSS_SHARE = 0.35
export const LOSS_MAX = 7
/** Ticks for which nobody can catch a lost shard, so that lost shards scatter. */
export const SCATTER_TICKS = 12

export const GOLD_WORTH = 3
/** Share of the match at its end in which many gold shards fall. */
export const RUSH_SHARE = 1 / 5

/** Round obstacles; balls bounce off them. */
export const PILLARS = [
  { x: 430, y: 450, radius: 62 },
  { x: 1_170, y: 450, radius: 62 },
  { x: 800, y: 215, radius: 46 },
  { x: 800, y: 685, radius: 46 },
] as const

/** Returns the number of shards in the arena: enough to run for, and few enough that it pays to knock other players. */
export const shardsWanted = (players: number, isRush: boolean): number =>
  Math.round((11 + 3 * players) * (isRush ? 1.7 : 1))

/** Hues of eight players, far enough apart for everybody to tell them apart. */
export const HUES = [190, 345, 45, 130, 275, 22, 225, 312] as const
