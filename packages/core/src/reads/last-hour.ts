import { HourFigures } from '../node/hour-figures'
import type { Service } from '../node/service'
import type { Queue } from '../queue/queue'
import { HOUR_MS, MINUTE_MS } from '../shared/time'

/** Returns the figures of the queue's matches in the last hour. A node reads them at most once a second. */
export const hourFigures = (ctx: Service, queue: Queue): Promise<HourFigures> => figuresOf(ctx, queue, HOUR_MS)

/**
 * Returns the figures of the last ten minutes, which show the present state better than those of the last hour. A node reads them at most
 * once a second.
 */
export const recentFigures = (ctx: Service, queue: Queue): Promise<HourFigures> => figuresOf(ctx, queue, RECENT_MS)

const RECENT_MS = 10 * MINUTE_MS

function figuresOf(ctx: Service, queue: Queue, backMs: number): Promise<HourFigures> {
  return ctx.node.hours.get(
    `${queue.id} ${backMs}`,
    async () => new HourFigures(await ctx.storage.matches.waits(queue.id, ctx.clock.now() - backMs)),
  )
}
