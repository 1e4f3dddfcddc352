import { describe, expect, it } from 'vitest'
import { type Ball, stepBall } from '../game/physics'
import { BALL_RADIUS, DASH_AGAIN_TICKS, HEIGHT, PILLARS, WIDTH } from '../game/rules'
import { World } from '../game/world'
import { Round, resultsOf } from '../server/round'
import { Seat } from '../server/seat'

/** Returns a random function that repeats for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const RIGHT = { x: 1, y: 0, dash: false }
const ball = (more: Partial<Ball> = {}): Ball => ({ x: 800, y: 450, vx: 0, vy: 0, dash: 0, again: 0, stun: 0, ...more })

describe('a ball', () => {
  it('dashes where it is steered, and not again at once', () => {
    const one = ball()
    stepBall(one, { ...RIGHT, dash: true })
    const fast = one.vx
    expect(fast).toBeGreaterThan(600)
    expect(one.again).toBe(DASH_AGAIN_TICKS)
    stepBall(one, { ...RIGHT, dash: true })
    expect(one.vx).toBeLessThan(fast)
  })

  it('cannot steer while it is stunned', () => {
    const one = ball({ stun: 2 })
    stepBall(one, RIGHT)
    expect(one.vx).toBe(0)
    stepBall(one, RIGHT)
    stepBall(one, RIGHT)
    expect(one.vx).toBeGreaterThan(0)
  })
})

describe('the world', () => {
  it('keeps everybody inside and out of the pillars, whatever they want', () => {
    const random = seeded(7)
    const world = new World(random)
    for (let n = 0; n < 8; n++) world.add(n)
    for (let tick = 0; tick < 2_000; tick++) {
      const wish = () => ({ x: random() * 2 - 1, y: random() * 2 - 1, dash: random() < 0.1 })
      world.step(new Map([...world.balls.keys()].map((n) => [n, wish()])), tick > 1_500)
      for (const { x, y } of world.balls.values()) {
        expect([Number.isFinite(x), Number.isFinite(y)]).toEqual([true, true])
        // A push by another ball may move a ball slightly outside; its own next step brings it back.
        expect(x).toBeGreaterThan(-BALL_RADIUS)
        expect(x).toBeLessThan(WIDTH + BALL_RADIUS)
        expect(y).toBeGreaterThan(-BALL_RADIUS)
        expect(y).toBeLessThan(HEIGHT + BALL_RADIUS)
      }
    }
    expect([...world.scores().values()].reduce((sum, score) => sum + score, 0)).toBeGreaterThan(100)
  })

  it('lets shards be lost and found, but never out of nothing', () => {
    const world = new World(seeded(3))
    world.add(0)
    world.add(1)
    const [a, b] = [world.balls.get(0), world.balls.get(1)]
    if (a === undefined || b === undefined) throw new Error('nobody is there')
    Object.assign(a, { x: 600, y: 350, vx: 900, vy: 0, dash: 8, score: 2 })
    Object.assign(b, { x: 660, y: 350, vx: 0, vy: 0, score: 10 })
    world.step(new Map(), false)
    expect(b.score).toBe(6)
    expect(b.stun).toBeGreaterThan(0)
    expect(b.vx).toBeGreaterThan(a.vx)
    expect(world.takeHappened()).toContainEqual(['knock', expect.any(Number), expect.any(Number), 1, 4])
    expect(world.shardRows().length).toBeGreaterThanOrEqual(4)
  })

  it('leaves to the others what somebody had who has gone', () => {
    const world = new World(seeded(5))
    world.add(0)
    const one = world.balls.get(0)
    if (one !== undefined) one.score = 6
    world.remove(0)
    expect(world.shardRows()).toHaveLength(6)
  })

  it('puts nobody into a pillar', () => {
    for (let seed = 0; seed < 40; seed++) {
      const world = new World(seeded(seed))
      for (let n = 0; n < 8; n++) world.add(n)
      for (const { x, y } of world.balls.values()) {
        for (const pillar of PILLARS) expect(Math.hypot(pillar.x - x, pillar.y - y)).toBeGreaterThan(pillar.radius)
      }
    }
  })
})

describe('a round', () => {
  const here = (n: number) => Object.assign(new Seat(n, `p${n}`, `P${n}`, 0), { socket: {} as never })

  it('waits for everybody, counts down, plays its time and is over', () => {
    const world = new World(seeded(1))
    const round = new Round(world, 2)
    const seats = [here(0), here(1)]
    for (const { n } of seats) world.add(n)
    const phases: string[] = []
    for (let tick = 0; tick < 200; tick++) {
      round.step(seats, tick > 10)
      if (phases.at(-1) !== round.phase) phases.push(round.phase)
    }
    expect(phases).toEqual(['waiting', 'countdown', 'playing', 'over'])
  })

  it('does not wait for ever for somebody who does not come', () => {
    const world = new World(seeded(1))
    const round = new Round(world, 2)
    const seats = [here(0), new Seat(1, 'away', 'Away', 0)]
    world.add(0)
    for (let tick = 0; tick < 400; tick++) round.step(seats, false)
    expect(round.phase).not.toBe('waiting')
  })

  it('has one place for who has as many', () => {
    const scores = new Map([
      [0, 3],
      [1, 5],
      [2, 5],
    ])
    expect(resultsOf([here(0), here(1), here(2)], scores).map(({ n, place }) => [n, place])).toEqual([
      [1, 1],
      [2, 1],
      [0, 3],
    ])
  })
})

describe('a seat', () => {
  it('goes through inputs one a tick, and passes over those that come too late, but over no dash', () => {
    const seat = Object.assign(new Seat(0, 'ann', 'Ann', 0), { socket: {} as never })
    for (let seq = 1; seq <= 6; seq++) seat.hear(seq, { x: seq / 10, y: 0, dash: seq === 2 })
    expect(seat.next()).toEqual({ x: 0.4, y: 0, dash: true })
    expect(seat.ack).toBe(4)
    expect(seat.next()).toMatchObject({ x: 0.5, dash: false })
    seat.next()
    expect(seat.next()).toMatchObject({ x: 0.6, dash: false })
  })
})
