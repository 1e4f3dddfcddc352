import type { Instant } from '../shared/time'
import { type Rating, type Skill, seasonName, seasonNow, shownValue } from './rating'
import { carriedSkill } from './season'

/**
 * Standing of a player in a rating. The row of the player's newest season has an id without the season. When a new season first touches the
 * row, the earlier standing gets a row of its own, which stays.
 */
export interface Standing extends Skill {
  readonly id: string
  readonly version: number
  readonly projectId: string
  readonly ratingId: string
  /** Key of the rating (`Rating.key`). */
  readonly ratingKey: string
  readonly playerId: string
  /** Number of the season; 0 before the first season of the rating. */
  readonly season: number
  /** Counted matches of the season. */
  readonly matches: number
  /** Whether the player had enough matches of the season for the leaderboard when the row was last written. */
  readonly placed: boolean
  readonly updatedAt: Instant
}

/** Standing as callers see it. */
export interface ShownStanding extends Skill {
  readonly playerId: string
  readonly ratingId: string
  readonly season: string | null
  readonly value: number
  readonly matches: number
  readonly placed: boolean
  /** Place in the leaderboard, from 1; null beyond the first 10,000 places, and for a player who is not placed. */
  readonly rank: number | null
  readonly updatedAt: Instant
}

/** One leaderboard: a season of a rating, and whether it lists the placed players or those in placement. */
export interface BoardQuery {
  readonly ratingKey: string
  readonly season: number
  readonly placed: boolean
}

/** Returns the text whose hash is the id of a player's newest standing, or with `season` of an earlier one. */
export const standingText = (key: string, playerId: string, season?: number): string =>
  JSON.stringify(['standing', key, playerId, ...(season === undefined ? [] : [season])])

export const boardName = ({ ratingKey: key, season, placed }: BoardQuery): string =>
  `${key}/${season}/${placed ? 'placed' : 'placement'}`

/** Returns the leaderboard that lists a standing; null for a standing without matches, which no leaderboard lists. */
export const boardOf = (standing: Standing): string | null => (standing.matches === 0 ? null : boardName(standing))

/**
 * Returns a text whose order is the order of a leaderboard: `mu` - 3 `sigma` descending, then the player's id by code units. It consists of
 * lower-case hexadecimal digits, so that every storage compares it in the same way.
 */
export const boardPlace = ({ mu, sigma, playerId }: Skill & Pick<Standing, 'playerId'>): string =>
  `${descending(mu - 3 * sigma)}${[...unitsOf(playerId)].join('')}`

/** Form of a place, to check a caller's cursor. */
export const PLACE_SHAPE = /^[0-9a-f]{16}(?:[0-9a-f]{4}){1,256}$/

/** Returns 16 hexadecimal digits: larger numbers have smaller texts. */
function descending(value: number): string {
  const view = new DataView(new ArrayBuffer(8))
  // + 0 turns -0 into 0, so that equal numbers have equal texts.
  view.setFloat64(0, value + 0)
  const bits = view.getBigUint64(0)
  const isNegative = bits >> 63n === 1n
  // The bits of negative numbers are in descending order already, above those of all other numbers.
  return (isNegative ? bits : ~bits & 0x7fffffffffffffffn).toString(16).padStart(16, '0')
}

function* unitsOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at++) yield text.charCodeAt(at).toString(16).padStart(4, '0')
}

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
  ...{ matches: 0, placed: isPlaced(rating, 0), updatedAt: at },
})

/** Returns a standing in the present season. The standing of an earlier season is derived, without matches. */
export function currentStanding(rating: Rating, standing: Standing): Standing {
  const season = seasonNow(rating)
  if (standing.season >= season) return standing
  const skill = carriedSkill(rating, standing, standing.season)
  return { ...standing, ...skill, season, matches: 0, placed: isPlaced(rating, 0) }
}

/** Returns a standing as callers see it. */
export const shownStanding = (rating: Rating, standing: Standing, rank: number | null): ShownStanding => ({
  playerId: standing.playerId,
  ratingId: rating.ratingId,
  season: seasonName(rating, standing.season),
  ...{ mu: standing.mu, sigma: standing.sigma, value: shownValue(rating, standing) },
  ...{ matches: standing.matches, placed: standing.placed, rank, updatedAt: standing.updatedAt },
})
