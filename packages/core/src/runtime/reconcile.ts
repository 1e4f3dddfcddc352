import { Draft } from '../commit/draft'
import { followUps } from '../commit/follow-ups'
import { apply } from '../commit/transact'
import { machineOf } from '../node/place'
import type { Service } from '../node/service'
import type { ObservedServer } from '../ports/orchestrator'
import type { Ports } from '../ports/ports'
import { type GameServer, isComingUp, isLaunching, isLive, isRunning, isStopping } from '../server/game-server'
import type { Instant } from '../shared/time'
import { isStillToComeUp, watchComeUp } from './come-up'
import { launchServer } from './launch-server'
import type { LaunchHands } from './line'
import { noteLaunched } from './machine-faults'
import { ranAs, startSightings } from './never-ready'
import { becameReady, endedUnseen, learnedMore, processEnded } from './observed'
import { relaunchServer } from './relaunch-server'
import { forgetHere, isAnyAlive, seenHere, stopHere, type Whom } from './seen-here'
import { inSpawnTurn, isSpawning } from './spawn-turn'
import { tellStray } from './strays'
import { type Trouble, tellTroubles } from './troubles'

export interface ReconcileOptions {
  /** Part of the worker that continues an abandoned attempt of this node. If it is absent, a job continues the attempt, on any node. */
  readonly hands?: LaunchHands
  /** Instances to reconcile. Absent: all instances. */
  readonly among?: ReadonlySet<string>
}

export interface Reconciled {
  /** Number of compared instances and records. */
  readonly count: number
  /** Instances that are starting, stopping or restarting. They are checked again soon, with or without a hint. */
  readonly inMotion: ReadonlySet<string>
}

/**
 * Compares the processes on this node with the records, and corrects every difference. The comparison uses the current state, so missed
 * events do no harm. The function may run at any time and any number of times.
 */
export async function reconcileServers(ctx: Service, { hands, among }: ReconcileOptions = {}): Promise<Reconciled> {
  const { observed, mine, at } = await look(ctx, among)
  const seenOf = byInstance(observed)
  const strays = inTurn(
    ctx,
    [...seenOf].filter(([instanceId]) => !mine.has(instanceId)),
  )
  const inMotion = new Set([...mine.keys(), ...strays.map(([instanceId]) => instanceId)])
  // Presence is recorded before the instances are reconciled, with the time of the observation, because reconciling may take long.
  const noted = ctx.node.presence.touchAll(sightingsOf(mine, seenOf, at))
  const troubles = await Promise.all([
    ...[...mine.values()].map((server) =>
      guarded(ctx, server.id, async () => {
        if (await reconcileServer(ctx, server, seenOf.get(server.id) ?? [], hands)) inMotion.delete(server.id)
      }),
    ),
    ...strays.map(([instanceId, seen]) => guarded(ctx, instanceId, () => removeStray(ctx, instanceId, seen))),
  ])
  await noted
  tellTroubles(ctx, troubles.flat(), { among })
  return { count: seenOf.size + mine.size, inMotion }
}

/** Maximum number of strays of one pass. A machine that reports thousands must not hold up the other work of its node. */
const MAX_STRAYS = 100

/** Returns the strays of this pass. Of too many, each pass takes others, so that strays that do not end hold up no others. */
function inTurn<T>({ node: { straysHandled } }: Service, strays: readonly T[]): readonly T[] {
  if (strays.length <= MAX_STRAYS) return strays
  const first = straysHandled.count % strays.length
  const taken = strays.slice(first, first + MAX_STRAYS)
  straysHandled.count += taken.length
  return taken
}

/**
 * Returns the observed processes by instance. The map is made once per pass, because a search for each record would make the cost
 * quadratic.
 */
