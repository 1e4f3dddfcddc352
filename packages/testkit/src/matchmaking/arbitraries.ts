import type { MatchmakingConfig, MatchRule, Ticket, TicketPlayer } from '@matchyard/matchmaking'
import { validateConfig } from '@matchyard/matchmaking'
import fc from 'fast-check'
import { NAMES, recentAt } from './recent'

/** Time of the ticks in generated pools (milliseconds). The number is small, so that failing cases are easy to read. */
export const POOL_NOW = 60_000

const expansions = (step: fc.Arbitrary<object>) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.tuple(step).map(([only]) => [{ afterSeconds: 20, ...only }]) },
    {
      weight: 1,
      arbitrary: fc.tuple(step).map(([first]) => [
        { afterSeconds: 10, ...first },
        { afterSeconds: 40, off: true },
      ]),
    },
  )
const offLater = fc.constantFrom([], [], [{ afterSeconds: 30, off: true }])
const required = fc.constantFrom(undefined, undefined, undefined, true)

const difference = fc
  .record({ bound: fc.integer({ min: 0, max: 12 }), more: fc.integer({ min: 0, max: 20 }) })
  .chain(({ bound, more }) =>
    fc.record({
      type: fc.constant('difference' as const),
      field: fc.constant('mmr'),
      maxDifference: fc.constant(bound),
      required,
      expansions: expansions(fc.constant({ maxDifference: bound + more })),
    }),
  )
const secondDifference = fc.record({
  type: fc.constant('difference' as const),
  field: fc.constant('rank'),
  maxDifference: fc.integer({ min: 1, max: 4 }),
})
const equals = fc.record({
  type: fc.constant('equals' as const),
  field: fc.constant('mode'),
  required,
  expansions: offLater,
})
const region = fc.integer({ min: 1, max: 2 }).chain((minOverlap) =>
  fc.record({
    type: fc.constant('region' as const),
    field: fc.constant('regions'),
    minOverlap: fc.constant(minOverlap),
    expansions: expansions(fc.constant({ minOverlap: 1 })),
  }),
)
const latency = fc.record({
  type: fc.constant('latency' as const),
  field: fc.constant('pings'),
  maxMs: fc.integer({ min: 20, max: 80 }),
  expansions: expansions(fc.constant({ maxMs: 120 })),
})
const intersection = fc.record({
  type: fc.constant('intersection' as const),
  field: fc.constant('maps'),
  minOverlap: fc.constantFrom(1, 1, 2),
  expansions: offLater,
})
const notEquals = fc.record({
  type: fc.constant('not_equals' as const),
  field: fc.constant('clan'),
  expansions: offLater,
})
const min = fc.record({
  type: fc.constant('min' as const),
  field: fc.constant('rank'),
  value: fc.integer({ min: 0, max: 2 }),
  expansions: offLater,
})
const max = fc.record({
  type: fc.constant('max' as const),
  field: fc.constant('rank'),
  value: fc.integer({ min: 2, max: 6 }),
  expansions: offLater,
})
const teamDifference = fc.record({
  type: fc.constant('team_difference' as const),
  field: fc.constant('mmr'),
  maxDifference: fc.integer({ min: 0, max: 10 }),
  expansions: offLater,
})

const avoid = fc.record(
  {
    type: fc.constant('avoid' as const),
    field: fc.constant('avoid'),
    scope: fc.constantFrom('match' as const, 'team' as const),
    expansions: offLater,
  },
  { requiredKeys: ['type'] },
)
const recentOpponents = fc.integer({ min: 2, max: 50 }).chain((seconds) =>
  fc.record({
    type: fc.constant('recent_opponents' as const),
    seconds: fc.constant(seconds),
    scope: fc.constantFrom(undefined, 'opponents' as const, 'anyone' as const),
    expansions: expansions(fc.constant({ seconds: Math.ceil(seconds / 2) })),
  }),
)

