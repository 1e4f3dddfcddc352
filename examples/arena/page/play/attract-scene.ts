import type { Input } from '../../game/physics'
import { HUES, TICKS_PER_SECOND } from '../../game/rules'
import { World } from '../../game/world'
import type { Scene, Shown } from './scene'

const TICK_MS = 1_000 / TICKS_PER_SECOND
const PLAYERS = 5

/** The game that plays by itself behind the menu: each ball rolls to the nearest shard and sometimes dashes. */
export class AttractScene implements Scene {
  private readonly world = new World()
  private leftMs = 0
  private before = new Map<number, readonly [number, number]>()

  constructor() {
    for (let n = 0; n < PLAYERS; n++) this.world.add(n)
  }

  frame(_now: number, elapsed: number): Shown {
    this.leftMs += elapsed
    for (; this.leftMs >= TICK_MS; this.leftMs -= TICK_MS) {
      this.before = new Map(this.world.rows().map(([n, x, y]) => [n, [x, y]]))
      this.world.step(new Map([...this.world.balls.keys()].map((n) => [n, this.wish(n)])), false)
    }
    const share = this.leftMs / TICK_MS
    const balls = this.world.rows().map(([n, x, y, vx, vy, score, dash, , stun]) => {
      const [fromX, fromY] = this.before.get(n) ?? [x, y]
      const place = { x: fromX + (x - fromX) * share, y: fromY + (y - fromY) * share }
      return { n, ...place, vx, vy, score, dash, stun, hue: HUES[n] ?? 0, name: '', isMe: false, isHere: true }
    })
    const shards = this.world.shardRows().map(([id, x, y, gold]) => ({ id, x, y, isGold: gold === 1 }))
    return { balls, shards, happened: this.world.takeHappened() }
  }

  private wish(n: number): Input {
    const ball = this.world.balls.get(n)
    if (ball === undefined) return { x: 0, y: 0, dash: false }
    let [x, y, nearest] = [0, 0, Number.POSITIVE_INFINITY]
    for (const [, shardX, shardY] of this.world.shardRows()) {
      const apart = Math.hypot(shardX - ball.x, shardY - ball.y)
      if (apart < nearest) [x, y, nearest] = [(shardX - ball.x) / apart, (shardY - ball.y) / apart, apart]
    }
    return { x: x * 0.7, y: y * 0.7, dash: Math.random() < 0.012 }
  }
}
