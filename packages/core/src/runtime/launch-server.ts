import type { Build } from '../build/build'
import { ServiceError } from '../errors/service-error'
import { isOpenMachine, nobodyServes } from '../machine/machine'
import { machineOf } from '../node/place'
import type { Service } from '../node/service'
import type { LaunchResult, ObservedServer } from '../ports/orchestrator'
import type { Ports } from '../ports/ports'
import { isOneAway, machinesNow, withoutTls } from '../reads/machines'
import { describeExit, isWithoutSandbox } from '../server/decide'
import { type GameServer, hasTls, isLaunching, isWaiting } from '../server/game-server'
import { mayAttempt } from '../server/launch'
import { SECOND_MS } from '../shared/time'
import { failLaunch, giveUpAttempt, giveUpForRoom, makeAttempt, postponeLaunch } from './attempts'
import { buildOf, failForBuild } from './build-to-launch'
import { crashReport } from './crash-report'
import { hasOlderInLine, joinLine } from './line'
import { lacksArchive, leaveMachine, noteLaunched } from './machine-faults'
import { becameReady } from './observed'
import { countOn, otherMachineFor } from './placing'
import { reroute } from './reroute'
import { seenHere } from './seen-here'
import { spawnAttempt } from './spawn-attempt'
import { inSpawnTurn } from './spawn-turn'

/**
 * Maximum number of attempts in one run of the job. The bound is needed because an attempt that found a port in use does not count as a
 * launch attempt.
 */
const MAX_ROUNDS = 32

export interface LaunchOptions {
  /**
   * Whether to give up the recorded attempt, even if it belongs to another node, because the worker of this launch died or stalled for
   * longer than its lease.
   */
  readonly takeOver?: boolean
}

/** Milliseconds until the next check, when the attempt belongs to another node or when this node cannot reach the attempt's build. */
const LOOK_AGAIN_MS = 1_000
/**
 * Milliseconds after the deadline in which only the node that spawned the attempt ends it, because only that node knows which condition the
 * attempt did not fulfil.
 */
const OWNER_ENDS_WITHIN_MS = 3_000

/**
 * Continues a launch from its recorded step towards a running server. Every step is recorded before it is taken, and launching a recorded
 * attempt again does no harm. Returns the time of the next check; undefined when nothing is left to do.
 */
export function launchServer(
  ctx: Service,
  instanceId: string,
  options: LaunchOptions = {},
): Promise<number | undefined> {
  return inSpawnTurn(ctx, instanceId, () => launchInTurn(ctx, instanceId, options))
}

async function launchInTurn(ctx: Service, instanceId: string, options: LaunchOptions): Promise<number | undefined> {
  ctx.node.launchesAway.delete(instanceId)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const server = await ctx.storage.get('server', instanceId)
    if (server === undefined || !isLaunching(server)) return undefined
    const elsewhere = server.attemptOpen && server.nodeId !== machineOf(ctx)
    const now = ctx.clock.now()
    const endsBy = server.launchDeadlineAt + OWNER_ENDS_WITHIN_MS
    if (elsewhere && now < endsBy) {
      // The attempt belongs to another node, which continues it. This node checks only the deadline, because the other node may never come
      // back.
      if (options.takeOver !== true) return Math.min(endsBy, now + LOOK_AGAIN_MS)
      // If the other node comes back, its process has no live record and is stopped as a stray.
      await giveUpAttempt(ctx, server, { counts: false })
      continue
    }
    const over = await ctx.tracing.within(server.trace, () => launchRound(ctx, server))
    if (over === 'away') {
      const again = ctx.clock.now() + LOOK_AGAIN_MS
      ctx.node.launchesAway.set(instanceId, again)
      return again
    }
    // At that time, another node may claim the job.
    if (over === 'elsewhere') return ctx.clock.now() + LOOK_AGAIN_MS
    if (over !== 'again') return over === 'ended' ? undefined : deadlineOf(ctx, instanceId)
  }
  const last = await ctx.storage.get('server', instanceId)
  if (last !== undefined) await failLaunch(ctx, last, 'no free ports were found')
  return undefined
}

/** Returns the deadline of a launch: by then the server must run or, if it still waits, must have got capacity. */
const deadlineOf = async (ctx: Ports, instanceId: string): Promise<number | undefined> =>
  (await ctx.storage.get('server', instanceId))?.launchDeadlineAt

async function launchRound(
  ctx: Service,
  server: GameServer,
): Promise<'again' | 'up' | 'waits' | 'away' | 'elsewhere' | 'ended'> {
  const seconds = ctx.settings.launchTimeoutMs / 1_000
  if (ctx.clock.now() >= server.launchDeadlineAt) {
    if (isWaiting(server)) return failForRoom(ctx, server)
    const why = (await trouble(ctx, server)) || (await unseenArchive(ctx, server))
    return failLaunch(ctx, server, `was not running within ${seconds} s${why}`)
  }
  const found = await buildOf(ctx, server)
  if (found.build === undefined) return failForBuild(ctx, server, found.why)
  const { build } = found
  // For a waiting server this job does nothing. The server is launched later, when it is next in the waiting line.
  if (isWaiting(server)) return 'waits'
  if (!server.attemptOpen) {
    if (await reroute(ctx, server)) return 'again'
    if (!mayAttempt(server)) return failLaunch(ctx, server, 'every launch attempt failed')
    const uncertified = hasTls(server.portRequests) ? await withoutTls(ctx, server.region) : undefined
    // A machine with a certificate may only be restarting.
    if (uncertified !== undefined && !isOneAway(ctx, server.region)) return failLaunch(ctx, server, uncertified)
    return attemptOrWait(ctx, server, build)
  }
  const observed = (await seenHere(ctx, server)).find((seen) => seen.attempt === server.attempt)
  if (observed?.state === 'exited') return afterExit(ctx, server, observed)
  // After a crash or a lost answer, a server that is not ready may be launched only in part. Launching the server again does no harm.
  if (observed?.state !== 'ready') {
    const result = await spawnAttempt(ctx, server, build)
    if (!result.ok) return afterFailedLaunch(ctx, server, result)
  } else {
    await becameReady(ctx, server, observed)
    await noteLaunched(ctx)
  }
  return 'up'
}

