import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
/** Bytes of the nonce. Each text has a random one; the bytes of a key may be used for 2^32 texts. */
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Returns nonce, encrypted text and tag, in base64url. */
export function seal(key: Uint8Array, text: string, about: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(about))
  const encrypted = [cipher.update(text, 'utf8'), cipher.final()]
  return Buffer.concat([nonce, ...encrypted, cipher.getAuthTag()]).toString('base64url')
}

/** Returns the text; undefined when key, `about` and sealed text do not belong together. */
export function unseal(key: Uint8Array, sealed: string, about: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
  const end = bytes.length - TAG_BYTES
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  try {
    decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(end))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, end)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
