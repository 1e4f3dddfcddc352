import { type MatchmakingConfig, type MatchRule, type Ticket, validateConfig } from '@matchyard/matchmaking'
import fc from 'fast-check'
import { anyState, POOL_NOW, RULE_ARBITRARIES } from './arbitraries'
import { recentAt } from './recent'

/** A pool that is small enough for an exhaustive search. */
export interface SmallPool {
  readonly config: MatchmakingConfig
  readonly tickets: readonly Ticket[]
}

/** Most tickets of a small pool. */
const MOST_TICKETS = 12
/** Most players of a full match, because the exhaustive search tries every seating. */
const MOST_PLAYERS = 12
const ROLES = ['tank', 'healer', 'dps', 'flex'] as const

const atMost = (value: number) => fc.constantFrom(undefined, undefined, 1, Math.ceil(value / 2), value)

const teamsOf = (teams: fc.Arbitrary<number>, players: fc.Arbitrary<number>): fc.Arbitrary<MatchmakingConfig> =>
  fc
    .tuple(teams, players)
    .filter(([count, size]) => count * size <= MOST_PLAYERS)
    .chain(([count, size]) =>
      fc.record({
        teams: fc.constant(count),
        playersPerTeam: fc.constant(size),
        minTeams: atMost(count),
        minPlayersPerTeam: atMost(size),
        maxSizeDifference: fc.constantFrom(undefined, null, 0, 1, 2),
      }),
    )

const team = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...ROLES), fc.integer({ min: 1, max: 2 })), {
    minLength: 1,
    maxLength: 3,
    selector: ([role]) => role,
  })
  .map((places) => Object.fromEntries(places))
const composition = fc.oneof(
  fc.array(team, { minLength: 1, maxLength: 3 }),
  // In this branch, several teams have the same roles.
  fc.tuple(team, fc.integer({ min: 2, max: 3 })).map(([one, count]) => new Array<typeof one>(count).fill(one)),
)

const shape: fc.Arbitrary<MatchmakingConfig> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: teamsOf(fc.constant(1), fc.integer({ min: 1, max: 8 })) },
  { weight: 5, arbitrary: teamsOf(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 1, max: 5 })) },
  { weight: 2, arbitrary: teamsOf(fc.integer({ min: 4, max: 12 }), fc.integer({ min: 1, max: 2 })) },
  {
    weight: 5,
    arbitrary: composition
      .map((teams) => ({ teamComposition: Object.fromEntries(teams.map((places, index) => [`side${index}`, places])) }))
      .filter(({ teamComposition }) => sizeOf(teamComposition) <= MOST_PLAYERS),
  },
)

function sizeOf(teams: Readonly<Record<string, Readonly<Record<string, number>>>>): number {
  return Object.values(teams)
    .flatMap((places) => Object.values(places))
    .reduce((sum, count) => sum + count, 0)
}

const rules: fc.Arbitrary<MatchRule[]> = fc.array(fc.oneof(...Object.values(RULE_ARBITRARIES)), { maxLength: 5 })

export const anyShape: fc.Arbitrary<MatchmakingConfig> = fc
  .record({
    teams: shape,
    rules,
    useVersionFromState: fc.constantFrom(false, false, false, true),
    expansionAge: fc.constantFrom('oldest' as const, 'newest' as const),
    partialAfterSeconds: fc.constantFrom(undefined, 0, 30),
  })
  .map(({ teams, ...rest }) => ({ ...teams, ...rest }))
  .filter((config) => validateConfig(config).length === 0)

/**
 * Generates a player's state as `anyState` does, but more often with common values, so that many matches are possible.
 */
export const closeState = fc
  .record({ own: anyState, roles: fc.subarray([...ROLES]), close: fc.boolean(), any: fc.boolean() })
  .map(({ own, roles, close, any }) => {
    const { role: _, roles: __, ...rest } = own
    const wishes = any || roles.length === 0 ? rest : { ...rest, roles }
    return close && typeof wishes.mmr === 'number'
      ? { ...wishes, mmr: wishes.mmr % 10, mode: 'a', regions: ['fra', 'ams'] }
      : wishes
  })

const closePlayer = fc.tuple(closeState, recentAt(POOL_NOW))

export const ticketsFor = (config: MatchmakingConfig, fewest: number, most = MOST_TICKETS): fc.Arbitrary<Ticket[]> => {
  const teams = Object.values(config.teamComposition ?? {}).map((places) => sizeOf({ places }))
  const largest = Math.min(3, config.teamComposition ? Math.max(...teams) : (config.playersPerTeam ?? 1))
  const ticket = fc.record({
    waited: fc.integer({ min: 0, max: 12 }).map((step) => step * 5_000),
    // Single players are generated more often than parties, as in real queues.
    states: fc.oneof(
      { weight: 2, arbitrary: fc.tuple(closePlayer) },
      { weight: 1, arbitrary: fc.array(closePlayer, { minLength: 1, maxLength: largest, size: 'max' }) },
    ),
    twice: fc.integer({ min: 0, max: 40 }),
  })
  return fc.array(ticket, { minLength: fewest, maxLength: most, size: 'max' }).map((drafts) =>
    drafts.map(({ waited, states, twice }, index) => ({
      id: `t${index}`,
      enteredAt: POOL_NOW - waited,
      players: states.map(([own, recent], seat) => ({
        // In some pools, one player is in two tickets.
        playerId: seat === 0 && twice < 3 ? `twice${twice}` : `p${index}.${seat}`,
        state: own,
        ...(recent === undefined ? {} : { recent }),
      })),
    })),
  )
}

/**
 * Generates pools of up to twelve tickets with every kind of configuration: single players and parties, one team or
 * many, roles, any rules together, relaxation, short matches.
 */
export const smallPools = (fewest = 4): fc.Arbitrary<SmallPool> =>
  anyShape.chain((config) => ticketsFor(config, fewest).map((tickets) => ({ config, tickets })))
