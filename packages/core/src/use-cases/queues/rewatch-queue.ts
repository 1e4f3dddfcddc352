import { Draft } from '../../commit/draft'
import { followUps } from '../../commit/follow-ups'
import { apply } from '../../commit/transact'
import type { Service } from '../../node/service'
import { lobbiesOfQueue } from '../../reads/lobbies-of-queue'

/** Schedules a check of each lobby of a queue whose timeouts changed. */
export async function rewatchQueue(ctx: Service, projectId: string, queueId: string): Promise<void> {
  for await (const lobbies of lobbiesOfQueue(ctx, projectId, queueId)) {
    const draft = new Draft(ctx.clock.now())
    for (const lobby of lobbies) draft.job(...followUps.lobbyRewatched(lobby, draft.at))
    if (lobbies.length > 0) await apply(ctx, draft)
  }
}
