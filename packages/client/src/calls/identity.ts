import { isMatchyardError } from '../errors'

/** Who plays: an id that the service believes, or a source of tokens that prove it. */
export type PlayerSource = string | (() => string | Promise<string>)

/** A token is asked for anew when it has less than this to live. */
const RENEW_MS = 30_000

/** Names the player of each request. */
export class Identity {
  private token: Promise<string> | undefined
  private expiresAt = Number.POSITIVE_INFINITY

  constructor(
    private readonly source: PlayerSource | undefined,
    private readonly now: () => number,
  ) {
    // fetch would trim it, and the call would be another player's.
    if (typeof source === 'string' && source.trim() !== source) {
      throw new TypeError(`a player's id cannot begin or end with white space: ${JSON.stringify(source)}`)
    }
  }

  /** The player's id: as given, or as the token says it. */
  async playerId(): Promise<string> {
    if (this.source === undefined) return ''
    if (typeof this.source === 'string') return this.source
    return String(claimsOf(await this.current()).sub ?? '')
  }

  async headers(): Promise<Record<string, string>> {
    if (this.source === undefined) return {}
    if (typeof this.source === 'string') return { 'x-player-id': bytes(this.source) }
    return { authorization: `Bearer ${await this.current()}` }
  }

  /** Whether a request that was refused so may be repeated with another token. */
  renews(error: unknown): boolean {
    const refused = isMatchyardError(error, 'INVALID_PLAYER_TOKEN', 'PLAYER_TOKEN_REQUIRED')
    if (!refused || typeof this.source !== 'function') return false
    this.token = undefined
    return true
  }

  private async current(): Promise<string> {
    if (this.token === undefined || this.now() > this.expiresAt - RENEW_MS) {
      // Several requests that need a new one at once ask for it once.
      this.expiresAt = Number.POSITIVE_INFINITY
      const asked = Promise.resolve((this.source as () => string | Promise<string>)())
      this.token = asked
      try {
        const expiresAt = Number(claimsOf(await asked).exp) * 1000
        // One that seems to be over already is a clock that is wrong: it is used until it is refused.
        if (expiresAt - RENEW_MS > this.now()) this.expiresAt = expiresAt
      } catch (error) {
        if (this.token === asked) this.token = undefined
        throw error
      }
    }
    return this.token
  }
}

/** Headers are bytes: what is not ASCII goes as UTF-8. */
const bytes = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text))

/** What a token says, unverified: the service verifies it. */
function claimsOf(token: string): { readonly sub?: unknown; readonly exp?: unknown } {
  try {
    const part = (token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/')
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(part), (char) => char.charCodeAt(0))))
  } catch {
    return {}
  }
}