function byInstance(observed: readonly ObservedServer[]): ReadonlyMap<string, readonly ObservedServer[]> {
  const seenOf = new Map<string, ObservedServer[]>()
  for (const seen of observed) {
    const ofThat = seenOf.get(seen.instanceId)
    if (ofThat === undefined) seenOf.set(seen.instanceId, [seen])
    else ofThat.push(seen)
  }
  return seenOf
}

/** Returns the presence entries of the live servers, to be recorded. */
const sightingsOf = (
  mine: ReadonlyMap<string, GameServer>,
  seenOf: ReadonlyMap<string, readonly ObservedServer[]>,
  at: Instant,
) =>
  [...mine.values()].flatMap((server) => {
    const current = currentOf(server, seenOf.get(server.id) ?? [])
    if (current === undefined || current.state === 'exited') return []
    if (!isRunning(server)) return server.runningAt === null ? startSightings(current, at) : []
    return [{ scope: server.id, member: 'process', at }]
  })

interface Looked {
  readonly observed: readonly ObservedServer[]
  readonly mine: ReadonlyMap<string, GameServer>
  readonly at: Instant
}

/** Returns the observed processes on this node, and the records of its live servers. */
async function look(ctx: Service, among: ReadonlySet<string> | undefined): Promise<Looked> {
  // The records are read after the processes are observed. Every process has a record before it is spawned, so each observed process of
  // this installation has one.
  if (among !== undefined) {
    const observed = await ctx.orchestrator.observe(undefined, { among })
    const records = await ctx.storage.getMany('server', [...among])
    const asked = observed.filter(({ instanceId }) => among.has(instanceId))
    return { observed: asked, mine: ownOf(ctx, records), at: ctx.clock.now() }
  }
  const { watched } = ctx.node
  try {
    const observed = await ctx.orchestrator.observe()
    const mine = ownOf(ctx, await ctx.storage.servers.listLive(machineOf(ctx)))
    const at = ctx.clock.now()
    watched.looked(at)
    watched.keep((id) => isStillToComeUp(mine.get(id)))
    return { observed, mine, at }
  } catch (error) {
    watched.missed()
    throw error
  }
}

const ownOf = (ctx: Ports, records: readonly GameServer[]): ReadonlyMap<string, GameServer> =>
  new Map(
    records.filter((server) => isLive(server) && server.nodeId === machineOf(ctx)).map((server) => [server.id, server]),
  )

/**
 * Calls the listener with the instance id when processes on this node may have changed, and with '' when capacity became free. Returns a
 * function that ends the subscription.
 */
export const whenServersMove = (ctx: Ports, listener: (instanceId: string) => void): (() => void) =>
  ctx.orchestrator.subscribe(listener)

/** Runs the work for one server, and returns the error of the work if it fails, so that the work for the other servers continues. */
async function guarded(ctx: Service, instanceId: string, work: () => Promise<void>): Promise<Trouble[]> {
  try {
    await work()
    return []
  } catch (error) {
    ctx.node.watched.forget(instanceId)
    return [{ instanceId, error: String(error) }]
  }
}

/** Reconciles one server. Returns whether the server runs and nothing is left to do. */
async function reconcileServer(
  ctx: Service,
  server: GameServer,
  all: readonly ObservedServer[],
  hands: LaunchHands | undefined,
): Promise<boolean> {
  if (isLaunching(server)) await reconcileLaunching(ctx, server, currentOf(server, all), hands)
  else if (isStopping(server)) await reconcileStopping(ctx, server, all)
  else if (server.relaunchAt !== null) await relaunchServer(ctx, server.id)
  else return reconcileRunning(ctx, server, all)
  return false
}

async function reconcileRunning(ctx: Service, server: GameServer, all: readonly ObservedServer[]): Promise<boolean> {
  // A process that the pass did not find may have been spawned after the pass, so the server is observed again. The call throws when the
  // platform does not answer.
  const current = currentOf(server, all) ?? currentOf(server, await seenHere(ctx, server))
  if (current === undefined || current.state === 'exited') {
    await processEnded(ctx, server, current?.exit ?? (await endedUnseen(ctx, server)))
    return false
  }
  if (isComingUp(server)) {
    await watchComeUp(ctx, server, current)
    return false
  }
  await learnedMore(ctx, server, current)
  return all.length <= 1
}

