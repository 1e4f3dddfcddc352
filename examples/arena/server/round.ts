import { STILL } from '../game/physics'
import type { Phase, Result } from '../game/protocol'
import { RUSH_SHARE, TICKS_PER_SECOND } from '../game/rules'
import type { World } from '../game/world'
import type { Seat } from './seat'

/** Seconds for the matched players to connect. */
const WAIT_SECONDS = 12
const COUNTDOWN_SECONDS = 3

/**
 * One match: waiting for all players, countdown, playing, over. Time is counted in ticks, so that tests can play at any
 * speed.
 */
export class Round {
  phase: Phase = 'waiting'
  tick = 0
  private endsAt = WAIT_SECONDS * TICKS_PER_SECOND

  constructor(
    private readonly world: World,
    private readonly seconds: number,
  ) {}

  /** Milliseconds until the phase ends. */
  get leftMs(): number {
    if (this.phase === 'waiting' || this.phase === 'over') return 0
    return Math.max(0, Math.round(((this.endsAt - this.tick) / TICKS_PER_SECOND) * 1_000))
  }

  /** Remaining share of the playing phase, from 1 to 0; 1 before that phase. */
  get leftShare(): number {
    if (this.phase === 'over') return 0
    return this.phase === 'playing' ? this.leftMs / (this.seconds * 1_000) : 1
  }

  /** Runs one tick. Returns whether the phase has changed. */
  step(seats: readonly Seat[], isComplete: boolean): boolean {
    this.tick += 1
    const inputs = new Map(seats.map((seat) => [seat.n, seat.next()]))
    if (this.phase === 'playing') this.world.step(inputs, this.leftShare <= RUSH_SHARE)
    else this.world.warmUp(this.phase === 'over' ? new Map([...inputs.keys()].map((n) => [n, STILL])) : inputs)
    return this.turn(seats, isComplete)
  }

  private turn(seats: readonly Seat[], isComplete: boolean): boolean {
    const isDue = this.tick >= this.endsAt
    const here = seats.filter(({ isHere }) => isHere).length
    if (this.phase === 'waiting' && here > 0 && (isComplete || isDue)) return this.begin('countdown', COUNTDOWN_SECONDS)
    if (this.phase === 'countdown' && isDue) {
      this.world.reset()
      return this.begin('playing', this.seconds)
    }
    if (this.phase === 'playing' && isDue) return this.begin('over', 0)
    return false
  }

  private begin(phase: Phase, seconds: number): true {
    this.phase = phase
    this.endsAt = this.tick + Math.round(seconds * TICKS_PER_SECOND)
    return true
  }
}

/** Returns the results, sorted by score with the highest first. */
export function resultsOf(seats: readonly Seat[], scores: ReadonlyMap<number, number>): readonly Result[] {
  const all = seats.map(({ n, name, hue }) => ({ n, name, hue, score: scores.get(n) ?? 0 }))
  return all
    .map((one) => ({ ...one, place: 1 + all.filter(({ score }) => score > one.score).length }))
    .sort((a, b) => a.place - b.place || a.n - b.n)
}
