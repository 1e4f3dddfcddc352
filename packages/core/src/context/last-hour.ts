import type { Queue } from '../queue/queue'
import { HOUR_MS, MINUTE_MS } from '../shared/time'
import type { Context } from './context'
import { HourFigures } from './hour-figures'

/** What the queue's matches of the last hour waited, read at most once a second on this node. */
export const hourFigures = (ctx: Context, queue: Queue): Promise<HourFigures> => figuresOf(ctx, queue, HOUR_MS)

/** The same of the last ten minutes: how it is now, where the hour says how it was. */
export const recentFigures = (ctx: Context, queue: Queue): Promise<HourFigures> => figuresOf(ctx, queue, RECENT_MS)

const RECENT_MS = 10 * MINUTE_MS

function figuresOf(ctx: Context, queue: Queue, backMs: number): Promise<HourFigures> {
  return ctx.hours.get(
    `${queue.id} ${backMs}`,
    async () => new HourFigures(await ctx.storage.matches.waits(queue.id, ctx.clock.now() - backMs)),
  )
}
