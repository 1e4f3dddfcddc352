import { type Ball, type Input, stepBall } from './physics'
import type { BallRow, Happening, ShardRow } from './protocol'
import {
  BALL_RADIUS,
  DASH_AGAIN_TICKS,
  DASH_TICKS,
  GOLD_WORTH,
  HEIGHT,
  KNOCK_SPEED,
  LOSS_MAX,
  LOSS_SHARE,
  PILLARS,
  SCATTER_TICKS,
  SHARD_RADIUS,
  STUN_TICKS,
  shardsWanted,
  TICK_SECONDS,
  WIDTH,
} from './rules'

interface Competitor extends Ball {
  readonly n: number
  score: number
}

interface Shard {
  readonly id: number
  x: number
  y: number
  vx: number
  vy: number
  readonly isGold: boolean
  /** Ticks until a player can catch the shard. */
  wait: number
}

const GOLD_SHARE = 0.08
const GOLD_SHARE_IN_RUSH = 0.35
const SCATTER_SPEED = 420
const SHARD_KEPT = 0.9

/** The arena: balls, shards, and their collisions. The class knows no players' names, no sockets and no time. */
export class World {
  readonly balls = new Map<number, Competitor>()
  private shards: Shard[] = []
  private happened: Happening[] = []
  private nextShard = 1

  /** `random` returns a number from 0 to just under 1. */
  constructor(private readonly random: () => number = Math.random) {}

  /** Adds a ball at a place without other balls near it. */
  add(n: number): void {
    const place = this.freePlace(BALL_RADIUS * 4)
    this.balls.set(n, { n, ...place, vx: 0, vy: 0, dash: 0, again: 0, stun: 0, score: 0 })
  }

  /** Removes a player's ball and scatters its shards for the other players. */
  remove(n: number): void {
    const ball = this.balls.get(n)
    if (ball === undefined) return
    this.balls.delete(n)
    this.happened.push(['gone', round(ball.x), round(ball.y), n, ball.score])
    this.scatter(ball, ball.score)
  }

  /** Runs one tick before the match: balls move, and there are no shards. */
  warmUp(inputs: ReadonlyMap<number, Input>): void {
    this.move(inputs)
    this.collide(false)
  }

  step(inputs: ReadonlyMap<number, Input>, isRush: boolean): void {
    this.move(inputs)
    this.collide(true)
    this.rollShards()
    this.collect()
    const wanted = shardsWanted(this.balls.size, isRush)
    // At most one new shard per tick, so that shards seem to fall.
    if (this.shards.length < wanted) this.drop(isRush)
  }

  /** Puts each ball at a new place without shards, for the start of the match. */
  reset(): void {
    this.shards = []
    const all = [...this.balls.keys()]
    this.balls.clear()
    for (const n of all) this.add(n)
  }

  scores(): ReadonlyMap<number, number> {
    return new Map([...this.balls].map(([n, { score }]) => [n, score]))
  }

  rows(): readonly BallRow[] {
    return [...this.balls.values()].map(({ n, x, y, vx, vy, score, dash, again, stun }) => [
      ...([n, round(x), round(y), round(vx), round(vy)] as const),
      ...([score, dash, again, stun] as const),
    ])
  }

  shardRows(): readonly ShardRow[] {
    return this.shards.map(({ id, x, y, isGold }) => [id, Math.round(x), Math.round(y), isGold ? 1 : 0])
  }

  /** Returns the events since the last call. */
  takeHappened(): readonly Happening[] {
    const happened = this.happened
    this.happened = []
    return happened
  }

  private move(inputs: ReadonlyMap<number, Input>): void {
    for (const ball of this.balls.values()) {
      const couldDash = ball.again === 0
      stepBall(ball, inputs.get(ball.n) ?? { x: 0, y: 0, dash: false })
      if (couldDash && ball.again === DASH_AGAIN_TICKS && ball.dash === DASH_TICKS) {
        this.happened.push(['dash', round(ball.x), round(ball.y), ball.n, 0])
      }
    }
  }

  private collide(knocks: boolean): void {
    const all = [...this.balls.values()]
    for (const [index, a] of all.entries()) {
      for (const b of all.slice(index + 1)) {
        const [dx, dy] = [b.x - a.x, b.y - a.y]
        const apart = Math.hypot(dx, dy)
        if (apart >= 2 * BALL_RADIUS) continue
        const [nx, ny] = apart > 0 ? [dx / apart, dy / apart] : [1, 0]
        separate(a, b, nx, ny, 2 * BALL_RADIUS - apart)
        if (!exchange(a, b, nx, ny)) continue
        if (a.dash > 0 && b.dash > 0)
          this.happened.push(['clash', round((a.x + b.x) / 2), round((a.y + b.y) / 2), a.n, 0])
        else if (a.dash > 0) this.knock(b, nx, ny, knocks)
        else if (b.dash > 0) this.knock(a, -nx, -ny, knocks)
      }
    }
  }

