import { apply } from '../apply'
import type { Context } from '../context'
import { jobs } from '../jobs'
import { Plan } from '../plan'

const LOBBIES_AT_ONCE = 100

/** After a queue's timeouts changed, each of its lobbies is looked at under the new ones. */
export async function rewatchQueue(ctx: Context, projectId: string, queueId: string): Promise<void> {
  for (let offset = 0; ; offset += LOBBIES_AT_ONCE) {
    // Oldest first: lobbies made meanwhile come last and are watched by the new settings anyway.
    const page = await ctx.storage.lobbies.browse({
      projectId,
      queueId,
      includePrivate: true,
      sort: 'created_at_asc',
      limit: LOBBIES_AT_ONCE,
      offset,
    })
    const plan = new Plan(ctx.clock.now())
    for (const lobby of page.data) plan.job(jobs.watchLobby(lobby.id, plan.at))
    if (page.data.length > 0) await apply(ctx, plan)
    if (page.data.length < LOBBIES_AT_ONCE) return
  }
}
