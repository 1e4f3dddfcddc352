import { MAX_LIST_BYTES, MAX_RATINGS, RANKED_PLACES } from '../catalog/limits'
import { ServiceError } from '../errors/service-error'
import type { Ports } from '../ports/ports'
import { boardOf } from '../rating/board'
import { noSuchRating } from '../rating/decide'
import { type Rating, ratingRowId } from '../rating/rating'
import {
  currentStanding,
  isPlaced,
  type ShownStanding,
  type Standing,
  shownStanding,
  standingText,
} from '../rating/standing'
import { standingsBefore } from './board-rank'

/** Returns a rating of the project. Throws RATING_NOT_FOUND. */
export async function requireRating(ctx: Ports, projectId: string, ratingId: string): Promise<Rating> {
  const rating = await ctx.storage.get('rating', ratingRowId(projectId, ratingId))
  if (rating === undefined) throw ServiceError.of(noSuchRating(projectId, ratingId).rejected)
  return rating
}

/** Returns the id of a player's newest standing, or with `season` of an earlier one. */
export const standingId = (ctx: Ports, ratingKey: string, playerId: string, season?: number): string =>
  ctx.tokens.hash(standingText(ratingKey, playerId, season))

/** Returns the newest stored standings of players, by player. A standing of an earlier season is not derived (`currentStanding`). */
export async function newestStandings(
  ctx: Ports,
  ratingKey: string,
  playerIds: readonly string[],
): Promise<ReadonlyMap<string, Standing>> {
  const ids = playerIds.filter((playerId) => playerId !== '').map((playerId) => standingId(ctx, ratingKey, playerId))
  const standings = ids.length === 0 ? [] : await ctx.storage.getMany('standing', ids)
  return new Map(standings.map((standing) => [standing.playerId, standing]))
}

/** Returns the rank of a standing, from 1; null beyond RANKED_PLACES, and for a standing that no leaderboard of placed players lists. */
export async function rankOf(ctx: Ports, rating: Rating, standing: Standing): Promise<number | null> {
  if (!isPlaced(rating, standing.matches) || standing.matches === 0) return null
  const before = await standingsBefore(ctx, rating, boardOf(rating, standing.season, 'placed'), standing, RANKED_PLACES)
  return before < RANKED_PLACES ? before + 1 : null
}

/** Returns the ratings of a project: at most MAX_RATINGS, read in pages, because a rating with many seasons is large. */
async function allRatings(ctx: Ports, projectId: string): Promise<readonly Rating[]> {
  const all: Rating[] = []
  for (;;) {
    const window = { limit: MAX_RATINGS, offset: all.length, maxBytes: MAX_LIST_BYTES }
    const { total, data } = await ctx.storage.ratings.list(projectId, window)
    all.push(...data)
    if (data.length === 0 || all.length >= Math.min(total, MAX_RATINGS)) return all
  }
}

/** Returns a player's standings in the present seasons of all ratings of the project, by rating id. Nothing is written. */
export async function standingsOf(ctx: Ports, projectId: string, playerId: string): Promise<ShownStanding[]> {
  const ratings = await allRatings(ctx, projectId)
  if (ratings.length === 0) return []
  const ids = ratings.map(({ key }) => standingId(ctx, key, playerId))
  const found = new Map((await ctx.storage.getMany('standing', ids)).map((standing) => [standing.ratingKey, standing]))
  const standings = ratings.map(async (rating) => {
    const stored = found.get(rating.key)
    if (stored === undefined) return []
    const standing = currentStanding(rating, stored)
    return [shownStanding(rating, standing, await rankOf(ctx, rating, standing))]
  })
  return (await Promise.all(standings)).flat()
}
