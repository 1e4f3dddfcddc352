import { AROUND_PLAYER, DEFAULT_PAGE_LIMIT, MAX_LIST_BYTES, RANKED_PLACES } from '../../catalog/limits'
import { unavailableInsteadOf } from '../../commit/transact'
import { validationFailed } from '../../errors/service-error'
import type { Ports } from '../../ports/ports'
import { type BoardQuery, boardOf, boardPlace, isOnBoard, PLACE_SHAPE } from '../../rating/board'
import { boardCounter } from '../../rating/board-counters'
import { type Rating, seasonNow } from '../../rating/rating'
import { type ShownStanding, type Standing, shownStanding } from '../../rating/standing'
import { standingsBefore } from '../../reads/board-rank'
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
  /** Maximum number of players on a page, 1 to 100. Default: 50. */
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
    const board = boardOf(rating, seasonOf(rating, input.season), placement ? 'placement' : 'placed')
    const part = around === undefined ? pageOf(ctx, board, cursor, limit) : around10(ctx, rating, board, around)
    const [total, { standings, nextCursor }] = await Promise.all([totalOf(ctx, board), part])
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

async function totalOf(ctx: Ports, { ratingKey, season, from, below }: BoardQuery): Promise<number> {
  const atLeast = (matches: number) => ctx.storage.counters.read(boardCounter(ratingKey, season, matches))
  const [all, above] = await Promise.all([atLeast(from), below === undefined ? 0 : atLeast(below)])
  // Commits between the two reads may add to the second counter only.
  return Math.max(0, all - above)
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
  const [above, below] = await Promise.all([
    ctx.storage.standings.listBefore({ ...board, place, limit: AROUND_PLAYER }),
    ctx.storage.standings.list({ ...board, after: place, limit: AROUND_PLAYER }),
  ])
  return { standings: [...[...above].reverse(), own, ...below], nextCursor: null }
}

/** Returns the standing of a player on this leaderboard; undefined when it does not list the player. */
async function standingIn(ctx: Ports, rating: Rating, board: BoardQuery, playerId: string) {
  const newest = (await newestStandings(ctx, rating.key, [playerId])).get(playerId)
  const isOld = newest !== undefined && newest.season !== board.season
  const stored = isOld ? await ctx.storage.get('standing', standingId(ctx, rating.key, playerId, board.season)) : newest
  return stored !== undefined && isOnBoard(board, stored) ? stored : undefined
}

async function ranked(ctx: Ports, rating: Rating, board: BoardQuery, standings: readonly Standing[]) {
  const [first] = standings
  if (first === undefined) return []
  // Players in placement have no rank.
  const isRanked = board.below === undefined
  const before = isRanked ? await standingsBefore(ctx, rating, board, first, RANKED_PLACES) : RANKED_PLACES
  return standings.map((standing, index) => {
    const rank = before + index + 1
    return shownStanding(rating, standing, rank <= RANKED_PLACES ? rank : null)
  })
}
