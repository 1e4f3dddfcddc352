import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto'
import type { JoinGrant, SessionClaims, Tokens } from '@matchyard/core/ports'
import { signHs256 } from './sign-hs256'

/**
 * Makes and verifies tokens with real hashes and signatures and a known secret. A session token consists of its claims
 * and a signature.
 */
export class FakeTokens implements Tokens {
  constructor(private readonly secret = 'a secret for tests') {}

  hash(text: string): string {
    return createHash('sha256').update(text, 'utf8').digest('hex')
  }

  sign(purpose: string, text: string): string {
    return createHmac('sha256', this.secret).update(`${purpose}\n${text}`, 'utf8').digest('base64url')
  }

  signEach(purpose: string, text: string): readonly string[] {
    return [this.sign(purpose, text)]
  }

  signWith(key: string, text: string): string {
    return createHmac('sha256', Buffer.from(key, 'base64')).update(text, 'utf8').digest('base64')
  }

  verify(purpose: string, text: string, signature: string): boolean {
    return this.sign(purpose, text) === signature
  }

  derive(purpose: string, text: string): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', this.secret, 'a fake', `${purpose}\n${text}`, 32))
  }

  deriveEach(purpose: string, text: string): readonly Uint8Array[] {
    return [this.derive(purpose, text)]
  }

  /** Encrypts with a nonce that depends on the text only, so that a simulation repeats exactly. */
  seal(key: Uint8Array, text: string, about: string): string {
    const nonce = Buffer.from(this.hash(`${about}\n${text}`), 'hex').subarray(0, 12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about))
    return [nonce, Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]), cipher.getAuthTag()]
      .map((bytes) => bytes.toString('base64url'))
      .join('.')
  }

  unseal(key: Uint8Array, sealed: string, about: string): string | undefined {
    const [nonce, text, tag] = sealed.split('.').map((part) => Buffer.from(part, 'base64url'))
    if (nonce === undefined || text === undefined || tag === undefined) return undefined
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about)).setAuthTag(tag)
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
    } catch {
      return undefined
    }
  }

  /** Returns a real JWT, so that game servers in tests verify the join token in the same way as in production. */
  async issueJoinToken(key: Uint8Array, grant: JoinGrant): Promise<string> {
    const { matchId: aud, playerId: sub, instanceId, team, role, issuedAt, expiresAt } = grant
    const times = { iat: issuedAt / 1000, exp: expiresAt / 1000 }
    return signHs256(key, { aud, sub, instance_id: instanceId, team, role, ...times })
  }

  async issueSession({ accountId, sessionId, issuedAt, expiresAt }: SessionClaims): Promise<string> {
    const claims = JSON.stringify({ accountId, sessionId, issuedAt, expiresAt })
    const body = Buffer.from(claims, 'utf8').toString('base64url')
    return `fake.${body}.${this.sign('session', body)}`
  }

  async readSession(token: string): Promise<SessionClaims | undefined> {
    const [head, body, signature, ...rest] = token.split('.')
    if (head !== 'fake' || body === undefined || signature === undefined || rest.length > 0) return undefined
    if (!this.verify('session', body, signature)) return undefined
    return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as SessionClaims
  }
}
