import type { PlayerSource } from './calls/identity'
import type { Transport } from './follow/machine'
import type { Platform } from './platform'

/** Storage in which the client remembers the player's lobby: `localStorage`, or React Native's `AsyncStorage`. */
export interface ClientStorage {
  /** Returns the value that is stored under the key; null if there is none. */
  getItem(key: string): string | null | Promise<string | null>
  /** Stores a value under the key. */
  setItem(key: string, value: string): unknown
  /** Removes the value of the key. */
  removeItem(key: string): unknown
}

/** Options of a client. */
export interface ClientOptions {
  /** Address of the service: `https://play.example.com`. */
  readonly baseUrl: string
  /** Client key of the project (`ck_live_…`). It may be public. */
  readonly clientKey: string
  /**
   * The player: an id or, if the project requires proof, a function that returns a player token. The function is called
   * when a token is needed. It is called again shortly before the token expires, and when the service refuses the
   * token.
   */
  readonly player: PlayerSource
  /** Id of the player. Needed when another claim of the tokens than `sub` contains the id. */
  readonly playerId?: string | undefined
  /**
   * Storage that remembers the lobby for `lobbies.resume()`. Without a storage, `resume` returns the newest lobby of a
   * player who is in several lobbies.
   */
  readonly storage?: ClientStorage | undefined
  /**
   * Transport with which the client begins, `stream` by default. When streams do not arrive, the client changes to
   * `polling` by itself.
   */
  readonly transport?: Transport | undefined
  /** Milliseconds for which a call without an answer is retried; 60,000 by default. */
  readonly retryForMs?: number | undefined
  /**
   * Called with a sentence for a developer about each problem that the client handles itself; `console.warn` by
   * default.
   */
  readonly log?: ((sentence: string) => void) | undefined
  /**
   * Clock, random numbers and network functions of the client, which tests can replace; the runtime's own by default.
   */
  readonly platform?: Partial<Platform> | undefined
}
