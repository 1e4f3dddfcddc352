import type { FieldDraw } from '../rules/value-kind'

/**
 * Returns a random generator of numbers from 0 to 1 with a seed (mulberry32). The same seed gives the same numbers on
 * every machine.
 */
export function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns a function that draws a random key of `weights`: a key with twice the weight is drawn twice as often. */
export function weighted(weights: Readonly<Record<string, number>>): (random: () => number) => string {
  const entries = Object.entries(weights)
  const total = entries.reduce((sum, [, weight]) => sum + weight, 0)
  return (random) => {
    let rest = random() * total
    for (const [key, weight] of entries) {
      rest -= weight
      if (rest < 0) return key
    }
    return entries.at(-1)?.[0] ?? ''
  }
}

/**
 * Returns a random number of seconds until the next arrival, for independent arrivals at an average of `rate` per
 * second.
 */
export const exponential = (random: () => number, rate: number): number => -Math.log(1 - random()) / rate

type Draw = (random: () => number) => unknown

/** Returns a function that draws a player's state with these fields. */
export function stateDraw(
  fields: Readonly<Record<string, FieldDraw>>,
): (random: () => number) => Record<string, unknown> {
  const draws = Object.entries(fields).map(([field, draw]) => [field, drawOf(draw)] as const)
  return (random) => Object.fromEntries(draws.map(([field, draw]) => [field, draw(random)]))
}

function drawOf(draw: FieldDraw): Draw {
  if ('constant' in draw) return () => draw.constant
  if ('choice' in draw) return weighted(draw.choice)
  if ('some' in draw) return someOf(draw)
  if ('uniform' in draw) return (random) => draw.uniform.min + random() * (draw.uniform.max - draw.uniform.min)
  const { mean, deviation } = draw.normal
  const [min, max] = [draw.min ?? Number.NEGATIVE_INFINITY, draw.max ?? Number.POSITIVE_INFINITY]
  return (random) => Math.min(max, Math.max(min, Math.round(mean + deviation * standardNormal(random))))
}

/**
 * Returns a random number of the normal distribution with mean 0 and deviation 1 (Box-Muller method, which gives two
 * values; this function uses one of them).
 */
export const standardNormal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

function someOf(draw: Extract<FieldDraw, { readonly some: unknown }>): Draw {
  const count = weighted(draw.count)
  return (random) => {
    const left = { ...draw.some }
    const drawn: string[] = []
    const wanted = Math.min(Number(count(random)), Object.keys(left).length)
    while (drawn.length < wanted) {
      const key = weighted(left)(random)
      drawn.push(key)
      delete left[key]
    }
    return drawn
  }
}
