import type { Ids, Random, Timers, Tokens } from '@matchyard/core/ports'
import { FAKE_START, FakeClock } from './clock'
import { FakeGuardedFetch } from './guarded-fetch'
import { FakeIds } from './ids'
import { FakeLogger } from './logger'
import { FakePasswords } from './passwords'
import { FakePlayerTokens } from './player-tokens'
import { FakeRandom } from './random'
import { FakeTokens } from './tokens'

/** Fakes of all small ports. */
export interface FakePlatform {
  /** Clock that a test sets. */
  readonly clock: FakeClock
  /** Timers that run when the clock is set. */
  readonly timers: Timers
  /** Ids that are counted up. */
  readonly ids: Ids
  /** Random numbers from the seed. */
  readonly random: Random
  /** Signatures and sessions with the secret. */
  readonly tokens: Tokens
  /** Check of player tokens. */
  readonly playerTokens: FakePlayerTokens
  /** Passwords with a fast hash. */
  readonly passwords: FakePasswords
  /** HTTP client that sends nothing. */
  readonly guardedFetch: FakeGuardedFetch
  /** Log lines that a test can read. */
  readonly logger: FakeLogger
}

/**
 * Returns fakes of all small ports, deterministic and without delays. The same seed and the same calls give the same
 * ids, random numbers and tokens. `startAt` is in epoch milliseconds. Platforms that share a storage need different
 * seeds, and the same `secret` to accept each other's tokens.
 */
export function fakePlatform(
  options: { seed?: number; startAt?: number; clock?: FakeClock; secret?: string } = {},
): FakePlatform {
  const { seed = 1, clock = new FakeClock(options.startAt ?? FAKE_START) } = options
  return {
    clock,
    timers: clock,
    ids: new FakeIds(clock, seed),
    random: new FakeRandom(seed),
    tokens: new FakeTokens(options.secret),
    playerTokens: new FakePlayerTokens(),
    passwords: new FakePasswords(),
    guardedFetch: new FakeGuardedFetch(),
    logger: new FakeLogger(),
  }
}
