import type { Clock, Random, Timers } from '@matchyard/core/ports'
import { generator, START_AT } from '@matchyard/matchmaking/simulation'
import { argon2Passwords, tokens, ulidIds } from '@matchyard/node'

/** Clock of a trial: it shows the same time until the trial moves it. */
export class TrialClock implements Clock {
  private instant = START_AT

  now(): number {
    return this.instant
  }

  /** Moves the clock ahead to an instant; a clock never runs backwards. */
  advanceTo(instant: number): void {
    this.instant = Math.max(this.instant, Math.round(instant))
  }
}

/** Timers that never run: a trial lasts milliseconds of each virtual hour, and its service has no background work. */
const noTimers: Timers = { after: () => () => {} }

/** Returns the small ports of a trial's service: the clock of the trial, with ids and random numbers that follow from a seed. */
export function trialPlatform(clock: TrialClock, seed: number) {
  const draw = generator(seed)
  const random: Random = { int: (below) => Math.floor(draw() * below) }
  return {
    ...{ clock, timers: noTimers, random, ids: ulidIds(clock, random) },
    // No token of a trial leaves it, so this secret protects nothing.
    ...{ tokens: tokens('a secret that protects nothing at all'), passwords: argon2Passwords() },
  }
}
