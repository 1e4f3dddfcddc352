import type { Lobby } from '../lobby/lobby'
import type { Ports } from '../ports/ports'

const LOBBIES_AT_ONCE = 100

/**
 * The lobbies of a queue whose settings have changed, page by page. From the end: lobbies made meanwhile are made under the new settings,
 * and those deleted meanwhile move the others towards the pages that are still to come.
 */
export async function* lobbiesOfQueue(
  ctx: Ports,
  projectId: string,
  queueId: string,
): AsyncGenerator<readonly Lobby[], void, undefined> {
  const read = (offset: number) =>
    ctx.storage.lobbies.browse({
      projectId,
      queueId,
      includePrivate: true,
      sort: 'created_at_asc',
      limit: LOBBIES_AT_ONCE,
      offset,
    })
  const { total } = await read(0)
  for (let page = Math.ceil(total / LOBBIES_AT_ONCE) - 1; page >= 0; page--) {
    yield (await read(page * LOBBIES_AT_ONCE)).data
  }
}
