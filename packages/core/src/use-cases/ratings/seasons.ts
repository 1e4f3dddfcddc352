import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { transact, unavailableInsteadOf } from '../../commit/transact'
import { orThrow } from '../../errors/service-error'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import { mayStartSeason } from '../../rating/decide'
import type { Season } from '../../rating/rating'
import { requireRating } from '../../reads/standings'
import { windowOf } from '../../reads/window'
import type { Page } from '../../shared/page'
import type { OnRating } from './set-rating'

export interface StartSeasonInput extends OnRating {
  /** Name of the season, 1 to 128 characters, unique in the rating. */
  readonly name: string
  /** Share of the distance to the initial skill that players keep, 0 to 1. */
  readonly keep: number
}

export interface ListSeasonsInput extends OnRating {
  /** Maximum number of seasons on a page, 1 to 100. Default: 50. */
  readonly limit?: number | undefined
  /** Number of seasons before the page. Default: 0. */
  readonly offset?: number | undefined
}

/** Begins a season of a rating. Standings follow when they are next used. Throws RATING_NOT_FOUND, VALIDATION_FAILED. */
export function startSeason(ctx: Service, input: StartSeasonInput, call?: CallOptions): Promise<Season> {
  const { projectId, ratingId, name, keep } = input
  return transact(ctx, call, async () => {
    const rating = await requireRating(ctx, projectId, ratingId)
    orThrow(mayStartSeason(rating, { name, keep }))
    const draft = new Draft(ctx.clock.now())
    const season: Season = { name, keep, startedAt: draft.at }
    draft.update('rating', rating, { ...rating, seasons: [...rating.seasons, season], updatedAt: draft.at })
    return { draft, answer: season }
  })
}

/** Returns a page of the seasons of a rating, newest first. Throws RATING_NOT_FOUND. */
export function listSeasons(ctx: Ports, { projectId, ratingId, ...page }: ListSeasonsInput): Promise<Page<Season>> {
  return unavailableInsteadOf(async () => {
    const { seasons } = await requireRating(ctx, projectId, ratingId)
    const { offset, limit } = windowOf(page)
    return { total: seasons.length, data: [...seasons].reverse().slice(offset, offset + limit) }
  })
}
