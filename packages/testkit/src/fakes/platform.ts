import type { Ids, Random, Timers, Tokens } from '@matchyard/core/ports'
import { FAKE_START, FakeClock } from './clock'
import { FakeGuardedFetch } from './guarded-fetch'
import { FakeIds } from './ids'
import { FakeLogger } from './logger'
import { FakePasswords } from './passwords'
import { FakePlayerTokens } from './player-tokens'
import { FakeRandom } from './random'
import { FakeTokens } from './tokens'

export interface FakePlatform {
  readonly clock: FakeClock
  readonly timers: Timers
  readonly ids: Ids
  readonly random: Random
  readonly tokens: Tokens
  readonly playerTokens: FakePlayerTokens
  readonly passwords: FakePasswords
  readonly guardedFetch: FakeGuardedFetch
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
