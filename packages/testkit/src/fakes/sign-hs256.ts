import { createHmac } from 'node:crypto'

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Returns a JWT in compact form, signed with HMAC-SHA-256. */
export function signHs256(key: Uint8Array, claims: object, header: object = {}): string {
  const signed = `${part({ alg: 'HS256', typ: 'JWT', ...header })}.${part(claims)}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}
