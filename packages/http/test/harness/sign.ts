import { createHmac, type KeyObject, sign as signBytes } from 'node:crypto'

const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** A JWS as anybody might make it: header and payload as they are given, signed by that key; a text is taken letter by letter. */
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
