import type { ObservedServer } from '../../ports/orchestrator'
import { type GameServer, isLive } from '../../server/game-server'
import { apply } from '../apply'
import type { Context } from '../context'
import { jobs } from '../jobs'
import { Plan } from '../plan'
import { becameReady, endedUnseen, processEnded } from './observed'
import { relaunchServer } from './relaunch-server'

/**
 * Compares what really runs on this node with the records, by level: what it finds is mended whatever was missed before.
 * Safe to run at any time and as often as one likes.
 */
export async function reconcileServers(ctx: Context): Promise<void> {
  // The records are read after the look at the machine: a process that was seen had its record before it was spawned.
  const observed = await ctx.orchestrator.observe()
  const records = await ctx.storage.servers.listLive(ctx.settings.nodeId)
  const mine = new Map(
    records.filter((server) => server.nodeId === ctx.settings.nodeId).map((server) => [server.id, server]),
  )
  await Promise.all([
    ...[...mine.values()].map((server) => guarded(ctx, server.id, () => reconcileServer(ctx, server, observed))),
    ...observed
      .filter((seen) => mine.get(seen.instanceId) === undefined)
      .map((seen) => guarded(ctx, seen.instanceId, () => removeStray(ctx, seen))),
  ])
}

/** One server that cannot be mended now must not keep the others from it. */
async function guarded(ctx: Context, instanceId: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    ctx.logger.warn('a server could not be reconciled; it is tried again', {
      instance_id: instanceId,
      error: String(error),
    })
  }
}

async function reconcileServer(ctx: Context, server: GameServer, observed: readonly ObservedServer[]): Promise<void> {
  const all = observed.filter((seen) => seen.instanceId === server.id)
  const current = all.find((seen) => seen.attempt === server.attempt)
  if (server.status === 'launching') return reconcileLaunching(ctx, server, current)
  if (server.status === 'stopping') return reconcileStopping(ctx, server, all)
  if (server.relaunchAt !== null) return void (await relaunchServer(ctx, server.id))
  if (current === undefined) return processEnded(ctx, server, await endedUnseen(ctx, server))
  if (current.state === 'exited') return processEnded(ctx, server, current.exit ?? (await endedUnseen(ctx, server)))
  await ctx.presence.touch(server.id, 'process', ctx.clock.now())
}

async function reconcileLaunching(
  ctx: Context,
  server: GameServer,
  current: ObservedServer | undefined,
): Promise<void> {
  if (current?.state === 'ready' && server.attemptOpen) return becameReady(ctx, server)
  if (current?.state !== 'exited') return
  const now = ctx.clock.now()
  await apply(ctx, new Plan(now).job(jobs.launchServer(server.id, now)))
}

async function reconcileStopping(ctx: Context, server: GameServer, all: readonly ObservedServer[]): Promise<void> {
  if (all.some((seen) => seen.state !== 'exited')) {
    return ctx.orchestrator.stop(server.id, { graceMs: ctx.settings.stopGraceMs })
  }
  const exit = all.find((seen) => seen.attempt === server.attempt)?.exit
  await processEnded(ctx, server, exit ?? { code: null, signal: null, at: ctx.clock.now() })
}

/** A process without a live record of this node: it is stopped, and forgotten once it has ended. */
async function removeStray(ctx: Context, seen: ObservedServer): Promise<void> {
  const record = await ctx.storage.get('server', seen.instanceId)
  if (record !== undefined && isLive(record) && record.nodeId === ctx.settings.nodeId) return
  if (seen.state === 'exited') return ctx.orchestrator.forget(seen.instanceId)
  ctx.logger.warn('a stray game server is stopped', { instance_id: seen.instanceId, attempt: seen.attempt })
  await ctx.orchestrator.stop(seen.instanceId, { graceMs: ctx.settings.stopGraceMs })
}
