import { PAGE_LIMIT } from '../../catalog/limits'
import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import { withoutArrived } from '../../lobby/arrival'
import type { Service } from '../../node/service'
import { Slices } from '../../node/slices'

const BATCHES = 250
const BATCH_BYTES = 1024 * 1024

/**
 * Removes a player from the recorded arrivals of the project's queues. Returns whether any record contained the player. The call is rare.
 * It reads all records page by page, which takes a few seconds at worst; an index by player would slow down every record of every queue.
 */
export async function leaveArrivals(ctx: Service, projectId: string, playerId: string): Promise<boolean> {
  let found = false
  for (let offset = 0, total = 1; offset < total; offset += PAGE_LIMIT.max) {
    const page = await ctx.storage.queues.list(projectId, { limit: PAGE_LIMIT.max, offset })
    total = page.total
    for (const { id } of page.data) found = (await leaveQueue(ctx, id, playerId)) || found
  }
  return found
}

async function leaveQueue(ctx: Service, queueKey: string, playerId: string): Promise<boolean> {
  const slices = new Slices(ctx)
  let found = false
  for (let after: string | undefined; ; ) {
    const place = after === undefined ? {} : { after }
    const bounds = { since: 0, limit: BATCHES, maxBytes: BATCH_BYTES }
    const batches = await ctx.storage.arrivals.list({ queueKey, ...bounds, ...place })
    for (const batch of batches) {
      if (withoutArrived(batch, playerId) === undefined) continue
      found = true
      await leaveBatch(ctx, batch.id, playerId)
    }
    after = batches.at(-1)?.id
    if (after === undefined) return found
    await slices.pause()
  }
}

const leaveBatch = (ctx: Service, id: string, playerId: string) =>
  transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const batch = await ctx.storage.get('arrivals', id)
    const arrivals = batch && withoutArrived(batch, playerId)
    if (batch !== undefined && arrivals !== undefined) draft.update('arrivals', batch, { ...batch, arrivals })
    return { draft, answer: null }
  })
