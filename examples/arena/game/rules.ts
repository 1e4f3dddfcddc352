// The numbers of the game: change them, and it is another one. Lengths in units of the arena, times in ticks unless said.

/** Of the arena, in units. */
export const WIDTH = 1_600
export const HEIGHT = 900

/** Steps of the world in a second; a picture is drawn between two of them. */
export const TICKS_PER_SECOND = 30
export const TICK_SECONDS = 1 / TICKS_PER_SECOND

export const BALL_RADIUS = 30
export const SHARD_RADIUS = 12

/** Units a second, and what is added to them in a second of pushing. */
export const ACCELERATION = 2_300
/** The share of its speed that a ball loses in a second, as the exponent of e: it rolls at about 560 in the end. */
export const DRAG = 4.1

/** A dash: how much faster at once, how long it knocks others out of their way, how long until the next. */
export const DASH_SPEED = 760
export const DASH_TICKS = 10
export const DASH_AGAIN_TICKS = 42

/** Who is knocked flies off like this, and cannot steer for so long. */
export const KNOCK_SPEED = 430
export const STUN_TICKS = 10
/** The share of their shards that they lose, and how many at most. */
export const LOSS_SHARE = 0.35
export const LOSS_MAX = 7
/** What was lost cannot be caught at once, so that it scatters. */
export const SCATTER_TICKS = 12

export const GOLD_WORTH = 3
/** The last share of a match, in which it rains gold. */
export const RUSH_SHARE = 1 / 5

/** Round obstacles, which throw back whoever touches them. */
export const PILLARS = [
  { x: 430, y: 450, radius: 62 },
  { x: 1_170, y: 450, radius: 62 },
  { x: 800, y: 215, radius: 46 },
  { x: 800, y: 685, radius: 46 },
] as const

/** How many shards lie about: never too few to run for, never so many that knocking somebody is not worth it. */
export const shardsWanted = (players: number, isRush: boolean): number =>
  Math.round((11 + 3 * players) * (isRush ? 1.7 : 1))

/** A colour for each of eight, as hues, far enough apart to be told by everybody. */
export const HUES = [190, 345, 45, 130, 275, 22, 225, 312] as const
