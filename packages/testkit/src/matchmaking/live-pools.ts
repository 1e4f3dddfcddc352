import type { MatchmakingConfig, SeatRequest } from '@matchyard/matchmaking'
import fc from 'fast-check'
import { anyRequests, type RequestOptions } from './requests'
import { anyShape, closeState, type SmallPool, ticketsFor } from './small-pools'

/** A pool with running matches that ask for players. */
export interface LivePool extends SmallPool {
  readonly requests: readonly SeatRequest[]
}

/**
 * Whether new matches are found quickly. Above twelve tickets, the search for matches of many teams under a rule on teams takes seconds,
 * and tests of open seats do not need it.
 */
const isQuick = ({ teams = 2, rules = [] }: MatchmakingConfig): boolean =>
  teams <= 4 || rules.every(({ type }) => type !== 'team_difference')

/** Pools of every shape that a queue can have, with requests for open seats; open seats or new matches may be served first. */
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
