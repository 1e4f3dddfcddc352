import type { Queue } from '../queue/queue'
import { HOUR_MS } from '../shared/time'
import type { Context } from './context'
import { HourFigures } from './hour-figures'

/** What the queue's matches of the last hour waited, read at most once a second on this node. */
export function hourFigures(ctx: Context, queue: Queue): Promise<HourFigures> {
  return ctx.hours.get(
    queue.id,
    async () => new HourFigures(await ctx.storage.matches.waits(queue.id, ctx.clock.now() - HOUR_MS)),
  )
}
