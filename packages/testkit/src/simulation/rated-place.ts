import { type Matchyard, RATING_MODELS, type RatingWish } from '@matchyard/core'

/** Id of the rating of a world with a rating. */
export const RATING_ID = 'ladder'
/** Queue whose rating changes in the course of a run. */
export const RATED_QUEUE = 'casual'
/** Queues that have the rating at the start of a run: one with late joins, and one whose players may play several matches at once. */
export const RATED_QUEUES: readonly string[] = ['late', RATED_QUEUE]

/** Settings of the rating, from which commands choose. The initial skill can change only before the first counted match. */
export const RATED_CHANGES: readonly [RatingWish, ...RatingWish[]] = [
  { name: 'Ladder', placementMatches: 2 },
  { name: 'Ladder', placementMatches: 0 },
  { name: 'Ladder', placementMatches: 1 },
  { name: 'Ladder', placementMatches: 4, display: { base: 0 } },
  { name: 'Ladder', placementMatches: 1, params: { tau: 2, limitSigma: true } },
  { name: 'Ladder', placementMatches: 2, initial: { mu: 30 } },
]

/** Creates the rating, with one of the models in turn by the seed, and sets it in its queues. */
export async function furnishRating(
  { ratings, queues }: Matchyard,
  { projectId, seed }: { readonly projectId: string; readonly seed: number },
  finish: <T>(work: Promise<T>) => Promise<T>,
): Promise<void> {
  const model = RATING_MODELS[seed % RATING_MODELS.length]
  await finish(ratings.set({ projectId, ratingId: RATING_ID, ...RATED_CHANGES[0], model }))
  // Another field than the one that the rules of the queues read, because clients may not write the field of a rating.
  const changes = { rating: RATING_ID, ratingField: 'skill', ratedStarts: true }
  for (const queueId of RATED_QUEUES) await finish(queues.update({ projectId, queueId, changes }))
}
