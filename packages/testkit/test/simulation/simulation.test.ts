import { describe, expect, it } from 'vitest'
import { describeFailure, simulate } from '../../src/simulation/index'

/** Runs per kind of world; `npm run prove:simulation` sets it, so that an ordinary test run does a small part. */
const runs = Number(process.env.MATCHYARD_SIMULATIONS ?? 60)
/** The first seed: any other number gives other runs. */
const firstSeed = Number(process.env.MATCHYARD_SEED ?? 1)
const CHUNK = 30

/** A calm world, some that fail, with ticks as commands and with loops, and one whose nodes go away. */
const WORLDS = [
  { name: 'one node, no faults', nodes: 1, faults: false, steps: 80 },
  { name: 'two nodes with loops of their own that fail', nodes: 2, faults: true, loop: true, steps: 80 },
  { name: 'one node that fails', nodes: 1, faults: true, steps: 120 },
  { name: 'three nodes that fail', nodes: 3, faults: true, steps: 120 },
  { name: 'three nodes with loops, of which some never come back', nodes: 3, loop: true, nodesGone: true, steps: 60 },
]

describe.each(WORLDS)('$name', (world) => {
  const chunks = Array.from({ length: Math.ceil(runs / CHUNK) }, (_, chunk) => firstSeed + chunk * CHUNK)

  it.each(chunks)(
    'keeps every invariant in the runs of seed %i and the next ones',
    { timeout: 600_000 },
    async (from) => {
      for (let seed = from; seed < Math.min(from + CHUNK, firstSeed + runs); seed++) {
        const { failure } = await simulate({ seed, ...world })
        if (failure !== undefined) expect.fail(describeFailure(failure))
      }
    },
  )
})
