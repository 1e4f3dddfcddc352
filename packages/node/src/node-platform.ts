import type { Instant } from '@matchyard/core'
import type { GuardedFetch, Ids, Passwords, PlayerTokens, Random, Timers, Tokens } from '@matchyard/core/ports'
import { changingTokens, type NamesOf, requireKnownOptions } from '@matchyard/core/ports'
import { argon2Passwords } from './argon2-passwords'
import { cryptoRandom } from './crypto-random'
import { guardedFetch } from './guarded-fetch'
import { nodeTimers } from './node-timers'
import { playerTokens } from './player-tokens'
import { type SystemClock, systemClock } from './system-clock'
import { tokens } from './tokens'
import { ulidIds } from './ulid-ids'

/** Secret that the installation had before. */
export interface PreviousSecret {
  /** Text of the previous secret. */
  readonly secret: string
  /** Returns the instant from which the new secret signs; undefined: it has not been set yet, and the previous secret signs. */
  changesAt(): Instant | undefined
}

/** Options of `nodePlatform`. */
export interface NodePlatformOptions {
  /** Secret of the installation, at least 32 bytes. All signatures and sessions depend on it. */
  readonly secret: string
  /** Secret that `secret` replaces. Its signatures are accepted too. Default: none. */
  readonly previousSecret?: PreviousSecret
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

const OPTIONS: NamesOf<NodePlatformOptions> = { secret: true, previousSecret: true, notBefore: true, now: true }

/**
 * Returns every port (adapter interface) that Node.js alone can implement: clock, ids, passwords, tokens and so on.
 * Throws TypeError for a weak secret and for an unknown option.
 */
export function nodePlatform(options: NodePlatformOptions): NodePlatform {
  requireKnownOptions('nodePlatform', options, Object.keys(OPTIONS))
  const { secret, previousSecret, ...time } = options
  const clock = systemClock(time)
  const random = cryptoRandom()
  return {
    clock,
    timers: nodeTimers(),
    ids: ulidIds(clock, random),
    random,
    tokens: tokensOf(tokens(secret), previousSecret, () => clock.now()),
    passwords: argon2Passwords(),
    guardedFetch: guardedFetch(),
    playerTokens: playerTokens(),
  }
}

function tokensOf(next: Tokens, previous: PreviousSecret | undefined, now: () => Instant): Tokens {
  if (previous === undefined) return next
  return changingTokens({ next, previous: tokens(previous.secret), changesAt: () => previous.changesAt(), now })
}
