import { createSecretKey, type KeyObject } from 'node:crypto'
import type { PlayerTokens, ProofKey } from '@matchyard/core/ports'
import type { CryptoKey, JWK } from 'jose'
import { jose } from './jose'

/**
 * Most imported keys that are kept, because importing a key costs more than verifying a token. Above this number, the
 * key whose last use is longest ago is removed.
 */
const MAX_KEYS = 1_000

type Imported = Promise<CryptoKey | KeyObject | Uint8Array | undefined>

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Returns a `PlayerTokens` port. It verifies tokens that issuers (studios' backends and identity providers) have
 * signed, with the `jose` library.
 */
export function playerTokens(): PlayerTokens {
  const imported = new Map<string, Imported>()
  const keyFor = (key: ProofKey): Imported => {
    const name = nameOf(key)
    const known = imported.get(name) ?? importKey(key)
    imported.delete(name)
    imported.set(name, known)
    const [oldest] = imported.keys()
    if (imported.size > MAX_KEYS && oldest !== undefined) imported.delete(oldest)
    return known
  }
  return {
    read(token) {
      const [header, payload, signature, ...more] = token.split('.')
      if (header === undefined || payload === undefined || signature === undefined || more.length > 0) return undefined
      const texts = [header, payload].map(textOf)
      const [headerText, payloadText] = texts
      if (headerText === undefined || payloadText === undefined || !isBase64Url(signature)) return undefined
      return { header: headerText, payload: payloadText }
    },
    async verify(token, key) {
      const by = await keyFor(key)
      if (by === undefined) return false
      try {
        const { compactVerify } = await jose()
        await compactVerify(token, by, { algorithms: [key.algorithm] })
        return true
      } catch {
        return false
      }
    },
  }
}

const nameOf = (key: ProofKey): string =>
  'secret' in key
    ? `${key.algorithm} ${Buffer.from(key.secret).toString('base64url')}`
    : `${key.algorithm} ${JSON.stringify(key.jwk)}`

async function importKey(key: ProofKey): Imported {
  if ('secret' in key) return createSecretKey(key.secret)
  try {
    const { importJWK } = await jose()
    return await importJWK(key.jwk as JWK, key.algorithm)
  } catch {
    return undefined
  }
}

/**
 * Returns the text in a base64url part of a token. Returns undefined for an empty part, for any other spelling of the
 * same bytes, and for text that is not UTF-8.
 */
function textOf(part: string): string | undefined {
  if (!isBase64Url(part)) return undefined
  try {
    return utf8.decode(Buffer.from(part, 'base64url'))
  } catch {
    return undefined
  }
}

/**
 * `Buffer` ignores invalid characters. So a part is accepted only if `Buffer` would write the decoded bytes in the same
 * way.
 */
const isBase64Url = (part: string): boolean =>
  part.length > 0 && Buffer.from(part, 'base64url').toString('base64url') === part
