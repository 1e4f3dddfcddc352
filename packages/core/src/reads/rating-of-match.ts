import { isDirectStart, type Match } from '../match/match'
import type { Ports } from '../ports/ports'
import { type Queue, queueKey, ratingOf } from '../queue/queue'
import { type MatchQuality, winProbabilities } from '../rating/predict'
import { type Rating, ratingRowId } from '../rating/rating'
import { currentStanding } from '../rating/standing'
import { newestStandings } from './standings'

/**
 * Returns the rating that a result of a match changes; undefined when no rating counts the match. A match that was counted keeps its
 * rating. Any other match has that of its queue, a direct start only with `ratedStarts`.
 */
export async function ratingOfMatch(ctx: Ports, match: Match): Promise<Rating | undefined> {
  if (match.counted !== undefined) {
    const { ratingKey } = match.counted
    const rating = await ctx.storage.get('rating', ratingKey.slice(0, ratingKey.lastIndexOf('@')))
    return rating?.key === ratingKey ? rating : undefined
  }
  const queue = await ctx.storage.get('queue', queueKey(match.projectId, match.queueId))
  return queue === undefined || (isDirectStart(match) && queue.ratedStarts !== true)
    ? undefined
    : ratingOfQueue(ctx, queue)
}

/** Returns the rating of a queue; undefined without one. */
export async function ratingOfQueue(ctx: Ports, queue: Queue): Promise<Rating | undefined> {
  const own = ratingOf(queue)
  return own === undefined ? undefined : ctx.storage.get('rating', ratingRowId(queue.projectId, own.ratingId))
}

/** Returns how even a match of these teams is by the rating of its queue, as a field of the match; no field without a rating, and for one team. */
export async function qualityOf(
  ctx: Ports,
  queue: Queue,
  teams: readonly { readonly players: readonly { readonly playerId: string }[] }[],
): Promise<{ readonly quality?: MatchQuality }> {
  const rating = await ratingOfQueue(ctx, queue)
  if (rating === undefined) return {}
  const ids = teams.map(({ players }) => players.map(({ playerId }) => playerId))
  const newest = await newestStandings(ctx, rating.key, ids.flat())
  const skills = ids.map((players) =>
    players.map((playerId) => {
      const stored = newest.get(playerId)
      return stored === undefined ? rating.initial : currentStanding(rating, stored)
    }),
  )
  const winProbability = winProbabilities(rating, skills)
  return winProbability === undefined ? {} : { quality: { winProbability } }
}
