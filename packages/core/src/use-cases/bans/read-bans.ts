import type { Ban } from '../../ban/ban'
import { noSuchBan } from '../../ban/decide'
import { DEFAULT_PAGE_LIMIT } from '../../catalog/limits'
import { unavailableInsteadOf } from '../../commit/transact'
import { ServiceError, validationFailed } from '../../errors/service-error'
import type { Ports } from '../../ports/ports'
import type { InProject } from '../../project/in-project'
import { bansIn } from '../../project/project'
import { banOf } from '../../reads/bans'
import { requireProject } from '../../reads/require'
import { type WalkWindow, walked } from '../../reads/walk'
import type { Stretch } from '../../shared/place'

export interface GetBanInput extends InProject {
  /** Id of the player. */
  readonly playerId: string
}

export interface ListBansInput extends InProject {
  /** Cursor: `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
  /** Number of bans before this page; without a cursor only. */
  readonly offset?: number | undefined
  /** Maximum number of bans on a page, 1 to 100. Default: 50. */
  readonly limit?: number | undefined
}

/** Page of a project's bans. */
export interface ProjectBans extends Stretch<Ban> {
  /** Number of all listed bans. */
  readonly total: number
}

/** Returns the ban of a player that is in force. Throws BAN_NOT_FOUND. */
export async function requireBan(ctx: Ports, { projectId, playerId }: GetBanInput): Promise<Ban> {
  const ban = await banOf(ctx, projectId, playerId)
  if (ban === undefined) throw ServiceError.of(noSuchBan(playerId).rejected)
  return ban
}

export const getBan = (ctx: Ports, input: GetBanInput): Promise<Ban> =>
  unavailableInsteadOf(() => requireBan(ctx, input))

/** Returns a page of a project's bans, newest first. Bans that ended within the last 30 days are included. Throws VALIDATION_FAILED. */
export function listBans(ctx: Ports, input: ListBansInput): Promise<ProjectBans> {
  const { projectId, cursor, offset = 0, limit = DEFAULT_PAGE_LIMIT } = input
  return unavailableInsteadOf(async () => {
    if (cursor !== undefined && offset > 0) {
      throw validationFailed([{ path: 'offset', message: 'must be 0 with a cursor' }])
    }
    const project = await requireProject(ctx, projectId)
    const read = (window: WalkWindow) =>
      ctx.storage.bans.list({ projectId, ...window, ...(window.before === undefined ? { offset } : {}) })
    return { ...(await walked<Ban>({ cursor, limit, read })), total: bansIn(project) }
  })
}