const currentOf = (server: GameServer, all: readonly ObservedServer[]): ObservedServer | undefined =>
  all.find((seen) => seen.attempt === server.attempt)

async function reconcileLaunching(
  ctx: Service,
  server: GameServer,
  seen: ObservedServer | undefined,
  hands: LaunchHands | undefined,
): Promise<void> {
  const now = ctx.clock.now()
  const isOver = server.attemptOpen && now >= server.launchDeadlineAt
  const isInHand = isSpawning(ctx, server.id) || (ctx.node.launchesAway.get(server.id) ?? 0) > now
  const isMissing = seen === undefined && server.attemptOpen && !isOver && !isInHand
  // The call throws when the platform does not answer. In this case no launch is possible, so no job slot for launches is used.
  const current = isMissing ? currentOf(server, await seenHere(ctx, server)) : seen
  if (current?.state === 'ready' && server.attemptOpen) {
    await becameReady(ctx, server, current)
    return noteLaunched(ctx)
  }
  if (current !== undefined) await learnedMore(ctx, server, current)
  // The job that ends the server at its deadline may run on another node, which does not know the condition that the attempt did not
  // fulfil. This node therefore ends the server.
  if (isOver) return void (await launchServer(ctx, server.id))
  // The attempt is recorded but its process is not spawned: its worker died, and the lease of the worker's job has not expired yet.
  const abandoned = isMissing && current === undefined
  if (current?.state !== 'exited' && !abandoned) return
  // This node already runs the job. Scheduling it again at each pass would only add runs that wait.
  if (isSpawning(ctx, server.id)) return
  await apply(ctx, new Draft(now).job(...followUps.launchAgain(server, now)))
  // The attempt holds capacity on this node, so only this node can continue it.
  if (abandoned) await hands?.launch(server.id)
}

async function reconcileStopping(ctx: Service, server: GameServer, all: readonly ObservedServer[]): Promise<void> {
  if (isAnyAlive(all)) return stopHere(ctx, server)
  // The next pass observes a process that is being spawned now.
  if (isSpawning(ctx, server.id)) return
  const now = await seenHere(ctx, server)
  if (isAnyAlive(now)) return stopHere(ctx, server)
  const current = currentOf(server, now)
  const exit = current?.exit ?? { code: null, signal: null, at: ctx.clock.now() }
  await processEnded(ctx, server, exit, current && ranAs(ctx, current))
}

/** Stops processes on this node that have no live record (strays), and removes their remains when all of them have ended. */
async function removeStray(ctx: Service, instanceId: string, seen: readonly ObservedServer[]): Promise<void> {
  const record = await ctx.storage.get('server', instanceId)
  if (record !== undefined && isLive(record) && record.nodeId === machineOf(ctx)) return
  const alive = seen.filter((one) => one.state !== 'exited')
  const whom = record ?? { id: instanceId }
  tellStray(ctx, instanceId, seen, record)
  if (alive.length === 0) return inSpawnTurn(ctx, instanceId, () => forgetStray(ctx, whom))
  await stopHere(ctx, whom)
}

/** Removes the remains of a stray after observing it again, because this node may have launched the instance again since the pass. */
async function forgetStray(ctx: Ports, whom: Whom): Promise<void> {
  if (isAnyAlive(await seenHere(ctx, whom))) return
  const record = await ctx.storage.get('server', whom.id)
  if (record !== undefined && isLive(record) && record.nodeId === machineOf(ctx)) return
  await forgetHere(ctx, whom)
  // The instance may run on another node, which needs its presence entries.
  if (record === undefined || !isLive(record)) await ctx.storage.presence.forget(whom.id)
}