/**
 * One fast-check arbitrary (a generator of random rules) for each rule type. A new rule type adds its arbitrary here.
 */
export const RULE_ARBITRARIES: Readonly<Record<MatchRule['type'], fc.Arbitrary<MatchRule>>> = {
  difference: fc.oneof(
    { weight: 3, arbitrary: difference },
    { weight: 1, arbitrary: secondDifference },
  ) as fc.Arbitrary<MatchRule>,
  equals: equals as fc.Arbitrary<MatchRule>,
  region: region as fc.Arbitrary<MatchRule>,
  latency: latency as fc.Arbitrary<MatchRule>,
  intersection: intersection as fc.Arbitrary<MatchRule>,
  not_equals: notEquals as fc.Arbitrary<MatchRule>,
  min: min as fc.Arbitrary<MatchRule>,
  max: max as fc.Arbitrary<MatchRule>,
  team_difference: teamDifference as fc.Arbitrary<MatchRule>,
  avoid: avoid as fc.Arbitrary<MatchRule>,
  recent_opponents: recentOpponents as fc.Arbitrary<MatchRule>,
}

const COMMON: readonly MatchRule['type'][] = ['difference', 'difference', 'equals', 'region']
const ALL = Object.keys(RULE_ARBITRARIES) as MatchRule['type'][]

const rules = (types: readonly MatchRule['type'][], most: number): fc.Arbitrary<MatchRule[]> =>
  fc
    .uniqueArray(fc.constantFrom(...types), { maxLength: most })
    .chain((chosen) => fc.tuple(...chosen.map((type) => RULE_ARBITRARIES[type])))

const common = {
  useVersionFromState: fc.constantFrom(false, false, true),
  expansionAge: fc.constantFrom('oldest' as const, 'newest' as const),
  partialAfterSeconds: fc.constantFrom(undefined, 0, 30),
  serverRegion: fc.constantFrom(undefined, null, 'fra'),
}

const symmetric = fc
  .record({ teams: fc.integer({ min: 1, max: 3 }), playersPerTeam: fc.integer({ min: 1, max: 3 }) })
  .chain(({ teams, playersPerTeam }) =>
    fc.record({
      teams: fc.constant(teams),
      playersPerTeam: fc.constant(playersPerTeam),
      minTeams: fc.constantFrom(undefined, undefined, 1, teams),
      minPlayersPerTeam: fc.constantFrom(undefined, undefined, 1, playersPerTeam),
      maxSizeDifference: fc.constantFrom(undefined, null, 0, 1),
    }),
  )
const COMPOSITIONS = [
  { monster: { monster: 1 }, hunters: { hunter: 2, medic: 1 } },
  { red: { tank: 1, any: 1 }, blue: { tank: 1, any: 1 } },
  { boss: { boss: 1 }, raid: { dps: 2 } },
] as const

/** Generates any valid configuration with small numbers. */
export const anyConfig: fc.Arbitrary<MatchmakingConfig> = fc
  .tuple(
    fc.oneof(
      { weight: 2, arbitrary: fc.constant({}) },
      { weight: 4, arbitrary: symmetric },
      { weight: 2, arbitrary: fc.constantFrom(...COMPOSITIONS).map((teamComposition) => ({ teamComposition })) },
    ),
    fc.record(common),
    fc.oneof(rules(COMMON, 3), rules(ALL, 4)),
  )
  .map(([shape, rest, ruleList]) => ({ ...shape, ...rest, rules: ruleList }) as MatchmakingConfig)
  .filter((config) => validateConfig(config).length === 0)

/**
 * Generates configurations for which a tick serves the best possible set of tickets: 1v1 with at most one difference
 * rule, one equals rule and one region rule, and the version.
 */
export const completePairConfig: fc.Arbitrary<MatchmakingConfig> = fc
  .tuple(
    fc.record(common),
    fc.subarray([difference, equals, region] as const).chain((list) => fc.tuple(...list)),
  )
  .map(([rest, ruleList]) => ({ ...rest, rules: ruleList }) as MatchmakingConfig)

