import { type Ball, type Input, stepBall } from '../../game/physics'
import type { BallRow } from '../../game/protocol'
import { TICKS_PER_SECOND } from '../../game/rules'

const TICK_MS = 1_000 / TICKS_PER_SECOND
/** Maximum ticks that are computed at once; after a longer pause the rest is skipped. */
const MOST_TICKS = 4
/** Distance in units from which on a difference is no prediction error: the server placed the ball elsewhere. */
const ELSEWHERE = 220
/** Speed at which a prediction error fades, as the exponent of e per second. */
const SMOOTHING = 11

/**
 * The player's own ball, ahead of the server: it moves at once by the same rules. A snapshot has its place after a
 * known input; the inputs after that one are computed again from there, and the difference fades away.
 */
export class Prediction {
  private ball: Ball | undefined
  private before = { x: 0, y: 0 }
  private readonly pending: { readonly seq: number; readonly input: Input }[] = []
  private off = { x: 0, y: 0 }
  private seq = 0
  private leftMs = 0

  constructor(
    private readonly take: () => Input,
    private readonly send: (seq: number, input: Input) => void,
  ) {}

  /** Moves the ball by the ticks of the elapsed time. */
  advance(elapsedMs: number): void {
    this.leftMs = Math.min(this.leftMs + elapsedMs, TICK_MS * MOST_TICKS)
    for (; this.leftMs >= TICK_MS; this.leftMs -= TICK_MS) {
      const input = this.take()
      this.seq += 1
      this.send(this.seq, input)
      if (this.ball === undefined) continue
      this.pending.push({ seq: this.seq, input })
      if (this.pending.length > 60) this.pending.shift()
      this.before = { x: this.ball.x, y: this.ball.y }
      stepBall(this.ball, input)
    }
    const fades = Math.exp((-SMOOTHING * elapsedMs) / 1_000)
    this.off = { x: this.off.x * fades, y: this.off.y * fades }
  }

  /** Corrects the ball by its row in a snapshot. `ack` is the number of the last input that the row includes. */
  correct([, x, y, vx, vy, , dash, again, stun]: BallRow, ack: number): void {
    const shown = this.ball
    const ball = { x, y, vx, vy, dash, again, stun }
    while (this.pending.length > 0 && (this.pending[0]?.seq ?? 0) <= ack) this.pending.shift()
    let before = { x, y }
    for (const { input } of this.pending) {
      before = { x: ball.x, y: ball.y }
      stepBall(ball, input)
    }
    this.ball = ball
    if (shown === undefined) {
      this.before = before
      return
    }
    const off = { x: this.off.x + shown.x - ball.x, y: this.off.y + shown.y - ball.y }
    const isElsewhere = Math.hypot(off.x, off.y) > ELSEWHERE
    this.off = isElsewhere ? { x: 0, y: 0 } : off
    this.before = isElsewhere
      ? { x: ball.x, y: ball.y }
      : { x: this.before.x - shown.x + ball.x, y: this.before.y - shown.y + ball.y }
  }

  /** Forgets the ball, because the server places it anew. */
  forget(): void {
    this.ball = undefined
    this.pending.length = 0
    this.off = { x: 0, y: 0 }
  }

  /** The ball between its last two ticks; undefined before the first snapshot. */
  get shown(): Ball | undefined {
    const { ball, before, off } = this
    if (ball === undefined) return undefined
    const share = this.leftMs / TICK_MS
    return {
      ...ball,
      x: before.x + (ball.x - before.x) * share + off.x,
      y: before.y + (ball.y - before.y) * share + off.y,
    }
  }
}
