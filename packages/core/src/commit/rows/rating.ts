import type { Rating } from '../../rating/rating'
import { everRatedCounter, ratingQueueCounter } from '../counters'
import type { Draft } from '../draft'
import { followUps } from '../follow-ups'

/** Adds a rating, or replaces its settings. */
export function putRating(draft: Draft, before: Rating | undefined, rating: Rating): Rating {
  return before === undefined ? draft.create('rating', rating) : draft.replace('rating', before, rating)
}

/** Makes the commit fail when the rating has counted a match. A commit that counts one checks the version of the rating. */
export function beforeFirstMatch(draft: Draft, rating: Rating): void {
  draft.counter(everRatedCounter(rating.key), 0, 0)
}

/** Removes a rating. The commit fails while a queue names it. A job removes the standings. */
export function removeRating(draft: Draft, rating: Rating): void {
  draft.counter(ratingQueueCounter(rating.id), 0, 0)
  draft.remove('rating', rating)
  draft.job(...followUps.ratingDeleted(rating, draft.at))
}
