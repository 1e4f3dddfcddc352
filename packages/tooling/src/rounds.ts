/** How many rounds of a must-show to run: a tenth of the full count, unless MATCHYARD_PROVE says how many. */
export function rounds(full: number): number {
  return Number(process.env.MATCHYARD_PROVE ?? Math.ceil(full / 10))
}

/** A small generator with a seed that is printed, so that what failed can be run again (mulberry32). */
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
