import type { Standing } from '@matchyard/client'
import type { AdminClient, Rating, Season } from '@matchyard/client/admin'
import type { Page } from '../../data/wire'

/** Maximum ratings of a project. */
const MOST_RATINGS = 100
/** Maximum seasons of a rating. */
const MOST_SEASONS = 200

export const readRatings = (admin: AdminClient): Promise<readonly Rating[]> => taken(admin.ratings.list(), MOST_RATINGS)

/** Returns the seasons of a rating, oldest first. */
export const readSeasons = async (admin: AdminClient, ratingId: string): Promise<readonly Season[]> =>
  (await taken(admin.ratings.seasons(ratingId), MOST_SEASONS)).reverse()

/** A rating with its seasons, oldest first. */
export interface WholeRating {
  readonly rating: Rating
  readonly seasons: readonly Season[]
}

/** Page of a leaderboard. */
export type Board = Page<Standing> & { readonly total: number }

async function taken<T>(all: AsyncIterable<T>, most: number): Promise<T[]> {
  const some: T[] = []
  for await (const one of all) if (some.push(one) >= most) break
  return some
}

/** Uncertainty of a skill in the points that the rating displays. */
export const uncertaintyOf = ({ display, initial }: Pick<Rating, 'display' | 'initial'>, sigma: number): number =>
  Math.round((display.per_sigma * sigma) / initial.sigma)
