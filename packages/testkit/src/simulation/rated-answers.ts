import type { Leaderboard, Matchyard } from '@matchyard/core'
import type { Inspector, Violation } from './inspector'
import { inBoardOrder, standingsOf, takenInto } from './invariants/rated'
import type { RatedStore, Snapshot } from './invariants/snapshot'
import { PLAYERS } from './place'
import { RATING_ID } from './rated-place'
import type { World } from './world'

const namesOf = (standings: readonly { readonly playerId: string }[]) =>
  standings.map(({ playerId }) => playerId).join()

/** Returns the faults of one answer of a leaderboard by itself: its order and its ranks. */
export const boardFaults = ({ data }: Leaderboard): string[] => {
  const right = namesOf(inBoardOrder(data))
  const first = data[0]?.rank ?? null
  return [
    ...(namesOf(data) === right ? [] : [`a leaderboard lists ${namesOf(data)}, and not ${right}`]),
    ...data.flatMap(({ rank }, index) =>
      rank === (first === null ? null : first + index) ? [] : [`place ${index} has rank ${rank}`],
    ),
  ]
}

type Answers = Pick<Matchyard, 'ratings'>

/** Tests at the end of a run that a node answers with the leaderboards, standings and calibration that the store has. */
export async function ratedAnswers(world: World, { now }: Inspector): Promise<Violation | undefined> {
  const node = world.nodes.find(({ life, serving }) => life.alive && serving)
  if (node === undefined || now?.rated === undefined) return undefined
  const wrong = [
    ...(await boardsDiffer(world, node.matchyard, now, now.rated)),
    ...(await playersDiffer(world, node.matchyard, now, now.rated)),
    ...(await calibrationDiffers(world, node.matchyard, now, now.rated)),
  ]
  return wrong.length === 0 ? undefined : { invariant: 'ratingsAreAnswered', message: wrong.join('; ') }
}

async function boardsDiffer(world: World, { ratings }: Answers, now: Snapshot, rated: RatedStore) {
  const { seasons } = rated.rating
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
        told.push(...page.data.map(({ playerId, rank }) => `${playerId}:${rank}`))
        cursor = page.nextCursor
        total = page.total
      }
      const isPlaced = ({ matches }: { matches: number }) => matches >= rated.rating.placementMatches
      const listed = standingsOf(rated, season).filter((one) => one.matches > 0 && isPlaced(one) !== placement)
      const there = inBoardOrder(listed).map(({ playerId }, index) => `${playerId}:${placement ? null : index + 1}`)
      if (told.join() !== there.join()) wrong.push(`board ${season} lists ${told.join()}, and not ${there.join()}`)
      if (total !== there.length) wrong.push(`board ${season} counts ${total}, and not ${there.length}`)
    }
  }
  return wrong
}

async function playersDiffer(world: World, { ratings }: Answers, now: Snapshot, { rating, standings }: RatedStore) {
  const { projectId } = now.place
  const wrong: string[] = []
  for (const playerId of PLAYERS) {
    const { data } = await world.finish(ratings.ofPlayer({ projectId, playerId }))
    const newest = standings
      .filter((one) => one.playerId === playerId)
      .sort((a, b) => b.season - a.season)
      .at(0)
    const stored = newest && {
      ...takenInto(rating, newest, newest.season, rating.seasons.length),
      matches: newest.season === rating.seasons.length ? newest.matches : 0,
    }
    const told = data[0] && { mu: data[0].mu, sigma: data[0].sigma, matches: data[0].matches }
    const [is, has] = [JSON.stringify(told), JSON.stringify(stored)]
    if (is !== has) wrong.push(`${playerId} is told ${is}, and the store has ${has}`)
  }
  return wrong
}

async function calibrationDiffers(world: World, { ratings }: Answers, now: Snapshot, { rating, counters }: RatedStore) {
  const { projectId } = now.place
  const told = await world.finish(ratings.calibration({ projectId, ratingId: RATING_ID }))
  const sums = told.buckets.map(({ count }) => count).join()
  const stored = told.buckets.map((_, bucket) => counters.get(`calibration:${rating.key}/${bucket}/count`)).join()
  const matches = counters.get(`rated:${rating.key}`)
  return [
    ...(told.matches === matches ? [] : [`the calibration tells ${told.matches} matches, and not ${matches}`]),
    ...(sums === stored ? [] : [`the calibration tells ${sums}, and not ${stored}`]),
  ]
}