/**
 * Generates configurations of larger matches for which a tick serves the best possible set of tickets: at most one
 * difference rule and one equals rule, and no region rule.
 */
export const completeGroupConfig: fc.Arbitrary<MatchmakingConfig> = fc
  .tuple(
    symmetric,
    fc.record(common),
    fc.subarray([difference, equals] as const).chain((list) => fc.tuple(...list)),
  )
  .map(([shape, rest, ruleList]) => ({ ...shape, ...rest, rules: ruleList }) as MatchmakingConfig)

const CODES = ['ams', 'fra', 'iad', 'sin'] as const
const ROLES = ['monster', 'hunter', 'medic', 'tank', 'any', 'boss', 'dps'] as const
const sometimes = <T>(arbitrary: fc.Arbitrary<T>, weight = 5): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight, arbitrary }, { weight: 1, arbitrary: fc.constant(undefined) })

const names = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  { weight: 4, arbitrary: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 8, maxLength: 14 }) },
)

/** Generates a player's state. Each field that a rule may read is missing in some states. */
export const anyState: fc.Arbitrary<TicketPlayer['state']> = fc
  .record({
    mmr: sometimes(fc.integer({ min: 0, max: 40 }), 12),
    rank: sometimes(fc.integer({ min: 0, max: 6 })),
    mode: sometimes(fc.constantFrom<unknown>('a', 'b', 1), 12),
    game_version: sometimes(fc.constantFrom('v1', 'v2'), 20),
    regions: sometimes(fc.uniqueArray(fc.constantFrom(...CODES), { minLength: 0, maxLength: 3 }), 12),
    maps: sometimes(fc.uniqueArray(fc.constantFrom('m1', 'm2', 'm3'), { minLength: 1, maxLength: 3 })),
    clan: sometimes(fc.constantFrom('c1', 'c2', 'c3', 'c4', 'c5')),
    pings: sometimes(fc.dictionary(fc.constantFrom(...CODES), fc.integer({ min: 5, max: 130 }))),
    role: fc.constantFrom(undefined, undefined, undefined, ...ROLES),
    roles: sometimes(fc.uniqueArray(fc.constantFrom(...ROLES), { minLength: 1, maxLength: 3 }), 2),
    avoid: fc.oneof({ weight: 40, arbitrary: names }, { weight: 1, arbitrary: fc.constantFrom<unknown>('p1.0', [7]) }),
  })
  .map((state) => Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined)))

export interface TicketOptions {
  readonly maxTickets: number
  readonly maxParty: number
  /** Whether one player may be in two tickets at the same time. */
  readonly sharedPlayers: boolean
}

/** Generates tickets with distinct ids; some tickets have the same age. */
export const anyTickets = ({ maxTickets, maxParty, sharedPlayers }: TicketOptions): fc.Arbitrary<Ticket[]> =>
  fc
    .array(
      fc.record({
        wait: fc.integer({ min: 0, max: 12 }).map((step) => step * 5_000),
        states: fc.array(fc.tuple(anyState, recentAt(POOL_NOW)), { minLength: 1, maxLength: maxParty, size: 'max' }),
        player: fc.integer({ min: 0, max: sharedPlayers ? maxTickets * 2 : 0 }),
        region: fc.constantFrom(undefined, 'ams'),
      }),
      { maxLength: maxTickets, size: 'max' },
    )
    .map((drafts) =>
      drafts.map(({ wait, states, player, region: code }, index) => ({
        id: `t${index}`,
        enteredAt: POOL_NOW - wait,
        players: states.map(([state, recent], seat) => ({
          playerId: sharedPlayers && seat === 0 ? `shared${player}` : `p${index}.${seat}`,
          state,
          ...(recent === undefined ? {} : { recent }),
        })),
        region: code,
      })),
    )
