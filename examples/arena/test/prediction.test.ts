import { expect, it } from 'vitest'
import { type Ball, type Input, stepBall } from '../game/physics'
import type { BallRow } from '../game/protocol'
import { TICKS_PER_SECOND } from '../game/rules'
import { Prediction } from '../page/play/prediction'

const TICK_MS = 1_000 / TICKS_PER_SECOND
const row = ({ x, y, vx, vy, dash, again, stun }: Ball): BallRow => [0, x, y, vx, vy, 0, dash, again, stun]

it('shows where the server will say that the ball is, as long as nothing else touches it', () => {
  const server: Ball = { x: 700, y: 400, vx: 0, vy: 0, dash: 0, again: 0, stun: 0 }
  const onTheWay: { seq: number; input: Input }[] = []
  let tick = 0
  const prediction = new Prediction(
    () => ({ x: Math.sin(tick / 9), y: Math.cos(tick / 5), dash: tick % 50 === 20 }),
    (seq, input) => onTheWay.push({ seq, input }),
  )
  prediction.correct(row(server), 0)
  for (; tick < 300; tick++) {
    prediction.advance(TICK_MS)
    // Each message of the page arrives four ticks later; the answer arrives at once.
    if (onTheWay.length > 4) {
      const { seq, input } = onTheWay.shift() ?? { seq: 0, input: { x: 0, y: 0, dash: false } }
      stepBall(server, input)
      prediction.correct(row(server), seq)
    }
  }
  for (const { input } of onTheWay) stepBall(server, input)
  prediction.advance(0)
  const shown = prediction.shown
  expect(Math.hypot((shown?.x ?? 0) - server.x, (shown?.y ?? 0) - server.y)).toBeLessThan(25)
  expect(shown?.vx).toBeCloseTo(server.vx, 6)
})

it('smooths a small mistake away, and takes a large one as it is', () => {
  const prediction = new Prediction(
    () => ({ x: 0, y: 0, dash: false }),
    () => {},
  )
  const at = (x: number): BallRow => [0, x, 400, 0, 0, 0, 0, 0, 0]
  prediction.correct(at(700), 0)
  prediction.correct(at(740), 99)
  expect(prediction.shown?.x).toBeCloseTo(700, 0)
  prediction.advance(500)
  expect(prediction.shown?.x).toBeCloseTo(740, 0)
  prediction.correct(at(100), 199)
  expect(prediction.shown?.x).toBe(100)
})
