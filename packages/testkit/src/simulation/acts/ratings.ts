import type { Matchyard, RatingWish } from '@matchyard/core'
import { GUESTS } from '../guests'
import { PLAYERS } from '../place'
import { boardFaults } from '../rated-answers'
import { RATED_CHANGES, RATED_QUEUE, RATED_QUEUES, RATING_ID } from '../rated-place'
import { type Act, at, type Scene, stateOf } from './scene'
import { seek, seekPair } from './seats'

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

/** Starts a lobby of two players directly, in teams of a queue with the rating. */
function startRated(scene: Scene): void {
  const { world, node, projectId, somebody: playerId, command } = scene
  const queueId = at(RATED_QUEUES, command.a) ?? RATED_QUEUE
  const friend = at(PLAYERS, command.b + 1 + (command.c % 5)) ?? 'bob'
  world.call(node, 'create', async ({ lobbies }) => {
    const { id: lobbyId } = await lobbies.create({ projectId, queueId, playerId, state: stateOf(scene) })
    world.call(node, 'join', async ({ lobbies }) => {
      await lobbies.join({ projectId, lobbyId, playerId: friend, state: stateOf(scene) })
      world.call(node, 'start-rated', async ({ lobbies }) =>
        world.answered(await lobbies.start({ projectId, lobbyId, playerId, teams: 'even' })),
      )
    })
  })
}

/** Searches, changes, seasons and reads of the rating. Results of matches are other actions (`ratedResultActs`). */
export const ratingActs = {
  'seek-rated': seekPair(RATED_QUEUE),
  /** A guest, who is erased later, searches together with a player. */
  'seek-guest': (scene) => {
    const { world, command, somebody } = scene
    const guest = at(GUESTS, command.a) ?? 'gus'
    if (!world.guests.mayCome(guest)) return
    for (const playerId of [guest, somebody]) {
      seek(scene, RATED_QUEUE, playerId, (run) => world.guests.does(guest, run))
    }
  },
  'start-rated': startRated,
  'rating-change': onRating('rating-change', ({ ratings }, on, { command, now }) => {
    const change = at<RatingWish>(RATED_CHANGES, command.a) ?? RATED_CHANGES[0]
    return ratings.set({ ...on, ...change, model: now.rated?.rating.model })
  }),
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
