import type { Match } from '../match/match'
import type { Ports } from '../ports/ports'
import { amendedSkill } from '../rating/amend'
import { boardCell } from '../rating/board-cell'
import { type CountedMatch, type CountedTeam, playersByTeam, type RatedOutcome } from '../rating/match-teams'
import { type CountedResult, calibrationSums, countedResult, skillOf, skillsAfter } from '../rating/outcome'
import { winProbabilities } from '../rating/predict'
import { type Rating, type Skill, seasonNow } from '../rating/rating'
import { currentStanding, newStanding, type Standing } from '../rating/standing'
import { newestStandings, standingId } from '../reads/standings'
import type { Instant } from '../shared/time'
import { calibrationCounter, everRatedCounter, ratedCounter } from './counters'
import type { Draft } from './draft'
import { putStandings } from './rows/standing'

/** Result of a match that changes a rating. */
export interface ResultToRate {
  readonly match: Pick<Match, 'teams' | 'counted'>
  /** Result that this one replaces; absent for the first one. */
  readonly before?: RatedOutcome | undefined
  readonly after: RatedOutcome
  /** Rating of the match (`ratingOfMatch`). */
  readonly rating: Rating
}

/**
 * Adds to the draft what a result changes in a rating: standings, leaderboards, calibration. Returns how the match is now counted, for
 * `Match.counted`; undefined for a match that is not. The commit must also write the match: its version makes sure that each result counts
 * once. The commit checks the version of the rating.
 */
export async function rateResult(ctx: Ports, draft: Draft, result: ResultToRate): Promise<CountedMatch | undefined> {
  const { match, after, rating, before } = result
  const { counted } = match
  if (counted !== undefined) {
    if (counted.ratingKey === rating.key) await amend(ctx, draft, rating, { counted, was: before, is: after })
    return counted
  }
  return after.completed ? count(ctx, draft, rating, match, after) : undefined
}

type Players = readonly { readonly playerId: string }[]

/** Counts a match for the first time. A match of fewer than two teams has no winner, and is not counted. */
async function count(
  ctx: Ports,
  draft: Draft,
  rating: Rating,
  match: Pick<Match, 'teams'>,
  outcome: RatedOutcome,
): Promise<CountedMatch | undefined> {
  const rosters = playersByTeam(match).filter(({ playerIds }) => playerIds.length > 0)
  const newest = await newestStandings(
    ctx,
    rating.key,
    rosters.flatMap(({ playerIds }) => playerIds),
  )
  const standingNow = (playerId: string): Standing => {
    const stored = newest.get(playerId)
    const id = standingId(ctx, rating.key, playerId)
    return stored === undefined ? newStanding(rating, id, playerId, draft.at) : currentStanding(rating, stored)
  }
  const skills = rosters.map(({ playerIds }) =>
    playerIds.map((playerId) => ({ playerId, ...skillOf(standingNow(playerId)) })),
  )
  const chances = winProbabilities(rating, skills)
  if (chances === undefined) return undefined
  const teams = rosters.map(({ name }, team) => ({
    name,
    players: skills[team] ?? [],
    predicted: chances[team] ?? 0,
  }))
  const result = countedResult(teams, outcome)
  const changes = inPairs(teams, skillsAfter(rating, teams, result)).map(({ playerId, skill }) => {
    const now = standingNow(playerId)
    const before = newest.get(playerId)
    const earlierId = standingId(ctx, rating.key, playerId, before?.season ?? 0)
    return { before, earlierId, after: changed(rating, now, skill, now.matches + 1, draft.at) }
  })
  putStandings(draft, changes)
  draft.check('rating', rating).counter(everRatedCounter(rating.key), 1)
  calibrate(draft, rating, undefined, result)
  return { ratingKey: rating.key, season: seasonNow(rating), params: rating.params, teams }
}

const changed = (rating: Rating, standing: Standing, skill: Skill, matches: number, at: Instant): Standing => ({
  ...standing,
  ...skill,
  ...{ matches, cell: boardCell(rating, skill), updatedAt: at },
})

interface Amendment {
  readonly counted: CountedMatch
  readonly was: RatedOutcome | undefined
  readonly is: RatedOutcome
}

async function amend(ctx: Ports, draft: Draft, rating: Rating, { counted, was, is }: Amendment): Promise<void> {
  const { teams, season, params } = counted
  const [old, renewed] = [countedResult(teams, was), countedResult(teams, is)]
  // With the parameters of the first count, because the old result changed the skills by these.
  const model = { model: rating.model, params }
  const standings = await standingsIn(
    ctx,
    rating,
    teams.flatMap(({ players }) => players),
    season,
  )
  const skillsWere = inPairs(teams, skillsAfter(model, teams, old))
  const more = Number(renewed !== undefined) - Number(old !== undefined)
  const changes = inPairs(teams, skillsAfter(model, teams, renewed)).flatMap(({ playerId, before, skill }, index) => {
    const standing = standings.get(playerId)
    if (standing === undefined) return []
    const first = { before, after: skillsWere[index]?.skill ?? before }
    const matches = Math.max(0, standing.matches + more)
    const now = amendedSkill(skillOf(standing), first, { before, after: skill }, rating.initial)
    const after = changed(rating, standing, now, matches, draft.at)
    return [{ before: standing, earlierId: standing.id, after }]
  })
  putStandings(draft, changes)
  draft.check('rating', rating)
  calibrate(draft, rating, old, renewed)
}

/** Returns the standings of players in the season in which their match was counted. Players who were erased since have none. */
async function standingsIn(ctx: Ports, { key }: Rating, players: Players, season: number) {
  const playerIds = players.map(({ playerId }) => playerId).filter((playerId) => playerId !== '')
  const newest = await newestStandings(ctx, key, playerIds)
  const earlier = playerIds.filter((playerId) => newest.get(playerId)?.season !== season)
  const ids = earlier.map((playerId) => standingId(ctx, key, playerId, season))
  const old = ids.length === 0 ? [] : await ctx.storage.getMany('standing', ids)
  const all = [...newest.values(), ...old].filter((standing) => standing.season === season)
  return new Map(all.map((standing) => [standing.playerId, standing]))
}

/** Returns the players who have not been erased, each with the skill before and after a result. */
const inPairs = (teams: readonly CountedTeam[], after: readonly (readonly Skill[])[]) =>
  teams.flatMap(({ players }, team) =>
    players.flatMap(({ playerId, ...before }, player) =>
      playerId === '' ? [] : [{ playerId, before, skill: after[team]?.[player] ?? before }],
    ),
  )

/** Takes an earlier result out of the calibration, and adds a new one. */
function calibrate(draft: Draft, { key }: Rating, was: CountedResult, is: CountedResult): void {
  const old = calibrationSums(was)
  for (const [bucket, sums] of calibrationSums(is).entries()) {
    for (const sum of ['count', 'predicted', 'actual'] as const) {
      const by = sums[sum] - (old[bucket]?.[sum] ?? 0)
      if (by !== 0) draft.counter(calibrationCounter(key, bucket, sum), by)
    }
  }
  const more = Number(is !== undefined) - Number(was !== undefined)
  if (more !== 0) draft.counter(ratedCounter(key), more)
}
