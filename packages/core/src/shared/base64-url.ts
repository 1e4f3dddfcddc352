const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Returns bytes as base64url without padding (RFC 4648, section 5): four digits for three bytes. */
export function base64Url(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(i, i + 3)
    const bits = (a << 16) | (b << 8) | c
    const digits = Math.min(4, bytes.length - i + 1)
    for (let at = 0; at < digits; at++) text += DIGITS[(bits >> (18 - 6 * at)) & 63]
  }
  return text
}
