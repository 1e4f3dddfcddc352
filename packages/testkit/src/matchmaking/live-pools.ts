import type { MatchmakingConfig, SeatRequest } from '@matchyard/matchmaking'
import fc from 'fast-check'
import { anyRequests, type RequestOptions } from './requests'
import { anyShape, closeState, type SmallPool, ticketsFor } from './small-pools'

/** A pool with running matches that ask for players to take their open seats. */
export interface LivePool extends SmallPool {
  readonly requests: readonly SeatRequest[]
}

/**
 * Whether the engine finds new matches quickly. Above twelve tickets, the search for matches of many teams under a rule
 * on teams takes seconds, and tests of open seats do not need it.
 */
const isQuick = ({ teams = 2, rules = [] }: MatchmakingConfig): boolean =>
  teams <= 4 || rules.every(({ type }) => type !== 'team_difference')

/**
 * Generates pools with every kind of configuration, and with requests for players to take open seats. The setting that
 * serves open seats before or after new matches varies too.
 */
export const livePools = (
  { fewest, most }: { readonly fewest: number; readonly most: number },
  options: RequestOptions,
): fc.Arbitrary<LivePool> =>
  fc
    .tuple(anyShape.filter(isQuick), fc.constantFrom('before' as const, 'after' as const, undefined))
    .map(([shape, backfillPriority]) => ({ ...shape, backfillPriority }))
    .chain((config) =>
      fc.record({
        config: fc.constant(config),
        tickets: ticketsFor(config, fewest, most),
        requests: anyRequests(config, { state: closeState, ...options }),
      }),
    )
