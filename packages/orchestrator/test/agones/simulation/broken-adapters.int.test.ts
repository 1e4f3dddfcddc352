import { afterAll, expect, test } from 'vitest'
import { BROKEN_ADAPTERS } from './broken-adapters'
import type { TroubleKind } from './commands'
import { dies, diesWithTwo, liveOnce, MOST_PLACES, type Strike } from './one-life'
import { packAtOnce } from './packing'
import { simulate } from './simulate'

afterAll(packAtOnce())

/* Tests that the simulation finds mistakes: in each test, the adapter contains a known mistake. */

/** Seeds that are known to find a mistake; they are tried first. */
const SEEN: Readonly<Record<string, number>> = {
  'a look trusts what the watch told': 33,
  'earlier attempts are not put away': 59,
  'an error in a watch is taken for a sign of life': 27,
  'a launch takes one that waits without a claim': 4,
  'one that waited is told before it is claimed': 4,
  'what was made beside the one that is claimed stays': 11,
  'a fleet that nobody wants goes with those that play': 16,
  'those that play count for nothing': 4,
}
const MOST_SEEDS = 60
/** Troubles for a mistake that few of all troubles reveal. */
const MOST_OFTEN: Readonly<Record<string, readonly TroubleKind[]>> = {
  'what was made beside the one that is claimed stays': [
    ...(['lossy', 'allocate twice', 'allocations fail', 'kill', 'silent', 'behind'] as const),
  ],
}
/** Mistakes that random runs find only once in thousands. A death at each point of one launch finds them at once. */
const BY_EVERY_POINT: Readonly<Record<string, { readonly strike: Strike; readonly warm: boolean }>> = {
  'a launch that was cut off is taken for whole': { strike: dies, warm: false },
  'of two claims for one launch the later one counts': { strike: diesWithTwo, warm: true },
  'what is half put away is told as one that is about to begin': { strike: dies, warm: true },
}

async function foundByChance(name: string): Promise<string | undefined> {
  const others = Array.from({ length: MOST_SEEDS }, (_, index) => index + 1)
  for (const seed of [SEEN[name] ?? 1, ...others]) {
    const troubles = MOST_OFTEN[name]
    const world = troubles === undefined ? { nodes: 1 + (seed % 2) } : { nodes: 2, warm: true, troubles }
    const { failure } = await simulate({ seed, ...world, shrinkTries: 0 })
    if (failure !== undefined) return failure.invariant
  }
  return undefined
}

async function foundByEveryPoint(name: string): Promise<string | undefined> {
  const how = BY_EVERY_POINT[name]
  if (how === undefined) return undefined
  for (let place = 0; place < MOST_PLACES; place++) {
    try {
      if (!(await liveOnce(place, how.strike, how.warm))) return undefined
    } catch (error) {
      return String(error)
    }
  }
  return undefined
}

test.each(Object.entries(BROKEN_ADAPTERS))('where %s, a run fails', { timeout: 300_000 }, async (name, breakIt) => {
  const mend = breakIt()
  try {
    const found = name in BY_EVERY_POINT ? foundByEveryPoint(name) : foundByChance(name)
    expect(await found).toBeDefined()
  } finally {
    mend()
  }
})

test('a seed gives the same run, however often', async () => {
  const [one, again] = [await simulate({ seed: 5, nodes: 2 }), await simulate({ seed: 5, nodes: 2 })]
  expect(one.failure).toBeUndefined()
  expect([...again.outcomes]).toEqual([...one.outcomes])
  expect(one.outcomes.get('server running')).toBeGreaterThan(0)
})
