import { Draft } from '../../commit/draft'
import { followUps } from '../../commit/follow-ups'
import { apply } from '../../commit/transact'
import type { Context } from '../../context/context'

const LOBBIES_AT_ONCE = 100

/** After a queue's timeouts changed, each of its lobbies is looked at under the new ones. */
export async function rewatchQueue(ctx: Context, projectId: string, queueId: string): Promise<void> {
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
  // From the end: lobbies made meanwhile are watched by the new settings anyway, and those deleted meanwhile move the others
  // towards the pages that are still to come.
  for (let page = Math.ceil(total / LOBBIES_AT_ONCE) - 1; page >= 0; page--) {
    const { data } = await read(page * LOBBIES_AT_ONCE)
    const draft = new Draft(ctx.clock.now())
    for (const lobby of data) draft.job(...followUps.lobbyRewatched(lobby, draft.at))
    if (data.length > 0) await apply(ctx, draft)
  }
}
