/** Returns the number of rounds of a randomized test: a tenth of the full count, or the number in MATCHYARD_PROVE. */
export function rounds(full: number): number {
  return Number(process.env.MATCHYARD_PROVE ?? Math.ceil(full / 10))
}

/**
 * Returns a small random generator (mulberry32) and its seed. The seed is printed, so that a failed run can be
 * repeated.
 */
export function seeded(seed = Number(process.env.MATCHYARD_SEED ?? Date.now() % 2 ** 31)): {
  seed: number
  next: () => number
} {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { seed, next }
}
