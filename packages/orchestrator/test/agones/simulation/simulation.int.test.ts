import { afterAll, describe, expect, it } from 'vitest'
import { TROUBLE_KINDS } from './commands'
import { packAtOnce } from './packing'
import { describeFailure, simulate } from './simulate'
import { SEEN } from './world'

afterAll(packAtOnce())

/** Number of runs; `npm run prove -- agones-simulation` asks for more. */
const runs = Number(process.env.MATCHYARD_SIMULATIONS ?? 200)
/** First seed; another number gives other runs. */
const firstSeed = Number(process.env.MATCHYARD_SEED ?? 1)
const CHUNK = 20
/** Number of runs after which every kind of outcome has occurred. */
const ENOUGH_RUNS = 200

const chunks = Array.from({ length: Math.ceil(runs / CHUNK) }, (_, chunk) => firstSeed + chunk * CHUNK)
/** Outcomes of the actions of players and studios, with or without troubles. */
const DEEDS = ['match running', 'match ended', 'server running', 'restart ok', 'one that waited was told']

/** Outcomes of all runs together. */
const outcomes = new Map<string, number>()
let seen = 0

describe('whatever happens between the service and the cluster', () => {
  it.each(chunks)(
    'every invariant holds in the runs of seed %i and the next ones',
    { timeout: 600_000 },
    async (from) => {
      for (let seed = from; seed < Math.min(from + CHUNK, firstSeed + runs); seed++) {
        const { failure, outcomes: its } = await simulate({ seed, nodes: 1 + (seed % 2) })
        if (failure !== undefined) expect.fail(describeFailure(failure))
        for (const [outcome, count] of its) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count)
      }
      seen += 1
    },
  )

  // A trouble that never happens proves nothing.
  it.runIf(runs >= ENOUGH_RUNS)('every kind of trouble has come about', (context) => {
    if (seen < chunks.length) context.skip('not all runs were made')
    const wanted = [...TROUBLE_KINDS.map((kind) => `trouble: ${kind}`), ...Object.values(SEEN), ...DEEDS]
    expect(wanted.filter((one) => (outcomes.get(one) ?? 0) === 0)).toEqual([])
  })
})
