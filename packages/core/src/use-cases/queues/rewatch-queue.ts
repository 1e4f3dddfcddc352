import { Draft } from '../../commit/draft'
import { followUps } from '../../commit/follow-ups'
import { apply } from '../../commit/transact'
import type { Context } from '../../context/context'
import { lobbiesOfQueue } from '../../context/lobbies-of-queue'

/** After a queue's timeouts changed, each of its lobbies is looked at under the new ones. */
export async function rewatchQueue(ctx: Context, projectId: string, queueId: string): Promise<void> {
  for await (const lobbies of lobbiesOfQueue(ctx, projectId, queueId)) {
    const draft = new Draft(ctx.clock.now())
    for (const lobby of lobbies) draft.job(...followUps.lobbyRewatched(lobby, draft.at))
    if (lobbies.length > 0) await apply(ctx, draft)
  }
}
