import type { Ports } from '../ports/ports'
import { type BoardQuery, boardPlace, wholeTiers } from '../rating/board'
import { beginOfCell } from '../rating/board-cell'
import { cellRange } from '../rating/board-counters'
import type { Rating } from '../rating/rating'
import type { Standing } from '../rating/standing'

/**
 * Returns the number of standings on a leaderboard of placed players before a standing, at most `limit`. The cells before that of the
 * standing are counters; only the standings of its own cell, and of levels outside the whole tiers, are counted in the storage. A commit
 * between these reads can change the number by the standings that it moves.
 */
export async function standingsBefore(
  ctx: Ports,
  rating: Rating,
  board: BoardQuery,
  standing: Standing,
  limit: number,
): Promise<number> {
  const place = boardPlace(standing)
  const { first, tiers } = wholeTiers(board)
  const counters = tiers.map((tier) => cellRange(board.ratingKey, board.season, tier, standing.cell))
  const count = (part: object) => ctx.storage.standings.countBefore({ ...board, ...part, place, limit })
  const parts = await Promise.all([
    standing.cell === 0 ? 0 : ctx.storage.counters.sum(counters),
    count({ from: first, after: beginOfCell(rating, standing.cell) }),
    first === board.from ? 0 : count({ below: first }),
  ])
  return Math.min(
    limit,
    parts.reduce((sum, part) => sum + part, 0),
  )
}
