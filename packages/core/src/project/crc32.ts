const POLYNOMIAL = 0xedb88320

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1
  return rest
})

/** Returns the CRC-32 (ISO-HDLC, as in ZIP and PNG) of an ASCII text as an unsigned number. */
export function crc32(ascii: string): number {
  let sum = 0xffffffff
  for (let i = 0; i < ascii.length; i++) sum = (sum >>> 8) ^ (TABLE[(sum ^ ascii.charCodeAt(i)) & 0xff] ?? 0)
  return (sum ^ 0xffffffff) >>> 0
}
