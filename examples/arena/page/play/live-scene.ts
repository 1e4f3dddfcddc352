import type { Contestant, Happening, Snapshot } from '../../game/protocol'
import { TICKS_PER_SECOND } from '../../game/rules'
import type { Prediction } from './prediction'
import type { Scene, Shown, ShownBall, ShownShard } from './scene'

const TICK_MS = 1_000 / TICKS_PER_SECOND
/**
 * Delay of the other players' balls, in ticks. With it there is nearly always a snapshot before and one after the shown
 * tick.
 */
const BEHIND_TICKS = 3
const KEPT = 24
/** Distance in units between two ticks from which on a ball was placed elsewhere and did not roll. */
const JUMP = 200

/**
 * A running match, drawn from the server's messages: other balls between two snapshots, the player's own ball ahead of
 * them.
 */
export class LiveScene implements Scene {
  /** The player's own number. */
  me = -1
  latest: Snapshot | undefined
  contestants: readonly Contestant[] = []
  private readonly snapshots: Snapshot[] = []
  private readonly waiting: { readonly tick: number; readonly happening: Happening }[] = []
  /** Time of tick 0 on this page's clock, in milliseconds. */
  private tickZero: number | undefined

  constructor(private readonly prediction: Prediction) {}

  take(snapshot: Snapshot, now: number): void {
    const before = this.latest
    this.latest = snapshot
    this.snapshots.push(snapshot)
    if (this.snapshots.length > KEPT) this.snapshots.shift()
    for (const happening of snapshot.happened) this.waiting.push({ tick: snapshot.tick, happening })
    const seen = now - snapshot.tick * TICK_MS
    // The fastest message shows the true time best: a slow message moves the estimate a little, a fast one sets it at
    // once.
    const known = this.tickZero ?? seen
    this.tickZero = known + (seen - known) * (seen < known ? 0.35 : 0.02)
    // The start of the match puts every ball at a new place.
    if (before?.phase === 'countdown' && snapshot.phase === 'playing') this.prediction.forget()
    const own = snapshot.balls.find(([n]) => n === this.me)
    if (own === undefined) this.prediction.forget()
    else this.prediction.correct(own, snapshot.ack)
  }

  frame(now: number, elapsed: number): Shown {
    const { latest } = this
    if (latest?.phase === 'over') this.prediction.forget()
    else this.prediction.advance(elapsed)
    if (latest === undefined || this.tickZero === undefined) return { balls: [], shards: [], happened: [] }
    const tick = (now - this.tickZero) / TICK_MS - BEHIND_TICKS
    const after = this.snapshots.find((one) => one.tick >= tick) ?? latest
    const before = this.snapshots[this.snapshots.indexOf(after) - 1] ?? after
    const share = after === before ? 1 : Math.min(1, (tick - before.tick) / (after.tick - before.tick))
    return {
      balls: this.balls(before, after, share),
      shards: shardsOf(before, after, latest, share),
      happened: this.due(tick),
    }
  }

  private balls(before: Snapshot, after: Snapshot, share: number): readonly ShownBall[] {
    const predicted = this.prediction.shown
    return after.balls.map(([n, x, y, vx, vy, score, dash, , stun]) => {
      const isMe = n === this.me
      const { name = '', hue = 200, here = true } = this.contestants.find((one) => one.n === n) ?? {}
      const own = isMe ? this.latest?.balls.find((row) => row[0] === n) : undefined
      const same = { n, hue, name, isMe, isHere: here }
      if (isMe && predicted !== undefined) return { ...same, ...predicted, score: own?.[5] ?? score }
      const [, fromX = x, fromY = y] = before.balls.find((row) => row[0] === n) ?? []
      const isJump = Math.hypot(x - fromX, y - fromY) > JUMP
      const place = isJump ? { x, y } : { x: fromX + (x - fromX) * share, y: fromY + (y - fromY) * share }
      return { ...same, ...place, vx, vy, score, dash, stun }
    })
  }

  /** Returns the events to show now: the player's own at once, other players' at their tick. */
  private due(tick: number): readonly Happening[] {
    const due: Happening[] = []
    for (let index = 0; index < this.waiting.length; ) {
      const one = this.waiting[index]
      if (one === undefined || (one.tick > tick && one.happening[3] !== this.me)) index += 1
      else due.push(...this.waiting.splice(index, 1).map(({ happening }) => happening))
    }
    return due
  }
}

function shardsOf(before: Snapshot, after: Snapshot, latest: Snapshot, share: number): readonly ShownShard[] {
  const from = new Map(before.shards.map((row) => [row[0], row]))
  // Shards that the latest snapshot no longer has are hidden, so that the player never rolls over a shard in vain.
  const there = new Set(latest.shards.map(([id]) => id))
  return after.shards.flatMap(([id, x, y, gold]) => {
    if (!there.has(id)) return []
    const [, fromX = x, fromY = y] = from.get(id) ?? []
    return [{ id, x: fromX + (x - fromX) * share, y: fromY + (y - fromY) * share, isGold: gold === 1 }]
  })
}
