import { AROUND_PLAYER, DEFAULT_PAGE_LIMIT, MAX_LIST_BYTES, RANKED_PLACES } from '../../catalog/limits'
import { boardCounter } from '../../commit/counters'
import { unavailableInsteadOf } from '../../commit/transact'
import { validationFailed } from '../../errors/service-error'
import type { Ports } from '../../ports/ports'
import { type Rating, seasonNow } from '../../rating/rating'
import {
  type BoardQuery,
  boardName,
  boardPlace,
  PLACE_SHAPE,
  type ShownStanding,
  type Standing,
  shownStanding,
} from '../../rating/standing'
import { newestStandings, requireRating, standingId } from '../../reads/standings'
import type { Stretch } from '../../shared/place'
import type { OnRating } from './set-rating'

export interface LeaderboardInput extends OnRating {
  /** Name of a season; an empty name means before the first season. Default: the present season. */
  readonly season?: string | undefined
  /** Whether the players in placement are listed, in place of the others. Default: false. */
  readonly placement?: boolean | undefined
  /** Player around whom the leaderboard is read: up to ten players on either side. */
  readonly around?: string | undefined
  /** Cursor: `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

/** Part of a leaderboard. */
export interface Leaderboard extends Stretch<ShownStanding> {
  /** Number of all players on the leaderboard. */
  readonly total: number
}

/** Returns a part of a leaderboard: `mu` - 3 `sigma` from high to low. Throws RATING_NOT_FOUND, VALIDATION_FAILED. */
export function leaderboard(ctx: Ports, input: LeaderboardInput): Promise<Leaderboard> {
  return unavailableInsteadOf(async () => {
    const { projectId, ratingId, placement = false, around, cursor, limit = DEFAULT_PAGE_LIMIT } = input
    if (cursor !== undefined && around !== undefined) throw refused('cursor', 'must be absent with around')
    if (cursor !== undefined && !PLACE_SHAPE.test(cursor)) throw refused('cursor', NO_CURSOR)
    const rating = await requireRating(ctx, projectId, ratingId)
    const board = { ratingKey: rating.key, season: seasonOf(rating, input.season), placed: !placement }
    const [total, { standings, nextCursor }] = await Promise.all([
      ctx.storage.counters.read(boardCounter(boardName(board))),
      around === undefined ? pageOf(ctx, board, cursor, limit) : around10(ctx, rating, board, around),
    ])
    return { total, nextCursor, data: await ranked(ctx, rating, board, standings) }
  })
}

const refused = (path: string, message: string) => validationFailed([{ path, message }])
const NO_CURSOR = 'must be the cursor for the next page, as an earlier answer returned it'

function seasonOf(rating: Rating, name: string | undefined): number {
  if (name === undefined) return seasonNow(rating)
  if (name === '') return 0
  const index = rating.seasons.findIndex((season) => season.name === name)
  if (index === -1) throw refused('season', 'must be the name of a season of the rating')
  return index + 1
}

interface Found {
  readonly standings: readonly Standing[]
  readonly nextCursor: string | null
}

async function pageOf(ctx: Ports, board: BoardQuery, after: string | undefined, limit: number): Promise<Found> {
  // One more standing than the page returns is read, to find out whether another page follows. Standings are small.
  const window = { limit: limit + 1, maxBytes: MAX_LIST_BYTES, ...(after === undefined ? {} : { after }) }
  const found = await ctx.storage.standings.list({ ...board, ...window })
  const standings = found.slice(0, limit)
  const last = standings.at(-1)
  return { standings, nextCursor: found.length > limit && last !== undefined ? boardPlace(last) : null }
}

async function around10(ctx: Ports, rating: Rating, board: BoardQuery, playerId: string): Promise<Found> {
  const own = await standingIn(ctx, rating, board, playerId)
  if (own === undefined) return { standings: [], nextCursor: null }
  const place = boardPlace(own)
  const [before, after] = await Promise.all([
    ctx.storage.standings.listBefore({ ...board, place, limit: AROUND_PLAYER }),
    ctx.storage.standings.list({ ...board, after: place, limit: AROUND_PLAYER }),
  ])
  return { standings: [...[...before].reverse(), own, ...after], nextCursor: null }
}

/** Returns the standing of a player on this leaderboard; undefined when it does not list the player. */
async function standingIn(ctx: Ports, rating: Rating, board: BoardQuery, playerId: string) {
  const newest = (await newestStandings(ctx, rating.key, [playerId])).get(playerId)
  const isOld = newest !== undefined && newest.season !== board.season
  const stored = isOld ? await ctx.storage.get('standing', standingId(ctx, rating.key, playerId, board.season)) : newest
  const isListed = stored !== undefined && stored.matches > 0 && stored.placed === board.placed
  return isListed && stored.season === board.season ? stored : undefined
}

async function ranked(
  ctx: Ports,
  rating: Rating,
  board: BoardQuery,
  standings: readonly Standing[],
): Promise<ShownStanding[]> {
  const [first] = standings
  if (first === undefined) return []
  const position = { ...board, place: boardPlace(first), limit: RANKED_PLACES }
  const before = board.placed ? await ctx.storage.standings.countBefore(position) : RANKED_PLACES
  return standings.map((standing, index) => {
    const rank = before + index + 1
    return shownStanding(rating, standing, rank <= RANKED_PLACES ? rank : null)
  })
}
