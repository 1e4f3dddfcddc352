import type { Instant } from '@matchyard/core'
import type { Ids, Passwords, Random, Timers, Tokens } from '@matchyard/core/ports'
import { argon2Passwords } from './argon2-passwords'
import { cryptoRandom } from './crypto-random'
import { nodeTimers } from './node-timers'
import { type SystemClock, systemClock } from './system-clock'
import { tokens } from './tokens'
import { ulidIds } from './ulid-ids'

export interface NodePlatformOptions {
  /** Of the installation; every signature and session depends on it. */
  readonly secret: string
  /** See `systemClock`. */
  readonly notBefore?: Instant
  /** Replaces the machine's time. */
  readonly now?: () => number
}

export interface NodePlatform {
  readonly clock: SystemClock
  readonly timers: Timers
  readonly ids: Ids
  readonly random: Random
  readonly tokens: Tokens
  readonly passwords: Passwords
}

/** Every port that the Node platform fills by itself. */
export function nodePlatform({ secret, ...time }: NodePlatformOptions): NodePlatform {
  const clock = systemClock(time)
  const random = cryptoRandom()
  return {
    clock,
    timers: nodeTimers(),
    ids: ulidIds(clock, random),
    random,
    tokens: tokens(secret),
    passwords: argon2Passwords(),
  }
}
