import type { Ports } from '../ports/ports'
import { sweepUploads } from '../runtime/sweep-uploads'
import { MINUTE_MS } from '../shared/time'

/** How often old tombstones and records are forgotten. */
export const PRUNE_EVERY_MS = 5 * MINUTE_MS

/** Interval in milliseconds between prunes of logs */
export const PRUNE_EVENTS_EVERY_MS = MINUTE_MS

/** Forgets what nobody may ask for any more, again and again. */
export async function prune(ctx: Ports): Promise<number> {
  await ctx.storage.prune(ctx.clock.now())
  await sweepUploads(ctx)
  return ctx.clock.now() + PRUNE_EVERY_MS
}

/** Prunes the logs of lobbies, repeatedly. */
export async function pruneEvents(ctx: Ports): Promise<number> {
  await ctx.storage.events.prune(ctx.clock.now())
  return ctx.clock.now() + PRUNE_EVENTS_EVERY_MS
}
