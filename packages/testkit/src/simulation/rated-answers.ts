import type { Leaderboard, Matchyard } from '@matchyard/core'
import type { Inspector, Violation } from './inspector'
import { inBoardOrder, orderFaults, standingsOf } from './invariants/rated'
import type { RatedStore, Snapshot } from './invariants/snapshot'
import { PLAYERS } from './place'
import { RATING_ID } from './rated-place'
import type { World } from './world'

/** Returns the faults of a leaderboard by itself: its order and its ranks. */
export const boardFaults = ({ data, total }: Leaderboard): string[] => [
  ...orderFaults(data),
  ...data.flatMap(({ rank }, index) => {
    const first = data[0]?.rank ?? null
    return rank === (first === null ? null : first + index) ? [] : [`place ${index} has rank ${rank}`]
  }),
  ...(data.length > total ? [`${data.length} players are listed, of ${total}`] : []),
]

/**
 * Tests at the end of a run that leaderboards, standings of players and the calibration are as the store has them, and as the present
 * settings of the rating say.
 */
export async function ratedAnswers(world: World, { now }: Inspector): Promise<Violation | undefined> {
  const node = world.nodes.find(({ life, serving }) => life.alive && serving)
  if (node === undefined || now?.rated === undefined) return undefined
  const { matchyard } = node
  const wrong = [
    ...(await boardsDiffer(world, matchyard, now, now.rated)),
    ...(await playersDiffer(world, matchyard, now, now.rated)),
  ]
  return wrong.length === 0 ? undefined : { invariant: 'ratingsAreAnswered', message: wrong.join('; ') }
}

async function boardsDiffer(world: World, { ratings }: Matchyard, now: Snapshot, rated: RatedStore) {
  const { seasons, placementMatches } = rated.rating
  const on = { projectId: now.place.projectId, ratingId: RATING_ID }
  const wrong: string[] = []
  for (const [season, name] of ['', ...seasons.map((one) => one.name)].entries()) {
    for (const placement of [false, true]) {
      const told: string[] = []
      let cursor: string | null | undefined
      let total = 0
      while (cursor !== null) {
        const from = { ...on, season: name, placement, limit: 2, ...(cursor === undefined ? {} : { cursor }) }
        const page = await world.finish(ratings.leaderboard(from))
        told.push(...page.data.map(({ playerId }) => playerId))
        cursor = page.nextCursor
        total = page.total
      }
      const isListed = (matches: number) => matches > 0 && matches >= placementMatches !== placement
      const there = inBoardOrder(standingsOf(rated, season).filter(({ matches }) => isListed(matches)))
      const names = there.map(({ playerId }) => playerId).join()
      if (told.join() !== names) wrong.push(`board ${season} lists ${told.join()}, and not ${names}`)
      if (total !== there.length) wrong.push(`board ${season} counts ${total}, and not ${there.length}`)
    }
  }
  return wrong
}

async function playersDiffer(world: World, { ratings }: Matchyard, now: Snapshot, rated: RatedStore) {
  const { projectId } = now.place
  const wrong: string[] = []
  for (const playerId of PLAYERS) {
    const { data } = await world.finish(ratings.ofPlayer({ projectId, playerId }))
    const stored = standingsOf(rated, rated.rating.seasons.length).find((one) => one.playerId === playerId)
    const told = data[0]
    if (stored === undefined ? (told?.matches ?? 0) !== 0 : told?.matches !== stored.matches || told.mu !== stored.mu)
      wrong.push(`${playerId} is told ${JSON.stringify(told)}, and the store has ${JSON.stringify(stored)}`)
    if (told !== undefined && told.placed !== told.matches >= rated.rating.placementMatches)
      wrong.push(`${playerId} with ${told.matches} matches is told placed: ${told.placed}`)
  }
  return wrong
}
