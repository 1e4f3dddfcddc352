import { createHmac, type KeyObject, sign as signBytes } from 'node:crypto'

const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/**
 * Returns a JWS with any header and payload, signed with the key. A text is used as given, without JSON. Without a key
 * the signature is empty.
 */
export function jws(header: unknown, payload: unknown, key: KeyObject | Buffer | string | undefined): string {
  const signed = `${part(header)}.${part(payload)}`
  return `${signed}.${signatureOf(signed, key)}`
}

function signatureOf(text: string, key: KeyObject | Buffer | string | undefined): string {
  if (key === undefined) return ''
  if (typeof key === 'string' || Buffer.isBuffer(key)) return createHmac('sha256', key).update(text).digest('base64url')
  const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  return signBytes(hash, Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
}
