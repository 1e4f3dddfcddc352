import { createSecretKey, type KeyObject } from 'node:crypto'
import type { PlayerTokens, ProofKey } from '@matchyard/core/ports'
import type { CryptoKey, JWK } from 'jose'
import { jose } from './jose'

/** Imported keys that are kept: importing one costs more than verifying with it. Past it the one that was not used for the longest goes. */
const MAX_KEYS = 1_000

type Imported = Promise<CryptoKey | KeyObject | Uint8Array | undefined>

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Verifies what players' issuers have signed, by `jose`. */
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

/** Text in base64url, spelled in the one way there is; an empty part is none. */
function textOf(part: string): string | undefined {
  if (!isBase64Url(part)) return undefined
  try {
    return utf8.decode(Buffer.from(part, 'base64url'))
  } catch {
    return undefined
  }
}

/** Buffer passes over what it does not know: only what it would write itself is taken. */
const isBase64Url = (part: string): boolean =>
  part.length > 0 && Buffer.from(part, 'base64url').toString('base64url') === part
