import { expect, test } from 'vitest'
import { BROKEN_ADAPTERS } from './broken-adapters'
import type { TroubleKind } from './commands'
import { dies, launchAndStop, MOST_PLACES } from './one-launch'
import { simulate } from './simulate'

/* The simulation is worth what it finds: here the adapter has a mistake. */

/** A seed that was seen to find it is tried first. */
const SEEN: Readonly<Record<string, number>> = {
  'a name that is taken is not looked for': 7,
  'a look trusts what the watch told': 9,
  'earlier attempts are not put away': 59,
  'an error in a watch is not heard': 7,
  'of two claims for one launch the later one counts': 42,
  'what was made beside the one that is claimed stays': 17,
  'those that play count for nothing': 4,
}
const MOST_SEEDS = 60
/** Where the troubles that a mistake is found by are few among all. */
const MOST_OFTEN: Readonly<Record<string, readonly TroubleKind[]>> = {
  'of two claims for one launch the later one counts': [
    ...(['lossy', 'allocate twice', 'stranger', 'kill', 'contention'] as const),
    ...(['delete game server', 'delete pod', 'agones away'] as const),
  ],
  'what was made beside the one that is claimed stays': [
    ...(['lossy', 'allocate twice', 'allocations fail', 'kill', 'silent', 'behind'] as const),
  ],
}
/** By chance these take thousands of runs; a death at each point of one launch finds them at once. */
const BY_EVERY_POINT = ['a launch that was cut off is taken for whole']

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

async function foundByEveryPoint(): Promise<string | undefined> {
  for (let place = 0; place < MOST_PLACES; place++) {
    try {
      if (!(await launchAndStop(place, dies))) return undefined
    } catch (error) {
      return String(error)
    }
  }
  return undefined
}

test.each(Object.entries(BROKEN_ADAPTERS))('where %s, a run fails', { timeout: 300_000 }, async (name, breakIt) => {
  const mend = breakIt()
  try {
    const found = BY_EVERY_POINT.includes(name) ? foundByEveryPoint() : foundByChance(name)
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
