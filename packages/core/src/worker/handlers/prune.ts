import { MINUTE_MS } from '../../shared/time'
import type { Context } from '../../use-cases/context'

/** How often old events, tombstones and records are forgotten. */
export const PRUNE_EVERY_MS = 5 * MINUTE_MS

/** Forgets what nobody may ask for any more, again and again. */
export async function prune(ctx: Context): Promise<number> {
  await ctx.storage.prune(ctx.clock.now())
  return ctx.clock.now() + PRUNE_EVERY_MS
}