/** Returns the end of a message: the condition that the last attempt did not fulfil, or the error of a platform that does not answer. */
const trouble = (ctx: Ports, server: GameServer): Promise<string> =>
  seenHere(ctx, server).then(
    (seen) => {
      const lacks = seen.find((one) => one.attempt === server.attempt)?.waitsFor
      return lacks === undefined ? '' : `: ${lacks}`
    },
    (error: unknown) => (error instanceof ServiceError ? `: ${error.detail}` : ''),
  )

/**
 * Returns the end of a message: a note if this node does not find the archive of the build, and otherwise an empty text. Nodes that
 * have the archive may have had no capacity.
 */
async function unseenArchive(ctx: Service, server: GameServer): Promise<string> {
  const { build } = await buildOf(ctx, server)
  return build !== undefined && ctx.node.unseenArchives.has(build.id)
    ? `: this node does not have the archive of ${build.id}`
    : ''
}

/**
 * Makes an attempt. If older servers wait, no capacity is free, or another machine suits better, puts the server into the waiting line
 * instead. A node that does not have the archive leaves the launch to a machine that runs the build, or to any node.
 */
async function attemptOrWait(ctx: Service, server: GameServer, build: Build): Promise<'again' | 'waits' | 'elsewhere'> {
  const waitsBehind = await hasOlderInLine(ctx, server)
  let machine = waitsBehind ? undefined : await otherMachineFor(ctx, server)
  const mayTry = !ctx.node.room.isFull && !waitsBehind && machine === undefined
  const outcome = mayTry ? await makeAttempt(ctx, server, build) : 'line'
  if (outcome === 'made' || outcome === 'lost') return 'again'
  if (outcome !== 'line' && outcome.reason === 'no_archive') {
    machine = await lacksArchive(ctx, server, build.id, outcome.message)
    if (machine === undefined) return 'elsewhere'
  }
  if (machine !== undefined) countOn(ctx, machine, server)
  await joinLine(ctx, server, machine)
  return 'waits'
}

async function failForRoom(ctx: Service, server: GameServer): Promise<'ended' | 'again'> {
  const seconds = Math.round((server.launchDeadlineAt - server.createdAt) / SECOND_MS)
  const machines = await machinesNow(ctx)
  const uncertified = hasTls(server.portRequests) ? await withoutTls(ctx, server.region) : undefined
  const isServed = machines.some((one) => isOpenMachine(one) && one.regions.includes(server.region))
  const sentence =
    isServed && uncertified === undefined
      ? `no node had capacity for a ${server.tier} server in ${server.region} within ${seconds} s`
      : `${uncertified ?? nobodyServes(server.region, machines)}; the server waited ${seconds} s`
  return failLaunch(ctx, server, sentence, { cause: 'no_room' })
}

const SANDBOX_FAULT = 'the sandbox of the machine could not be set up'

/** Handles a process that ended before it was ready: makes the next attempt, or records that the launch failed. */
async function afterExit(
  ctx: Service,
  server: GameServer,
  { exit }: ObservedServer,
): Promise<'again' | 'waits' | 'ended'> {
  const hasNoSandbox = exit !== null && isWithoutSandbox(exit)
  if (hasNoSandbox && (await leaveMachine(ctx, server, SANDBOX_FAULT))) return 'waits'
  const crash = exit === null ? {} : { crash: await crashReport(ctx, server, exit) }
  if (mayAttempt(server)) return giveUpAttempt(ctx, server, { counts: true, ...crash })
  const reason = exit === null ? 'ended' : describeExit(exit)
  const sentence = hasNoSandbox ? SANDBOX_FAULT : `the game server ${reason} before it was ready`
  return failLaunch(ctx, server, sentence, { exitCode: exit?.code ?? null, ...crash })
}

async function afterFailedLaunch(
  ctx: Service,
  server: GameServer,
  { reason, message }: Exclude<LaunchResult, { ok: true }>,
): Promise<'again' | 'waits' | 'away' | 'ended'> {
  if (reason === 'no_room') return giveUpForRoom(ctx, server)
  if (reason === 'away') {
    ctx.logger.warn('a launch waits', { instance_id: server.id, attempt: server.attempt, reason: message })
    return postponeLaunch(ctx, server)
  }
  if (reason === 'machine' && (await leaveMachine(ctx, server, message))) return 'waits'
  const mayRetry = reason === 'retry' || reason === 'machine'
  ctx.logger.warn('a launch attempt failed', { instance_id: server.id, attempt: server.attempt, reason: message })
  const isLast = mayRetry && !mayAttempt(server)
  if (reason === 'final' || isLast) return failLaunch(ctx, server, message)
  return giveUpAttempt(ctx, server, { counts: mayRetry })
}
