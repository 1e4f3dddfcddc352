import { createHmac, createPublicKey, type JsonWebKey, verify as verifySignature } from 'node:crypto'
import type { PlayerTokens, ProofKey } from '@matchyard/core/ports'

/**
 * Verifies the signatures of player tokens, without caches, in little code. In production, use the adapter in
 * `@matchyard/node`.
 */
export class FakePlayerTokens implements PlayerTokens {
  read(token: string): { header: string; payload: string } | undefined {
    const parts = token.split('.')
    const [header, payload] = parts.map((part) => Buffer.from(part, 'base64url').toString('utf8'))
    return parts.length === 3 && header !== undefined && payload !== undefined ? { header, payload } : undefined
  }

  async verify(token: string, key: ProofKey): Promise<boolean> {
    const end = token.lastIndexOf('.')
    const [signed, signature] = [token.slice(0, end), token.slice(end + 1)]
    if ('secret' in key) return createHmac('sha256', key.secret).update(signed).digest('base64url') === signature
    try {
      const publicKey = createPublicKey({ key: key.jwk as JsonWebKey, format: 'jwk' })
      const asJose = { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
      const hash = key.algorithm === 'EdDSA' ? null : 'sha256'
      return verifySignature(hash, Buffer.from(signed), asJose, Buffer.from(signature, 'base64url'))
    } catch {
      return false
    }
  }
}
