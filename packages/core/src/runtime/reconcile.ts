import { Draft } from '../commit/draft'
import { followUps } from '../commit/follow-ups'
import { apply } from '../commit/transact'
import type { Context } from '../context/context'
import type { ObservedServer } from '../ports/orchestrator'
import { type GameServer, isComingUp, isLaunching, isLive, isStopping } from '../server/game-server'
import { isStillToComeUp, watchComeUp } from './come-up'
import { launchServer } from './launch-server'
import type { LaunchHands } from './line'
import { becameReady, endedUnseen, learnedMore, processEnded } from './observed'
import { placeOf } from './place'
import { relaunchServer } from './relaunch-server'
import { forgetHere, isAnyAlive, seenHere, stopHere, type Whom } from './seen-here'
import { inSpawnTurn, isSpawning } from './spawn-turn'
import { type Trouble, tellTroubles } from './troubles'

/**
 * Compares what really runs on this node with the records, by level: what it finds is mended whatever was missed before.
 * Safe to run at any time and as often as one likes. `hands`: who goes on with an attempt of this node that was abandoned; left out, it
 * is a job for whoever claims it. Answers whether there was anything to compare.
 */
export async function reconcileServers(ctx: Context, hands?: LaunchHands): Promise<boolean> {
  const { observed, mine } = await look(ctx)
  const seenOf = byInstance(observed)
  const strays = [...seenOf].filter(([instanceId]) => !mine.has(instanceId))
  const troubles = await Promise.all([
    ...[...mine.values()].map((server) =>
      guarded(ctx, server.id, () => reconcileServer(ctx, server, seenOf.get(server.id) ?? [], hands)),
    ),
    ...strays.map(([instanceId, seen]) => guarded(ctx, instanceId, () => removeStray(ctx, instanceId, seen))),
  ])
  tellTroubles(ctx, troubles.flat())
  return mine.size > 0 || observed.length > 0
}

/** Made once for each look: who searched all that runs for each record took four times as long for twice as many. */
function byInstance(observed: readonly ObservedServer[]): ReadonlyMap<string, readonly ObservedServer[]> {
  const seenOf = new Map<string, ObservedServer[]>()
  for (const seen of observed) {
    const ofThat = seenOf.get(seen.instanceId)
    if (ofThat === undefined) seenOf.set(seen.instanceId, [seen])
    else ofThat.push(seen)
  }
  return seenOf
}

/** What runs here, and the records of it. */
async function look(ctx: Context): Promise<{ observed: readonly ObservedServer[]; mine: Map<string, GameServer> }> {
  const { watched } = ctx
  try {
    // The records are read after the look at the machine: a process that was seen had its record before it was spawned.
    const observed = await ctx.orchestrator.observe()
    const records = await ctx.storage.servers.listLive(placeOf(ctx))
    const own = records.filter((server) => server.nodeId === placeOf(ctx))
    const mine = new Map(own.map((server) => [server.id, server]))
    watched.looked(ctx.clock.now())
    watched.keep((id) => isStillToComeUp(mine.get(id)))
    return { observed, mine }
  } catch (error) {
    watched.missed()
    throw error
  }
}

/** Calls back when what runs on this node may have changed; answers how to stop that. */
export const whenServersMove = (ctx: Context, listener: () => void): (() => void) =>
  ctx.orchestrator.subscribe(listener)

/** One server that cannot be mended now must not keep the others from it. Answers what hindered it. */
async function guarded(ctx: Context, instanceId: string, work: () => Promise<void>): Promise<Trouble[]> {
  try {
    await work()
    return []
  } catch (error) {
    ctx.watched.forget(instanceId)
    return [{ instanceId, error: String(error) }]
  }
}

