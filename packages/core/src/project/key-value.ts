import type { ApiKeyType } from './api-key'
import { crc32 } from './crc32'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Number of random characters of a key. 30 characters of base 62 have 178 bits. */
const RANDOM_LENGTH = 30
const CHECKSUM_LENGTH = 6
const PREFIXES = { client: 'ck_live_', server: 'sk_live_' } as const satisfies Record<ApiKeyType, string>
const SHAPE = /^[cs]k_live_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/**
 * Returns a new key value: prefix, random characters, checksum (docs/http-api.md §2). `int(n)` returns a number from 0 to n-1, uniformly
 * distributed and from a cryptographic source.
 */
export function drawKeyValue(type: ApiKeyType, int: (below: number) => number): string {
  let random = ''
  for (let i = 0; i < RANDOM_LENGTH; i++) random += BASE62[int(BASE62.length)]
  return PREFIXES[type] + random + checksumOf(random)
}

/** Whether a text has the form and the checksum of a key. A mistyped or incomplete key is thus refused without reading the storage. */
export function isKeyValue(text: string): boolean {
  const [, random, checksum] = SHAPE.exec(text) ?? []
  return random !== undefined && checksumOf(random) === checksum
}

/** Returns the CRC-32 in base 62, most significant digit first, padded with zeros. */
function checksumOf(random: string): string {
  let rest = crc32(random)
  let digits = ''
  while (rest > 0) {
    digits = `${BASE62[rest % 62]}${digits}`
    rest = Math.floor(rest / 62)
  }
  return digits.padStart(CHECKSUM_LENGTH, '0')
}
