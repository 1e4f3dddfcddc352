import { PLACEMENT_MATCHES } from '../catalog/limits'
import type { Rating, Skill } from './rating'

/** Season of a rating. */
interface InSeason {
  readonly ratingKey: string
  readonly season: number
}

interface Listed extends InSeason {
  readonly matches: number
}

/** One leaderboard: the standings of a season of a rating whose numbers of matches are in a range. */
export interface BoardQuery extends InSeason {
  /** Minimum number of matches of the season, 1 to 100. */
  readonly from: number
  /** Number of matches below which a standing is listed, 1 to 100; absent: all numbers from `from` on. */
  readonly below?: number
}

/** Returns the leaderboard of the placed players of a season, by the present `placementMatches`, or of those in placement. */
export function boardOf(
  { key, placementMatches }: Pick<Rating, 'key' | 'placementMatches'>,
  season: number,
  list: 'placed' | 'placement',
): BoardQuery {
  // No leaderboard lists a standing without matches.
  const placedFrom = Math.max(1, placementMatches)
  const board = { ratingKey: key, season }
  return list === 'placed' ? { ...board, from: placedFrom } : { ...board, from: 1, below: placedFrom }
}

/** Whether a leaderboard lists a standing. */
export const isOnBoard = (board: BoardQuery, { ratingKey, season, matches }: Listed): boolean =>
  ratingKey === board.ratingKey &&
  season === board.season &&
  matches >= board.from &&
  (board.below === undefined || matches < board.below)

/** Highest level: all standings with at least as many matches have this level, because `placementMatches` is never higher. */
const TOP_LEVEL = PLACEMENT_MATCHES.max
/** Levels at which the tiers begin: usual values of `placementMatches`, so that few ranges cover a usual leaderboard. */
const TIERS: readonly number[] = [1, 5, 10, 20, 50, TOP_LEVEL]

/** Returns the level of a number of matches: the number itself, at most 100. */
export const boardLevel = (matches: number): number => Math.min(matches, TOP_LEVEL)

const levelName = ({ ratingKey, season }: InSeason, level: number) => `${ratingKey}/${season}/${level}`
const tierName = (board: InSeason, level: number) => `${levelName(board, level)}+`

/** Returns the first level of the tier of a level. */
export const boardTier = (level: number): number => Math.max(...TIERS.filter((first) => first <= level))

/** Returns the tiers that are whole on a leaderboard of placed players, and the level with which the first of them begins. */
export function wholeTiers({ from }: BoardQuery): { readonly first: number; readonly tiers: readonly number[] } {
  const tiers = TIERS.filter((first) => first >= from)
  return { first: tiers[0] ?? TOP_LEVEL, tiers }
}

/** Ranges of a leaderboard in which an index lists a standing. */
export interface StandingRanges {
  /** Range of the standings with the same level; null where it would equal the tier. */
  readonly level: string | null
  /** Range of the standings with the same tier: from 1, 5, 10, 20, 50 or 100 matches. */
  readonly tier: string
}

/** Returns the ranges of a standing; null for a standing without matches, which no leaderboard lists. */
export function rangesOfStanding(standing: Listed): StandingRanges | null {
  const level = boardLevel(standing.matches)
  if (level === 0) return null
  const tier = tierName(standing, boardTier(level))
  return { level: level === TOP_LEVEL ? null : levelName(standing, level), tier }
}

/** Ranges that together hold the standings of a leaderboard, each standing once. */
export interface BoardRanges {
  /** At most 49 ranges of single levels. */
  readonly levels: readonly string[]
  /** At most 6 ranges of whole tiers. */
  readonly tiers: readonly string[]
}

/**
 * Returns the ranges of a leaderboard. A storage that has an index of each kind of range reads a leaderboard by merging a few ranges,
 * whatever `placementMatches` is.
 */
export function boardRanges(board: BoardQuery): BoardRanges {
  const levels: string[] = []
  const tiers: string[] = []
  const { from, below = TOP_LEVEL + 1 } = board
  for (let level = from; level < below; ) {
    const next = TIERS.find((first) => first > level) ?? TOP_LEVEL + 1
    const isWhole = TIERS.includes(level) && next <= below
    if (isWhole) tiers.push(tierName(board, level))
    else levels.push(levelName(board, level))
    level = isWhole ? next : level + 1
  }
  // The highest tier first: it has the most players of the first places, and the search for a rank ends with them.
  return { levels, tiers: tiers.reverse() }
}

/**
 * Returns a text whose order is the order of a leaderboard: `mu` - 3 `sigma` descending, then the player's id by code units. It consists of
 * an even number of lower-case hexadecimal digits, so that every storage compares it in the same way, as text or as bytes.
 */
export const boardPlace = ({ mu, sigma, playerId }: Skill & { readonly playerId: string }): string =>
  `${descending(mu - 3 * sigma)}${[...unitsOf(playerId)].join('')}`

/** Form of a place, to check a caller's cursor. */
export const PLACE_SHAPE = /^[0-9a-f]{16}(?:[0-9a-f]{4}){1,256}$/

/** Returns 16 hexadecimal digits: larger numbers have smaller texts. */
export function descending(value: number): string {
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
