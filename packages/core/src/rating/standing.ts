import type { Instant } from '../shared/time'
import { boardCell } from './board-cell'
import { type Rating, type Skill, seasonName, seasonNow, shownValue } from './rating'
import { carriedSkill } from './season'

/**
 * Standing of a player in a rating. The row of the player's newest season has an id without the season. When a new season first touches the
 * row, the earlier standing gets a row of its own, which stays.
 */
export interface Standing extends Skill {
  /** Id of the row. */
  readonly id: string
  /** Version, which grows by one with each change. */
  readonly version: number
  /** Project of the rating. */
  readonly projectId: string
  /** Id of the rating. */
  readonly ratingId: string
  /** Key of the rating (`Rating.key`). */
  readonly ratingKey: string
  /** Id of the player. */
  readonly playerId: string
  /** Number of the season; 0 before the first season of the rating. */
  readonly season: number
  /** Counted matches of the season. */
  readonly matches: number
  /** Cell of the skill (`boardCell`), by which ranks are found. */
  readonly cell: number
  /** Time of the last change. */
  readonly updatedAt: Instant
}

/** Standing as callers see it. */
export interface ShownStanding extends Skill {
  /** Id of the player. */
  readonly playerId: string
  /** Id of the rating. */
  readonly ratingId: string
  /** Season of the standing; null before the first season. */
  readonly season: string | null
  /** Displayed number, a whole number. */
  readonly value: number
  /** Counted matches of the season. */
  readonly matches: number
  /** Whether the player has enough matches of the season for the leaderboard, by the present `placementMatches`. */
  readonly placed: boolean
  /** Place in the leaderboard, from 1; null beyond the first 10,000 places, and for a player who is not placed. */
  readonly rank: number | null
  /** Time of the last change. */
  readonly updatedAt: Instant
}

/** Returns the text whose hash is the id of a player's newest standing, or with `season` of an earlier one. */
export const standingText = (key: string, playerId: string, season?: number): string =>
  JSON.stringify(['standing', key, playerId, ...(season === undefined ? [] : [season])])

/** Whether a player with this number of matches of the season is listed in the leaderboard. */
export const isPlaced = ({ placementMatches }: Pick<Rating, 'placementMatches'>, matches: number): boolean =>
  matches >= placementMatches

/** Returns the first standing of a player: the initial skill, without matches. */
export const newStanding = (rating: Rating, id: string, playerId: string, at: Instant): Standing => ({
  id,
  version: 1,
  projectId: rating.projectId,
  ratingId: rating.ratingId,
  ratingKey: rating.key,
  playerId,
  season: seasonNow(rating),
  ...{ mu: rating.initial.mu, sigma: rating.initial.sigma },
  ...{ matches: 0, cell: boardCell(rating, rating.initial), updatedAt: at },
})

/** Returns a standing in the present season. The standing of an earlier season is derived, without matches. */
export function currentStanding(rating: Rating, standing: Standing): Standing {
  const season = seasonNow(rating)
  if (standing.season >= season) return standing
  const skill = carriedSkill(rating, standing, standing.season)
  return { ...standing, ...skill, season, matches: 0, cell: boardCell(rating, skill) }
}

/** Returns a standing as callers see it. */
export const shownStanding = (rating: Rating, standing: Standing, rank: number | null): ShownStanding => ({
  playerId: standing.playerId,
  ratingId: rating.ratingId,
  season: seasonName(rating, standing.season),
  ...{ mu: standing.mu, sigma: standing.sigma, value: shownValue(rating, standing) },
  ...{ matches: standing.matches, placed: isPlaced(rating, standing.matches), rank, updatedAt: standing.updatedAt },
})
