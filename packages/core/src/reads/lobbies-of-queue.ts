import type { Lobby } from '../lobby/lobby'
import type { Ports } from '../ports/ports'

const LOBBIES_AT_ONCE = 100

/**
 * Yields the lobbies of a queue whose settings changed, page by page from the newest to the oldest page. Lobbies that are created meanwhile
 * have the new settings already, so it does no harm to miss them. When lobbies are deleted, the other lobbies move towards pages that will
 * be read later, so no lobby is skipped.
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
