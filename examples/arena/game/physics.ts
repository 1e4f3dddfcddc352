import {
  ACCELERATION,
  BALL_RADIUS,
  DASH_AGAIN_TICKS,
  DASH_SPEED,
  DASH_TICKS,
  DRAG,
  HEIGHT,
  PILLARS,
  TICK_SECONDS,
  WIDTH,
} from './rules'

/**
 * A player's ball. The server and the page compute its steps by the same function; the page shows the player's own ball
 * before the server answers.
 */
export interface Ball {
  x: number
  y: number
  /** Speed along each axis, in units per second. */
  vx: number
  vy: number
  /** Ticks for which the ball still dashes and knocks other balls away. */
  dash: number
  /** Ticks until the ball may dash again. */
  again: number
  /** Ticks for which the player cannot steer the ball. */
  stun: number
}

/** A player's input for one tick. `x` and `y` are from -1 to 1. */
export interface Input {
  readonly x: number
  readonly y: number
  readonly dash: boolean
}

export const STILL: Input = { x: 0, y: 0, dash: false }

const BOUNCE_OF_WALLS = 0.75
const BOUNCE_OF_PILLARS = 1.15
const KEPT = Math.exp(-DRAG * TICK_SECONDS)

/** Moves a ball by one tick, without other balls. */
export function stepBall(ball: Ball, input: Input): void {
  if (ball.stun > 0) ball.stun -= 1
  else push(ball, input)
  ball.vx *= KEPT
  ball.vy *= KEPT
  ball.x += ball.vx * TICK_SECONDS
  ball.y += ball.vy * TICK_SECONDS
  for (const pillar of PILLARS) bounceOff(ball, pillar)
  keepInside(ball)
}

function push(ball: Ball, { x, y, dash }: Input): void {
  // The input is normalized, so that a diagonal is not faster.
  const length = Math.max(1, Math.hypot(x, y))
  const [right, down] = [x / length, y / length]
  ball.vx += right * ACCELERATION * TICK_SECONDS
  ball.vy += down * ACCELERATION * TICK_SECONDS
  if (ball.dash > 0) ball.dash -= 1
  if (ball.again > 0) ball.again -= 1
  else if (dash) startDash(ball, right, down)
}

function startDash(ball: Ball, right: number, down: number): void {
  const steered = Math.hypot(right, down)
  const speed = Math.hypot(ball.vx, ball.vy)
  // A dash goes in the steered direction, or in the direction of movement when the player does not steer.
  const [x, y] = steered > 0.1 ? [right / steered, down / steered] : [ball.vx / (speed || 1), ball.vy / (speed || 1)]
  ball.vx += x * DASH_SPEED
  ball.vy += y * DASH_SPEED
  ball.dash = DASH_TICKS
  ball.again = DASH_AGAIN_TICKS
}

function bounceOff(ball: Ball, pillar: (typeof PILLARS)[number]): void {
  const [dx, dy] = [ball.x - pillar.x, ball.y - pillar.y]
  const apart = Math.hypot(dx, dy)
  const reach = pillar.radius + BALL_RADIUS
  if (apart >= reach) return
  const [nx, ny] = apart > 0 ? [dx / apart, dy / apart] : [1, 0]
  ball.x = pillar.x + nx * reach
  ball.y = pillar.y + ny * reach
  const into = ball.vx * nx + ball.vy * ny
  if (into >= 0) return
  ball.vx -= (1 + BOUNCE_OF_PILLARS) * into * nx
  ball.vy -= (1 + BOUNCE_OF_PILLARS) * into * ny
}

function keepInside(ball: Ball): void {
  const [right, bottom] = [WIDTH - BALL_RADIUS, HEIGHT - BALL_RADIUS]
  if (ball.x < BALL_RADIUS || ball.x > right) {
    ball.x = Math.min(Math.max(ball.x, BALL_RADIUS), right)
    ball.vx *= -BOUNCE_OF_WALLS
  }
  if (ball.y < BALL_RADIUS || ball.y > bottom) {
    ball.y = Math.min(Math.max(ball.y, BALL_RADIUS), bottom)
    ball.vy *= -BOUNCE_OF_WALLS
  }
}
