import type { PlayerSource } from './calls/identity'
import type { Transport } from './follow/machine'
import type { Platform } from './platform'

/** Where a lobby is remembered: `localStorage`, or React Native's `AsyncStorage`. */
export interface ClientStorage {
  /** Returns the stored value of the key; null without one. */
  getItem(key: string): string | null | Promise<string | null>
  /** Keeps a value under the key. */
  setItem(key: string, value: string): unknown
  /** Forgets what is kept under the key. */
  removeItem(key: string): unknown
}

/** Options of a client. */
export interface ClientOptions {
  /** Where the service is: `https://play.example.com`. */
  readonly baseUrl: string
  /** The project's client key (`ck_live_…`). It may be seen by everybody. */
  readonly clientKey: string
  /**
   * Player: an id, or, where the project requires proof, a function that returns a player token. The function is called when a token is needed,
   * and again shortly before it expires or when it is refused.
   */
  readonly player: PlayerSource
  /** The player's id, where tokens name it by another claim than `sub`. */
  readonly playerId?: string | undefined
  /** Remembers the lobby for `lobbies.resume()`, which finds it without, too, unless the player is in several. */
  readonly storage?: ClientStorage | undefined
  /** `stream` unless said; a stream that does not come through is replaced by `polling` by itself. */
  readonly transport?: Transport | undefined
  /** For how long a call is tried again while nothing answers, in milliseconds; 60,000 unless said. */
  readonly retryForMs?: number | undefined
  /** Told, in a sentence for a developer, what went wrong and is mended by itself; `console.warn` unless said. */
  readonly log?: ((sentence: string) => void) | undefined
  /** Time, chance and network of the client, for tests; those of the runtime unless said. */
  readonly platform?: Partial<Platform> | undefined
}
