import { createHash, createHmac } from 'node:crypto'
import type { SessionClaims, Tokens } from '@matchyard/core/ports'

/** Real hashes and signatures over a known secret; a session token is its claims and a signature. */
export class FakeTokens implements Tokens {
  constructor(private readonly secret = 'a secret for tests') {}

  hash(text: string): string {
    return createHash('sha256').update(text, 'utf8').digest('hex')
  }

  sign(purpose: string, text: string): string {
    return createHmac('sha256', this.secret).update(`${purpose}\n${text}`, 'utf8').digest('base64url')
  }

  signWith(key: string, text: string): string {
    return createHmac('sha256', Buffer.from(key, 'base64')).update(text, 'utf8').digest('base64')
  }

  verify(purpose: string, text: string, signature: string): boolean {
    return this.sign(purpose, text) === signature
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
