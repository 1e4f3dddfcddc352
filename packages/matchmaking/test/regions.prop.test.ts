import { POOL_NOW, RULE_ARBITRARIES, regionOf } from '@matchyard/testkit/matchmaking'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findMatches, type MatchmakingConfig, type Ticket } from '../src/index'
import { PATIENCE, rounds } from './rounds'

const CODES = ['sin', 'fra', 'ams', 'iad', 'nowhere'] as const

const rules = fc
  .subarray(['region', 'latency'] as const)
  .chain((types) => fc.tuple(...types.map((type) => RULE_ARBITRARIES[type])))
const config: fc.Arbitrary<MatchmakingConfig> = fc.record({
  rules,
  teams: fc.constantFrom(2, 3),
  playersPerTeam: fc.constantFrom(1, 2),
  minPlayersPerTeam: fc.constant(1),
  partialAfterSeconds: fc.constant(0),
  expansionAge: fc.constantFrom('oldest' as const, 'newest' as const),
  serverRegion: fc.constantFrom(undefined, null, 'fra', 'syd'),
  servedRegions: fc.constantFrom(undefined, undefined, ['fra'], ['sin', 'ams'], ['iad', 'fra', 'ams']),
  unservedRegions: fc.boolean(),
})
/** Only two different pings, so that several regions are often equally near. */
const state = fc.record(
  {
    regions: fc.oneof(
      { weight: 8, arbitrary: fc.shuffledSubarray([...CODES], { minLength: 2 }) },
      { weight: 1, arbitrary: fc.constantFrom<unknown>(null, ['fra', 1], 'fra') },
    ),
    pings: fc.oneof(
      { weight: 8, arbitrary: fc.dictionary(fc.constantFrom(...CODES), fc.constantFrom(10, 20), { minKeys: 3 }) },
      { weight: 1, arbitrary: fc.constantFrom<unknown>(null, { fra: 'near' }) },
    ),
  },
  { requiredKeys: [] },
)
const tickets: fc.Arbitrary<Ticket[]> = fc
  .array(
    fc.record({
      wait: fc.constantFrom(0, 15_000, 30_000, 45_000),
      states: fc.array(state, { minLength: 1, maxLength: 2 }),
      region: fc.constantFrom(undefined, null, 'lhr', 'ams'),
    }),
    { minLength: 2, maxLength: 4 },
  )
  .map((drafts) =>
    drafts.map(({ wait, states, region }, index) => ({
      id: `t${index}`,
      enteredAt: POOL_NOW - wait,
      players: states.map((own, seat) => ({ playerId: `p${index}.${seat}`, state: own })),
      region,
    })),
  )

test(
  'a match starts in the region that an independent reading of the documentation comes to, also where several are as good',
  () => {
    fc.assert(
      fc.property(config, tickets, (given, waiting) => {
        for (const { ticketIds, region } of findMatches(given, waiting, POOL_NOW)) {
          const members = waiting.filter(({ id }) => ticketIds.includes(id))
          expect(region).toBe(regionOf(given, members, POOL_NOW))
        }
      }),
      { numRuns: rounds },
    )
  },
  PATIENCE,
)
