/** Returns the text of UTF-8 bytes; undefined for invalid UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  const escaped = Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  try {
    return decodeURIComponent(escaped)
  } catch {
    return undefined
  }
}
