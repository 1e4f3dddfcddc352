import { ServiceError } from '../../errors/service-error'
import type { Service } from '../../node/service'

/** Seconds after which the caller should repeat a refused call. */
const RETRY_AFTER_SECONDS = 10

/**
 * Throws UNAVAILABLE when a project has its maximum number of live lobbies. A node counts the lobbies of a project at most once a second,
 * so a project may exceed the maximum by the lobbies that are created within one second.
 */
export async function requireRoomForLobby(ctx: Service, projectId: string): Promise<void> {
  const { maxLobbiesPerProject: most } = ctx.settings
  const total = await ctx.node.lobbyCounts.get(projectId, () => ctx.storage.lobbies.count(projectId))
  if (total < most) return
  const detail = `this project has ${most} lobbies, the maximum for one project on this installation; delete some lobbies, or try again in ${RETRY_AFTER_SECONDS} s`
  throw new ServiceError('UNAVAILABLE', detail, {}, undefined, RETRY_AFTER_SECONDS)
}
