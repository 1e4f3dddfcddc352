import type { Matchyard, RatingWish } from '@matchyard/core'
import type { Place } from './invariants/snapshot'

/** Id of the rating of a world with a rating. */
export const RATING_ID = 'ladder'
/** Queue whose rating changes in the course of a run. */
export const RATED_QUEUE = 'casual'

/** Settings of the rating, from which commands choose. The initial skill can change only before the first counted match. */
export const RATED_CHANGES: readonly [RatingWish, ...RatingWish[]] = [
  { name: 'Ladder', placementMatches: 2 },
  { name: 'Ladder', placementMatches: 0 },
  { name: 'Ladder', placementMatches: 1 },
  { name: 'Ladder', placementMatches: 4, display: { base: 0 } },
  { name: 'Ladder', placementMatches: 1, params: { tau: 2, limitSigma: true } },
  { name: 'Ladder', placementMatches: 2, initial: { mu: 30 } },
]

/** Creates the rating, and sets it in a queue with late joins and backfill, and in a queue whose players may play several matches at once. */
export async function furnishRating(
  { ratings, queues }: Matchyard,
  { projectId }: Place,
  finish: <T>(work: Promise<T>) => Promise<T>,
): Promise<void> {
  await finish(ratings.set({ projectId, ratingId: RATING_ID, ...RATED_CHANGES[0] }))
  // Another field than the one that the rules of the queues read, because clients may not write the field of a rating.
  const changes = { rating: RATING_ID, ratingField: 'skill', ratedStarts: true }
  for (const queueId of ['late', RATED_QUEUE]) await finish(queues.update({ projectId, queueId, changes }))
}
