import { isMatchyardError } from '../errors'
import { NEVER, RENEW_MS } from '../times'

/**
 * Player that a client acts for: an id that the service trusts, or a function that returns tokens which prove the id.
 */
export type PlayerSource = string | (() => string | Promise<string>)

/** Adds the player's identity to the headers of each request. */
export interface Identity {
  /** Returns the player's id: the given id, or the id in the token. */
  playerId(): Promise<string>
  /** Returns the headers that prove or name the player in a request. */
  headers(): Promise<Readonly<Record<string, string>>>
  /** Whether a request that was refused with this error may be repeated with a new player token. */
  renews(error: unknown): boolean
}

export function identityOf(source: PlayerSource, now: () => number): Identity {
  return typeof source === 'string' ? byName(source) : byToken(source, now)
}

function byName(name: string): Identity {
  // `fetch` trims header values, so the service would get the id of another player.
  if (name.trim() !== name) {
    throw new TypeError(`white space around a player's id: ${JSON.stringify(name)}`)
  }
  // Headers are bytes: characters other than ASCII are sent as UTF-8.
  const bytes = String.fromCharCode(...new TextEncoder().encode(name))
  return { playerId: async () => name, headers: async () => ({ 'x-player-id': bytes }), renews: () => false }
}

function byToken(ask: () => string | Promise<string>, now: () => number): Identity {
  let token: Promise<string> | undefined
  let expiresAt = 0

  const current = async (): Promise<string> => {
    if (token === undefined || now() > expiresAt - RENEW_MS) {
      // Concurrent requests that need a new token share one fetch of it.
      expiresAt = NEVER
      const asked = Promise.resolve(ask())
      token = asked
      try {
        const until = Number(claimsOf(await asked).exp) * 1000
        // A new token that seems to have expired shows that the local clock is wrong. The token is used until the
        // service refuses it.
        if (until - RENEW_MS > now()) expiresAt = until
      } catch (error) {
        if (token === asked) token = undefined
        throw error
      }
    }
    return token
  }

  return {
    playerId: async () => String(claimsOf(await current()).sub ?? ''),
    headers: async () => ({ authorization: `Bearer ${await current()}` }),
    renews(error) {
      const refused = isMatchyardError(error, 'INVALID_PLAYER_TOKEN', 'PLAYER_TOKEN_REQUIRED')
      if (refused) token = undefined
      return refused
    },
  }
}

/** Returns the unverified claims of a token; the service verifies it. */
function claimsOf(token: string): { readonly sub?: unknown; readonly exp?: unknown } {
  try {
    const part = token.split('.')[1]?.replace(/-/g, '+').replace(/_/g, '/') ?? ''
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(part), (char) => char.charCodeAt(0))))
  } catch {
    return {}
  }
}