async function reconcileServer(
  ctx: Context,
  server: GameServer,
  all: readonly ObservedServer[],
  hands: LaunchHands | undefined,
): Promise<void> {
  if (isLaunching(server)) return reconcileLaunching(ctx, server, currentOf(server, all), hands)
  if (isStopping(server)) return reconcileStopping(ctx, server, all)
  if (server.relaunchAt !== null) return void (await relaunchServer(ctx, server.id))
  // A process that is missing in the look may have been spawned since, and found ready; or it is where nobody answers now, and this throws.
  const current = currentOf(server, all) ?? currentOf(server, await seenHere(ctx, server))
  if (current === undefined) return processEnded(ctx, server, await endedUnseen(ctx, server))
  if (current.state === 'exited') return processEnded(ctx, server, current.exit ?? (await endedUnseen(ctx, server)))
  await (isComingUp(server) ? watchComeUp(ctx, server, current) : learnedMore(ctx, server, current))
  await ctx.presence.touch(server.id, 'process', ctx.clock.now())
}

const currentOf = (server: GameServer, all: readonly ObservedServer[]): ObservedServer | undefined =>
  all.find((seen) => seen.attempt === server.attempt)

async function reconcileLaunching(
  ctx: Context,
  server: GameServer,
  seen: ObservedServer | undefined,
  hands: LaunchHands | undefined,
): Promise<void> {
  const now = ctx.clock.now()
  const isOver = server.attemptOpen && now >= server.launchDeadlineAt
  const isInHand = isSpawning(ctx, server.id) || (ctx.launchesAway.get(server.id) ?? 0) > now
  const isMissing = seen === undefined && server.attemptOpen && !isOver && !isInHand
  // Where nobody answers now nothing can be launched either: then this throws, and nobody's hand is taken up with it.
  const current = isMissing ? currentOf(server, await seenHere(ctx, server)) : seen
  if (current?.state === 'ready' && server.attemptOpen) return becameReady(ctx, server, current)
  if (current !== undefined) await learnedMore(ctx, server, current)
  // The job that ends it at its deadline may be another node's, which does not see what the attempt lacks.
  if (isOver) return void (await launchServer(ctx, server.id))
  // Recorded, and not spawned: whoever was about to do it died, and its job is in a dead worker's hands until the lease runs out.
  const abandoned = isMissing && current === undefined
  if (current?.state !== 'exited' && !abandoned) return
  await apply(ctx, new Draft(now).job(...followUps.launchAgain(server, now)))
  // Room was given to it on this very node, so nobody else can go on with it.
  if (abandoned) await hands?.launch(server.id)
}

async function reconcileStopping(ctx: Context, server: GameServer, all: readonly ObservedServer[]): Promise<void> {
  if (isAnyAlive(all)) return stopHere(ctx, server)
  // What is being spawned will be there at the next look.
  if (isSpawning(ctx, server.id)) return
  const now = await seenHere(ctx, server)
  if (isAnyAlive(now)) return stopHere(ctx, server)
  const exit = currentOf(server, now)?.exit
  await processEnded(ctx, server, exit ?? { code: null, signal: null, at: ctx.clock.now() })
}

/** Processes without a live record of this node: they are stopped, and forgotten once all of them have ended. */
async function removeStray(ctx: Context, instanceId: string, seen: readonly ObservedServer[]): Promise<void> {
  const record = await ctx.storage.get('server', instanceId)
  if (record !== undefined && isLive(record) && record.nodeId === placeOf(ctx)) return
  const alive = seen.filter((one) => one.state !== 'exited')
  const whom = record ?? { id: instanceId }
  if (alive.length === 0) return inSpawnTurn(ctx, instanceId, () => forgetStray(ctx, whom))
  ctx.logger.warn('a stray game server is stopped', {
    instance_id: instanceId,
    attempts: alive.map((one) => one.attempt),
  })
  await stopHere(ctx, whom)
}

/** Looked at anew: since the last look this node may have been given the instance, and have spawned it. */
async function forgetStray(ctx: Context, whom: Whom): Promise<void> {
  if (isAnyAlive(await seenHere(ctx, whom))) return
  const record = await ctx.storage.get('server', whom.id)
  if (record !== undefined && isLive(record) && record.nodeId === placeOf(ctx)) return
  await forgetHere(ctx, whom)
  // On another node it may live on.
  if (record === undefined || !isLive(record)) await ctx.storage.presence.forget(whom.id)
}
