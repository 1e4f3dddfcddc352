import type { BoardQuery } from '../../rating/board'
import type { Rating } from '../../rating/rating'
import type { Standing } from '../../rating/standing'
import type { ListWindow, Page } from '../../shared/page'

/** Standings of one leaderboard, in its order. */
export interface StandingQuery extends BoardQuery {
  /** Selects the standings after this place (`boardPlace`). */
  readonly after?: string
  readonly limit: number
  /** Maximum bytes, as in `ListWindow`. */
  readonly maxBytes?: number
}

/** Position in one leaderboard. */
export interface BoardPosition extends BoardQuery {
  /** Place of a standing (`boardPlace`), which need not exist. */
  readonly place: string
  readonly limit: number
}

/** Part of one leaderboard before a place. */
export interface BoardPart extends BoardPosition {
  /** Text after which the places are counted, an even number of hexadecimal digits. Default: from the first place on. */
  readonly after?: string
}

export interface RatingReaders {
  /** Returns a page of the ratings of a project, by ascending rating id. */
  list(projectId: string, page: ListWindow): Promise<Page<Rating>>
}

/** Readers of standings. The cost of each grows with the size of the answer, that of `countBefore` with the answered number. */
export interface StandingReaders {
  /** Returns standings of a leaderboard, in the order of their places (`boardPlace`). */
  list(query: StandingQuery): Promise<Standing[]>
  /** Returns the standings of a leaderboard that are directly before a place, the nearest first. */
  listBefore(position: BoardPosition): Promise<Standing[]>
  /** Returns the number of standings in a part of a leaderboard, at most `limit`. */
  countBefore(part: BoardPart): Promise<number>
  /** Returns standings of a player in all ratings and seasons of a project, in any order. */
  ofPlayer(projectId: string, playerId: string, limit: number): Promise<Standing[]>
  /** Returns standings of a rating by its key, in all seasons, in any order. */
  ofRating(ratingKey: string, limit: number): Promise<Standing[]>
}
