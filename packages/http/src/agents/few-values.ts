import { requestFault } from '../wire/issue-path'

/**
 * Maximum number of commas and opening brackets in a body. It bounds the number of values, which cost far more time than
 * their bytes: five megabytes of empty objects would keep the process busy for a second.
 */
export const MAX_BODY_SIGNS = 200_000
const [COMMA, BRACKET, BRACE] = [0x2c, 0x5b, 0x7b]

/** Throws `VALIDATION_FAILED` for JSON with too many values. */
export function requireFewValues(bytes: Uint8Array): void {
  let signs = 0
  for (const byte of bytes) if (byte === COMMA || byte === BRACKET || byte === BRACE) signs++
  if (signs <= MAX_BODY_SIGNS) return
  throw requestFault([{ path: '', message: `has more than ${MAX_BODY_SIGNS} commas and opening brackets` }])
}
