import type { Service } from '../node/service'
import type { Ports } from '../ports/ports'
import { sweepUploads } from '../runtime/sweep-uploads'
import { MINUTE_MS } from '../shared/time'
import { pruneAuditAddresses } from '../use-cases/audit/prune-audit'
import { pruneBans } from '../use-cases/bans/prune-bans'
import { pruneMachines } from '../use-cases/machines/prune-machines'
import { pruneMatches } from '../use-cases/matches/prune-matches'
import { countDropped } from './dropped-history'
import { catchUp } from './roll-up'

/** Milliseconds between two removals of old tombstones and records. */
export const PRUNE_EVERY_MS = 5 * MINUTE_MS

/** Milliseconds between two removals of old events from the logs of lobbies. */
export const PRUNE_EVENTS_EVERY_MS = MINUTE_MS

/** Removes expired tombstones and records, bans and matches that ended long ago, records of long-lost machines, old addresses of the audit log, and files of interrupted uploads. Returns the time of the next run. */
export async function prune(ctx: Service): Promise<number> {
  // After a pause of days, the rows that the pruning removes are rolled up first.
  if (!(await catchUp(ctx))) await countDropped(ctx)
  await ctx.storage.prune(ctx.clock.now())
  await pruneBans(ctx)
  await pruneMatches(ctx)
  await pruneAuditAddresses(ctx)
  await pruneMachines(ctx)
  await sweepUploads(ctx)
  return ctx.clock.now() + PRUNE_EVERY_MS
}

/** Removes old events from the logs of lobbies. Returns the time of the next run. */
export async function pruneEvents(ctx: Ports): Promise<number> {
  await ctx.storage.events.prune(ctx.clock.now())
  return ctx.clock.now() + PRUNE_EVENTS_EVERY_MS
}
