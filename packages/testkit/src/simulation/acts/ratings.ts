import type { Matchyard, RatingWish } from '@matchyard/core'
import { PLAYERS } from '../place'
import { boardFaults } from '../rated-answers'
import { RATED_CHANGES, RATED_QUEUE, RATING_ID } from '../rated-place'
import { type Act, at, type Scene } from './scene'
import { seekPair } from './seats'

/** Returns an action on the rating; none in a world without a rating. */
const onRating =
  (
    name: string,
    run: (
      matchyard: Matchyard,
      on: { readonly projectId: string; readonly ratingId: string },
      scene: Scene,
    ) => Promise<unknown>,
  ): Act =>
  (scene) => {
    const { world, node, projectId, now } = scene
    if (now.rated === undefined) return
    world.call(node, name, (matchyard) => run(matchyard, { projectId, ratingId: RATING_ID }, scene))
  }

/** Changes, seasons and reads of the rating. Results of matches are other actions (`resultActs`). */
export const ratingActs = {
  'seek-rated': seekPair(RATED_QUEUE),
  'rating-change': onRating('rating-change', ({ ratings }, on, { command }) =>
    ratings.set({ ...on, ...(at<RatingWish>(RATED_CHANGES, command.a) ?? RATED_CHANGES[0]) }),
  ),
  'rating-queue': onRating('rating-queue', ({ queues }, { projectId, ratingId }, { command }) => {
    const changes = { rating: command.a % 3 === 0 ? null : ratingId }
    return queues.update({ projectId, queueId: RATED_QUEUE, changes })
  }),
  'rating-delete': onRating('rating-delete', ({ ratings }, on) => ratings.delete(on)),
  season: onRating('season', ({ ratings }, on, { command }) =>
    ratings.startSeason({ ...on, name: `season ${command.a}`, keep: (command.b % 3) / 2 }),
  ),
  leaderboard: onRating('leaderboard', async ({ ratings }, on, { command, somebody }) => {
    const from = command.a % 3 === 0 ? { around: somebody } : { limit: 1 + (command.b % 4) }
    const faults = boardFaults(await ratings.leaderboard({ ...on, ...from, placement: command.c % 3 === 0 }))
    if (faults.length > 0) throw new Error(faults.join('; '))
  }),
  standings: onRating('standings', ({ ratings }, { projectId }, { command }) =>
    ratings.ofPlayer({ projectId, playerId: at(PLAYERS, command.a) ?? 'ann' }),
  ),
  calibration: onRating('calibration', ({ ratings }, on) => ratings.calibration(on)),
} satisfies Record<string, Act>
