import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Configuration } from './configuration'
import type { Roster } from './roster'

/** Maximum difference between the clocks of two machines, in seconds. */
const LEEWAY_SECONDS = 60
const LONGEST_TOKEN = 4_096

/** Player whom a join token names. */
export interface JoiningPlayer {
  readonly ok: true
  readonly playerId: string
  /** Name of the player's team. */
  readonly team: string
  /** Role of the player; null when the queue's teams have no roles. */
  readonly role: string | null
}

/** Refusal of a join token. */
export interface RefusedToken {
  readonly ok: false
  /**
   * Reason of the refusal. `malformed`: the text is not a join token. `forged`: the token was not signed for this
   * match. `expired`: the token is older than five minutes. `left`: the player left the match after the token was made.
   */
  readonly reason: 'malformed' | 'forged' | 'expired' | 'left'
}

const refused = (reason: RefusedToken['reason']): RefusedToken => ({ ok: false, reason })

interface Claims {
  readonly sub: string
  readonly aud: string
  readonly iat: number
  readonly exp: number
  readonly instance_id: string | null
  readonly team: string
  readonly role: string | null
}

/**
 * Verifies a join token without a call to the service. A join token is a JWT, signed by HS256 with a key that only this
 * match has.
 */
export function verifyJoinToken(
  token: unknown,
  { join_token_key, match_id, instance_id }: Configuration,
  roster: Roster,
): JoiningPlayer | RefusedToken {
  if (typeof token !== 'string' || token.length > LONGEST_TOKEN) return refused('malformed')
  const [header, payload, signature, ...more] = token.split('.')
  if (!header || !payload || !signature || more.length > 0) return refused('malformed')
  if (join_token_key === null || !isSigned(`${header}.${payload}`, signature, join_token_key)) return refused('forged')
  // The algorithm is fixed and not read from the token. The signature is valid, so the claims are those that the
  // service wrote.
  const claims = read(payload)
  if (claims === undefined) return refused('malformed')
  const { sub: playerId, aud, iat, exp, team, role } = claims
  if (aud !== match_id || (claims.instance_id !== null && claims.instance_id !== instance_id)) return refused('forged')
  if (exp + LEEWAY_SECONDS <= Date.now() / 1_000) return refused('expired')
  // A player who is not on the roster may be accepted, because the player may connect before `match_updated`. A player
  // who has left cannot return with an old token.
  const goneSince = roster.goneSince(playerId)
  if (goneSince !== undefined && iat * 1_000 <= goneSince) return refused('left')
  return { ok: true, playerId, team, role }
}

function isSigned(text: string, signature: string, key: string): boolean {
  const expected = createHmac('sha256', Buffer.from(key, 'base64url')).update(text).digest()
  const given = Buffer.from(signature, 'base64url')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function read(payload: string): Claims | undefined {
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims
    return typeof claims.sub === 'string' && Number.isFinite(claims.exp) ? claims : undefined
  } catch {
    return undefined
  }
}
