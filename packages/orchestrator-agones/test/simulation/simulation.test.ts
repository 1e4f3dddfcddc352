import { describe, expect, it } from 'vitest'
import { describeFailure, simulate } from './simulate'

/** Runs; `npm run prove:agones-simulation` asks for more. */
const runs = Number(process.env.MATCHYARD_SIMULATIONS ?? 200)
/** The first seed: any other number gives other runs. */
const firstSeed = Number(process.env.MATCHYARD_SEED ?? 1)
const CHUNK = 20

const chunks = Array.from({ length: Math.ceil(runs / CHUNK) }, (_, chunk) => firstSeed + chunk * CHUNK)

describe('whatever happens between the service and the cluster', () => {
  it.each(chunks)(
    'every invariant holds in the runs of seed %i and the next ones',
    { timeout: 600_000 },
    async (from) => {
      for (let seed = from; seed < Math.min(from + CHUNK, firstSeed + runs); seed++) {
        const { failure } = await simulate({ seed, nodes: 1 + (seed % 2) })
        if (failure !== undefined) expect.fail(describeFailure(failure))
      }
    },
  )
})
