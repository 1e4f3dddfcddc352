import { fieldsRead, privateFields } from '@matchyard/matchmaking'
import { arrivalsId, byQueue, recorded } from '../lobby/arrival'
import type { Service } from '../node/service'
import { engineConfig } from '../queue/matchmaking'
import type { Draft } from './draft'

/**
 * Adds the recorded arrivals to a complete draft: one row for each queue in which the draft ends a stay. A row contains only those fields
 * of the players' states that the queue's matchmaking reads, and some numeric fields. The list of these fields may be one second old.
 */
export async function recordArrivals(ctx: Service, draft: Draft): Promise<void> {
  for (const { queueKey, arrivals } of byQueue(draft.ended)) {
    const fields = await fieldsOf(ctx, queueKey)
    draft.create('arrivals', {
      id: arrivalsId(queueKey, draft.at, ctx.ids.next('arr')),
      version: 1,
      leftAt: draft.at,
      arrivals: arrivals.map((arrival) => recorded(arrival, fields)),
    })
  }
}

/** Returns the fields of players' states that a queue's matchmaking reads, without private fields; read at most once a second on this node. */
export const fieldsOf = (ctx: Service, queueKey: string): Promise<readonly string[]> =>
  ctx.node.fieldsRead.get(queueKey, async () => {
    const queue = await ctx.storage.get('queue', queueKey)
    if (queue === undefined) return []
    const config = engineConfig(queue)
    const hidden = privateFields(config)
    return fieldsRead(config).filter((field) => !hidden.includes(field))
  })
