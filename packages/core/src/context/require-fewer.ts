import { holdingExceeded } from '../billing/limits'
import type { AccountWithin } from '../billing/plan'
import { ServiceError } from '../errors/service-error'
import type { Page, PageRequest } from '../shared/page'
import type { Context } from './context'

/** A kind of thing of which an account or a project holds a bounded number. */
export interface Holding {
  /** The limit's name in `details.limit`. */
  readonly limit: string
  readonly allowed: number
  /** The thing's name in a sentence: "queue". */
  readonly what: string
}

/**
 * Throws PLAN_LIMIT_EXCEEDED where a list holds as many things as it may. The list is read before the commit, so calls that run at the
 * same time may pass the bound by their own number.
 */
export async function requireFewer(
  account: AccountWithin,
  { limit, allowed, what }: Holding,
  list: (page: PageRequest) => Promise<Page<unknown>>,
): Promise<void> {
  const { total } = await list({ limit: 1, offset: 0 })
  if (total >= allowed) throw ServiceError.of(holdingExceeded(account, limit, allowed, what))
}

/** Seconds after which a call is worth another try where a project holds as many lobbies as it may. */
const RETRY_AFTER_SECONDS = 10

/**
 * Throws UNAVAILABLE where a project holds as many live lobbies as one project may. A node counts once a second for each project, so a
 * project may pass the bound by what it makes within a second.
 */
export async function requireRoomForLobby(ctx: Context, projectId: string): Promise<void> {
  const { maxLobbiesPerProject: most } = ctx.settings
  const total = await ctx.lobbyCounts.get(projectId, async () => {
    const everyLobby = { projectId, includePrivate: true, sort: 'created_at_desc', limit: 1, offset: 0 } as const
    return (await ctx.storage.lobbies.browse(everyLobby)).total
  })
  if (total < most) return
  const detail = `this project has ${most} live lobbies, as many as one project may have on this installation; delete some, or try again in ${RETRY_AFTER_SECONDS} s`
  throw new ServiceError('UNAVAILABLE', detail, {}, undefined, RETRY_AFTER_SECONDS)
}
