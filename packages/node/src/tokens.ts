import { createHmac, createSecretKey, hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { SessionClaims, Tokens } from '@matchyard/core/ports'
import { jose } from './jose'
import { seal, unseal } from './sealing'

const SESSION_KEY_PURPOSE = 'session-jwt'
/**
 * Salt for the derivation of keys from the secret, so that derived keys differ from the results of all other uses of
 * the secret.
 */
const DERIVED_SALT = 'matchyard derived key'
const DERIVED_BYTES = 32

/** Smallest length of a secret in bytes: the length of a key for HMAC-SHA-256. */
const MIN_SECRET_BYTES = 32

/**
 * Throws TypeError for a secret that is missing, too short or made of one repeated character, because an attacker who
 * guesses the secret can act as any user. The message never contains the secret.
 */
function requireStrongSecret(secret: unknown): void {
  const mend = 'draw one with `openssl rand -base64 36`, and keep it'
  if (typeof secret !== 'string') throw new TypeError(`the secret is missing; ${mend}`)
  const bytes = Buffer.byteLength(secret)
  if (bytes < MIN_SECRET_BYTES) {
    throw new TypeError(`the secret has ${bytes} bytes; it needs at least ${MIN_SECRET_BYTES}: ${mend}`)
  }
  if (new Set(secret).size === 1) throw new TypeError(`the secret is one character again and again; ${mend}`)
}

/**
 * Returns a `Tokens` port, which hashes and signs with the installation's `secret`. Each use has its own key or its own
 * prefix. Throws TypeError for a weak secret.
 */
export function tokens(secret: string): Tokens {
  requireStrongSecret(secret)
  const mac = (purpose: string, text: string) => {
    // If a purpose could contain a line break, ("a", "b\nc") and ("a\nb", "c") would have the same signature.
    if (purpose.includes('\n')) throw new TypeError('a purpose holds no line break')
    return createHmac('sha256', secret).update(`${purpose}\n${text}`).digest()
  }
  const sign = (purpose: string, text: string) => mac(purpose, text).toString('base64url')
  const derive = (purpose: string, text: string) => {
    if (purpose.includes('\n')) throw new TypeError('a purpose holds no line break')
    return new Uint8Array(hkdfSync('sha256', secret, DERIVED_SALT, `${purpose}\n${text}`, DERIVED_BYTES))
  }
  // The key is derived, so that no result of `sign` is ever a valid session. It is imported once, because importing a
  // key costs more than verifying a token.
  const sessionKey = createSecretKey(mac(SESSION_KEY_PURPOSE, ''))
  return {
    hash: (text) => hash('sha256', text),
    sign,
    signEach: (purpose, text) => [sign(purpose, text)],
    signWith: (key, text) => createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64'),
    verify: (purpose, text, signature) => equalInConstantTime(sign(purpose, text), signature),
    derive,
    deriveEach: (purpose, text) => [derive(purpose, text)],
    seal,
    unseal,
    issueJoinToken: async (key, { matchId, playerId, instanceId, team, role, issuedAt, expiresAt }) => {
      const { SignJWT } = await jose()
      return new SignJWT({ instance_id: instanceId, team, role })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setAudience(matchId)
        .setSubject(playerId)
        .setIssuedAt(issuedAt / 1000)
        .setExpirationTime(expiresAt / 1000)
        .sign(key)
    },
    issueSession: async ({ accountId, sessionId, issuedAt, expiresAt }) => {
      const { SignJWT } = await jose()
      // A NumericDate (JWT time) is in seconds and may have a fraction, which contains the milliseconds.
      return new SignJWT({ sub: accountId, jti: sessionId, iat: issuedAt / 1000, exp: expiresAt / 1000 })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .sign(sessionKey)
    },
    readSession: async (token) => {
      try {
        const { compactVerify } = await jose()
        const { payload } = await compactVerify(token, sessionKey, { algorithms: ['HS256'] })
        return claimsOf(JSON.parse(new TextDecoder().decode(payload)))
      } catch {
        return undefined
      }
    },
  }
}

function claimsOf(payload: unknown): SessionClaims | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined
  const { sub, jti, iat, exp } = payload as Record<string, unknown>
  if (typeof sub !== 'string' || typeof jti !== 'string') return undefined
  if (typeof iat !== 'number' || typeof exp !== 'number') return undefined
  return { accountId: sub, sessionId: jti, issuedAt: Math.round(iat * 1000), expiresAt: Math.round(exp * 1000) }
}

function equalInConstantTime(expected: string, given: string): boolean {
  const left = Buffer.from(expected)
  const right = Buffer.from(given)
  return left.length === right.length && timingSafeEqual(left, right)
}
