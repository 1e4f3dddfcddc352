import type { ApiKeyType } from './api-key'
import { crc32 } from './crc32'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Number of random characters of a key. 30 characters of base 62 have 178 bits. */
const RANDOM_LENGTH = 30
const CHECKSUM_LENGTH = 6
const PREFIXES = { client: 'ck_live_', server: 'sk_live_' } as const satisfies Record<ApiKeyType, string>
const SHAPE = /^[cs]k_live_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/** Function that returns a number from 0 to `below` - 1, uniformly distributed and from a cryptographic source. */
export type DrawsNumber = (below: number) => number

/** Returns the value of a new key (docs/http-api.md §2). */
export const drawKeyValue = (type: ApiKeyType, int: DrawsNumber): string => drawValue(PREFIXES[type], int)

/** Returns the value of a new credential: prefix, random characters, checksum. */
export function drawValue(prefix: string, int: DrawsNumber): string {
  let random = ''
  for (let i = 0; i < RANDOM_LENGTH; i++) random += BASE62[int(BASE62.length)]
  return prefix + random + checksumOf(random)
}

/**
 * Whether a text has the form and the checksum of a key, or of another credential whose shape has groups for the random characters and the
 * checksum. A mistyped or incomplete credential is thus refused without reading the storage.
 */
export function isKeyValue(text: string, shape: RegExp = SHAPE): boolean {
  const [, random, checksum] = shape.exec(text) ?? []
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
