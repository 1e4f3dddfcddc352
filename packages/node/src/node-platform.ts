import type { Instant } from '@matchyard/core'
import type { GuardedFetch, Ids, Passwords, PlayerTokens, Random, Timers, Tokens } from '@matchyard/core/ports'
import { requireKnownOptions } from '@matchyard/core/ports'
import { argon2Passwords } from './argon2-passwords'
import { cryptoRandom } from './crypto-random'
import { guardedFetch } from './guarded-fetch'
import { nodeTimers } from './node-timers'
import { playerTokens } from './player-tokens'
import { type SystemClock, systemClock } from './system-clock'
import { tokens } from './tokens'
import { ulidIds } from './ulid-ids'

/** Options of `nodePlatform`. */
export interface NodePlatformOptions {
  /** Secret of the installation, at least 32 bytes. All signatures and sessions depend on it. */
  readonly secret: string
  /** Earliest time that the clock may return (see `systemClock`). */
  readonly notBefore?: Instant
  /** Returns the time in epoch milliseconds, in place of the machine's clock. */
  readonly now?: () => number
}

/** Small ports of the service, implemented with Node. */
export interface NodePlatform {
  /** Clock that never goes back. */
  readonly clock: SystemClock
  /** Timers of the event loop. */
  readonly timers: Timers
  /** Generator of ids. */
  readonly ids: Ids
  /** Random numbers of the operating system. */
  readonly random: Random
  /** Signatures and sessions with the secret of the installation. */
  readonly tokens: Tokens
  /** Password hashing with argon2id. */
  readonly passwords: Passwords
  /** HTTP client that checks the address of each call. */
  readonly guardedFetch: GuardedFetch
  /** Check of player tokens. */
  readonly playerTokens: PlayerTokens
}

/**
 * Returns every port (adapter interface) that Node.js alone can implement: clock, ids, passwords, tokens and so on.
 * Throws TypeError for a weak secret and for an unknown option.
 */
export function nodePlatform(options: NodePlatformOptions): NodePlatform {
  requireKnownOptions('nodePlatform', options, ['secret', 'notBefore', 'now'] satisfies (keyof NodePlatformOptions)[])
  const { secret, ...time } = options
  const clock = systemClock(time)
  const random = cryptoRandom()
  return {
    clock,
    timers: nodeTimers(),
    ids: ulidIds(clock, random),
    random,
    tokens: tokens(secret),
    passwords: argon2Passwords(),
    guardedFetch: guardedFetch(),
    playerTokens: playerTokens(),
  }
}
