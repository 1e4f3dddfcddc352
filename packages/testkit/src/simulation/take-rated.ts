import type { Storage } from '@matchyard/core/ports'
import type { RatedStore } from './invariants/snapshot'
import { RATING_ID } from './rated-place'

const LIMIT = 10_000
const SUMS = ['count', 'predicted', 'actual']

/** Reads the rating with its standings, leaderboards and counters; undefined in a world without a rating. */
export async function takeRated(storage: Storage, projectId: string): Promise<RatedStore | undefined> {
  const rating = await storage.get('rating', `${projectId}/${RATING_ID}`)
  if (rating === undefined) return undefined
  const { key: ratingKey, seasons } = rating
  const boards: RatedStore['boards'][number][] = []
  for (const season of [0, ...seasons.keys()].map((_, number) => number)) {
    const atLeast = (matches: number) => storage.counters.read(`board:${ratingKey}/${season}/${matches}`)
    const from = Math.max(1, rating.placementMatches)
    for (const placed of [true, false]) {
      const range = placed ? { from } : { from: 1, below: from }
      const listed = await storage.standings.list({ ratingKey, season, ...range, limit: LIMIT })
      const count = placed ? await atLeast(from) : (await atLeast(1)) - (await atLeast(from))
      boards.push({ season, placed, count, listed: listed.map(({ id }) => id) })
    }
  }
  const buckets = Array.from({ length: 10 }, (_, bucket) => `calibration:${ratingKey}/${bucket}`)
  const names = [
    `ever-rated:${ratingKey}`,
    `rated:${ratingKey}`,
    ...buckets.flatMap((one) => SUMS.map((sum) => `${one}/${sum}`)),
  ]
  const counters = new Map<string, number>()
  for (const id of names) counters.set(id, await storage.counters.read(id))
  return { rating, standings: await storage.standings.ofRating(ratingKey, LIMIT), boards, counters }
}
