import { ServiceError } from '../errors/service-error'
import type { Clock } from '../ports/clock'
import { type AddressPolicy, AddressRefused, FetchFailed, type GuardedFetch } from '../ports/guarded-fetch'
import type { Logger } from '../ports/logger'
import { keysOfSet } from '../project/key-of-set'
import type { JsonObject } from '../shared/json'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../shared/time'
import { utf8Text } from '../shared/utf8-text'

/** Milliseconds for which fetched keys are fresh. Older keys are fetched again in the background, while calls use them. */
const FRESH_MS = 10 * MINUTE_MS
/** Milliseconds after which keys are fetched again before they are used, so that a key that was revoked long ago is not accepted. */
const OLD_MS = 1 * HOUR_MS
/**
 * Minimum milliseconds between two fetches of a key set whose keys are known. Also the minimum between two fetches that look for a key that
 * the set does not contain.
 */
const RETRY_MS = 1 * MINUTE_MS
/** Minimum milliseconds between two fetches of a key set of which no keys are known. */
const RETRY_EMPTY_MS = 2 * SECOND_MS
const FETCH_TIMEOUT_MS = 5 * SECOND_MS
/** Maximum bytes of one key set. The key sets of identity providers have a few thousand bytes. */
const MAX_SET_BYTES = 64 * 1_024
/** Maximum number of cached key sets. When one more set is cached, the least recently used set is removed. */
export const MAX_KEY_SETS = 1_000

interface KeySet {
  keys: readonly JsonObject[] | undefined
  fetchedAt: number
  triedAt: number
  /** Instant of the last fetch that was made because a key was not in the set. */
  missedAt: number
  underWay: Promise<void> | undefined
}

const LONG_AGO = Number.NEGATIVE_INFINITY

/**
 * Cached key sets of identity providers, by their URLs. A fetched set is kept until a newer set is fetched, so that players with known keys
 * can continue to play while a provider is down.
 */
export class KeySets {
  private readonly sets = new Map<string, KeySet>()

  constructor(
    private readonly ports: { readonly guardedFetch: GuardedFetch; readonly clock: Clock; readonly logger: Logger },
    private readonly policy: AddressPolicy,
  ) {}

  /** Number of cached sets. */
  get size(): number {
    return this.sets.size
  }

  /** Returns the keys at a URL. Throws UNAVAILABLE when no keys are known and the fetch fails. */
  async keysAt(url: string): Promise<readonly JsonObject[]> {
    const set = this.setAt(url)
    if (set.keys === undefined) {
      if (set.underWay !== undefined || this.isPast(set.triedAt, RETRY_EMPTY_MS)) await this.renew(url, set)
      return set.keys ?? unreachable()
    }
    if (this.isPast(set.fetchedAt, FRESH_MS) && this.isPast(set.triedAt, RETRY_MS)) {
      const fetched = this.renew(url, set)
      if (this.isPast(set.fetchedAt, OLD_MS)) await fetched
    }
    return set.keys
  }

  /**
   * Returns newer keys of a set, for a token that none of the keys in `seen` fits. The set is fetched again at most once a minute, for any
   * number of such tokens.
   */
  async newerAt(url: string, seen: readonly JsonObject[]): Promise<readonly JsonObject[]> {
    const set = this.setAt(url)
    // A fetch that is already running may return the missing key.
    await set.underWay
    if (set.keys !== seen) return set.keys ?? seen
    if (this.isPast(set.missedAt, RETRY_MS)) {
      set.missedAt = this.ports.clock.now()
      await this.renew(url, set)
      // When several callers need the same missing key, one caller fetches the set, and all of them wait for the result.
    } else await set.underWay
    return set.keys
  }

  private setAt(url: string): KeySet {
    const set = this.sets.get(url) ?? {
      keys: undefined,
      fetchedAt: LONG_AGO,
      triedAt: LONG_AGO,
      missedAt: LONG_AGO,
      underWay: undefined,
    }
    this.sets.delete(url)
    this.sets.set(url, set)
    const [oldest] = this.sets.keys()
    if (this.sets.size > MAX_KEY_SETS && oldest !== undefined) this.sets.delete(oldest)
    return set
  }

  private isPast(at: number, ms: number): boolean {
    return this.ports.clock.now() - at >= ms
  }

  /**
   * Fetches a key set again. Concurrent callers wait for the same fetch. Never throws: after a failed fetch, the known keys stay in use.
   */
  private renew(url: string, set: KeySet): Promise<void> {
    if (set.underWay !== undefined) return set.underWay
    const { clock, logger } = this.ports
    set.triedAt = clock.now()
    const underWay = this.read(url).then(
      (keys) => {
        // If the fetched keys are the same as before, callers that have tried them need not try them again.
        if (JSON.stringify(keys) !== JSON.stringify(set.keys)) set.keys = keys
        set.fetchedAt = clock.now()
        set.underWay = undefined
      },
      (error: unknown) => {
        set.underWay = undefined
        logger.warn('a key set could not be read; what is known of it stays', { url, reason: reasonOf(error) })
      },
    )
    set.underWay = underWay
    return underWay
  }

  private async read(url: string): Promise<readonly JsonObject[]> {
    const { guardedFetch } = this.ports
    const { status, body, truncated } = await guardedFetch.fetch(
      {
        url,
        method: 'GET',
        headers: { accept: 'application/json, application/jwk-set+json' },
        timeoutMs: FETCH_TIMEOUT_MS,
        maxResponseBytes: MAX_SET_BYTES,
      },
      this.policy,
    )
    if (status !== 200) throw new Error(`it was answered with status ${status}`)
    if (truncated) throw new Error(`it is longer than ${MAX_SET_BYTES} bytes`)
    const keys = keysOfSet(parsed(utf8Text(body)))
    if (keys === undefined) throw new Error('it is not a key set (RFC 7517)')
    return keys
  }
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Throws UNAVAILABLE. The URL is only in the log and not in the message, because a player's client must not learn the settings of the
 * project.
 */
function unreachable(): never {
  throw new ServiceError(
    'UNAVAILABLE',
    "the keys of the player token's issuer cannot be loaded now, and no earlier copy of the keys is stored; try again shortly",
  )
}

function reasonOf(error: unknown): string {
  if (error instanceof AddressRefused || error instanceof FetchFailed) return error.reason
  return error instanceof Error ? error.message : String(error)
}
