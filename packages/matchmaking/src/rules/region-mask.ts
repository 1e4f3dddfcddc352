import { REGIONS } from './regions'

/** Region codes in the order of their bits, which is their alphabetical order. */
export const REGION_CODES: readonly string[] = REGIONS

const BITS: ReadonlyMap<string, number> = new Map(REGION_CODES.map((code, index) => [code, 1 << index]))

export const ALL_REGIONS = (1 << REGION_CODES.length) - 1

/** Returns the bit of a region code; 0 for an unknown code. */
export const regionBit = (code: string): number => BITS.get(code) ?? 0

/** Returns the bits of region codes. Unknown codes are ignored, duplicates count once. */
export const regionMask = (codes: readonly string[]): number => {
  let mask = 0
  for (const code of codes) mask |= regionBit(code)
  return mask
}

export const popcount16 = (mask: number): number => {
  let v = mask - ((mask >> 1) & 0x5555)
  v = (v & 0x3333) + ((v >> 2) & 0x3333)
  v = (v + (v >> 4)) & 0x0f0f
  return (v + (v >> 8)) & 0x1f
}