  private knock(ball: Competitor, nx: number, ny: number, losing: boolean): void {
    ball.vx += nx * KNOCK_SPEED
    ball.vy += ny * KNOCK_SPEED
    ball.stun = STUN_TICKS
    const lost = losing ? Math.min(LOSS_MAX, Math.ceil(ball.score * LOSS_SHARE)) : 0
    ball.score -= lost
    this.happened.push(['knock', round(ball.x), round(ball.y), ball.n, lost])
    this.scatter(ball, lost)
  }

  private scatter({ x, y }: Ball, count: number): void {
    for (let index = 0; index < Math.min(count, 40); index++) {
      const [angle, speed] = [this.random() * 2 * Math.PI, SCATTER_SPEED * (0.5 + this.random())]
      const [vx, vy] = [Math.cos(angle) * speed, Math.sin(angle) * speed]
      this.shards.push({ id: this.nextShard++, x, y, vx, vy, isGold: false, wait: SCATTER_TICKS })
    }
  }

  private drop(isRush: boolean): void {
    const isGold = this.random() < (isRush ? GOLD_SHARE_IN_RUSH : GOLD_SHARE)
    const place = this.freePlace(SHARD_RADIUS * 2)
    this.shards.push({ id: this.nextShard++, ...place, vx: 0, vy: 0, isGold, wait: 0 })
  }

  private rollShards(): void {
    for (const shard of this.shards) {
      if (shard.wait > 0) shard.wait -= 1
      if (shard.vx === 0 && shard.vy === 0) continue
      shard.x = clamp(shard.x + shard.vx * TICK_SECONDS, SHARD_RADIUS, WIDTH - SHARD_RADIUS)
      shard.y = clamp(shard.y + shard.vy * TICK_SECONDS, SHARD_RADIUS, HEIGHT - SHARD_RADIUS)
      for (const pillar of PILLARS) pushOut(shard, pillar)
      shard.vx *= SHARD_KEPT
      shard.vy *= SHARD_KEPT
      if (Math.hypot(shard.vx, shard.vy) < 4) [shard.vx, shard.vy] = [0, 0]
    }
  }

  private collect(): void {
    this.shards = this.shards.filter((shard) => {
      if (shard.wait > 0) return true
      for (const ball of this.balls.values()) {
        if (Math.hypot(ball.x - shard.x, ball.y - shard.y) > BALL_RADIUS + SHARD_RADIUS) continue
        const worth = shard.isGold ? GOLD_WORTH : 1
        ball.score += worth
        this.happened.push([shard.isGold ? 'gold' : 'pick', round(shard.x), round(shard.y), ball.n, worth])
        return false
      }
      return true
    })
  }

  /** Returns a place outside the pillars and, if 20 tries find one, away from the balls. */
  private freePlace(margin: number): { x: number; y: number } {
    let place = { x: WIDTH / 2, y: HEIGHT / 2 }
    for (let tries = 0; tries < 20; tries++) {
      place = {
        x: margin + this.random() * (WIDTH - 2 * margin),
        y: margin + this.random() * (HEIGHT - 2 * margin),
      }
      const { x, y } = place
      const inPillar = PILLARS.some((pillar) => Math.hypot(pillar.x - x, pillar.y - y) < pillar.radius + margin)
      const nearBall = [...this.balls.values()].some(
        (ball) => Math.hypot(ball.x - x, ball.y - y) < BALL_RADIUS + margin,
      )
      if (!inPillar && !nearBall) break
    }
    return place
  }
}

const round = (value: number): number => Math.round(value * 10) / 10
const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)

function separate(a: Ball, b: Ball, nx: number, ny: number, overlap: number): void {
  a.x -= (nx * overlap) / 2
  a.y -= (ny * overlap) / 2
  b.x += (nx * overlap) / 2
  b.y += (ny * overlap) / 2
}

/**
 * Exchanges the speeds of two balls of equal weight along the line between them. Returns false for balls that already
 * move apart.
 */
function exchange(a: Ball, b: Ball, nx: number, ny: number): boolean {
  const closing = (a.vx - b.vx) * nx + (a.vy - b.vy) * ny
  if (closing <= 0) return false
  a.vx -= closing * nx
  a.vy -= closing * ny
  b.vx += closing * nx
  b.vy += closing * ny
  return true
}

function pushOut(shard: Shard, { x, y, radius }: (typeof PILLARS)[number]): void {
  const [dx, dy] = [shard.x - x, shard.y - y]
  const apart = Math.hypot(dx, dy)
  const reach = radius + SHARD_RADIUS
  if (apart >= reach || apart === 0) return
  shard.x = x + (dx / apart) * reach
  shard.y = y + (dy / apart) * reach
}
