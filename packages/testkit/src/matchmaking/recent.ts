import type { RecentPlayer } from '@matchyard/matchmaking'
import fc from 'fast-check'

/** Ids of players that lists name: players of the tickets and of the running matches that are generated here. */
export const NAMES = [
  ...Array.from({ length: 14 }, (_, index) => `p${index}.0`),
  ...['p0.1', 'p1.1', 'p2.1', 'shared1', 'shared2', 'shared3', 'm0.0', 'm0.1', 'm1.0'],
]
/** Generates the players whom a player met in matches of the last minute before `now`. */
export const recentAt = (now: number): fc.Arbitrary<RecentPlayer[] | undefined> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    {
      weight: 3,
      arbitrary: fc.array(
        fc.record({
          playerId: fc.constantFrom(...NAMES),
          at: fc.integer({ min: 0, max: 14 }).map((step) => now - step * 5_000),
          opponent: fc.boolean(),
        }),
        { maxLength: 6 },
      ),
    },
  )
