import type { Page, Standing } from './api/types'
import type { Calls } from './calls/calls'

/** Part of a leaderboard that a game shows. */
export interface LeaderboardQuery {
  /** Name of a season; an empty name means before the first season. Default: the present season. */
  readonly season?: string | undefined
  /** Whether the players in placement are listed, in place of the others. Default: false. */
  readonly placement?: boolean | undefined
  /** Cursor: `next_cursor` of the page before. Default: the first page. */
  readonly cursor?: string | undefined
  /** Number of players on the page, 1 to 100. Default: 50. */
  readonly limit?: number | undefined
}

/** Page of a leaderboard, the best player first. */
export interface LeaderboardPage {
  /** Number of all players on the leaderboard. */
  readonly total: number
  /** Standings of the page. */
  readonly data: readonly Standing[]
  /** Cursor of the next page; absent on the last one. */
  readonly next_cursor?: string
}

/** Reads ratings of players, and leaderboards. */
export interface Ratings {
  /**
   * Returns the standings of a player in the present seasons, one for each rating with a counted match. Default: this
   * client's player.
   */
  of(playerId?: string): Promise<readonly Standing[]>
  /** Returns a page of the leaderboard of a rating. Rejects with `RATING_NOT_FOUND`, `VALIDATION_FAILED`. */
  leaderboard(ratingId: string, query?: LeaderboardQuery): Promise<LeaderboardPage>
  /**
   * Returns up to ten players on either side of a player, with this player; nobody if the leaderboard does not list the
   * player. Default: this client's player. Rejects with `RATING_NOT_FOUND`, `VALIDATION_FAILED`.
   */
  around(ratingId: string, playerId?: string, query?: Pick<LeaderboardQuery, 'season'>): Promise<readonly Standing[]>
}

/** Maximum ratings of a project, and the longest page: one page has all standings of a player. */
const ALL_RATINGS = 100

export function ratingsOf({ call }: Calls, me: () => Promise<string>): Ratings {
  const board = (ratingId: string, fields: Readonly<Record<string, string | number | boolean | undefined>>) => {
    const query = new URLSearchParams()
    // An empty season is a season too.
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, `${value}`)
    return call<LeaderboardPage>('GET', `/v1/ratings/${encodeURIComponent(ratingId)}/leaderboard?${query}`)
  }
  return {
    async of(playerId) {
      const id = encodeURIComponent(playerId ?? (await me()))
      return (await call<Page<Standing>>('GET', `/v1/players/${id}/ratings?limit=${ALL_RATINGS}`)).data
    },
    leaderboard: (ratingId, { season, placement, cursor, limit } = {}) =>
      board(ratingId, { season, placement, cursor, limit }),
    around: async (ratingId, playerId, { season } = {}) =>
      (await board(ratingId, { season, around: playerId ?? (await me()) })).data,
  }
}
