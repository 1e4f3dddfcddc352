import type { Build } from '../build/build'
import { changeServer } from '../commit/change-server'
import type { Context } from '../context/context'
import { ServiceError } from '../errors/service-error'
import type { LaunchResult, ObservedServer } from '../ports/orchestrator'
import { describeExit } from '../server/decide'
import { type GameServer, MAX_LAUNCH_ATTEMPTS } from '../server/game-server'
import { specOf } from './launch-spec'
import { becameReady } from './observed'
import { isAnyAlive, seenHere } from './seen-here'
import { inSpawnTurn } from './spawn-turn'

/** Rounds of one run of the job; attempts that met a port in use are not counted as launch attempts. */
const MAX_ROUNDS = 32

export interface LaunchOptions {
  /** The worker that had this launch in hand died, or stood still past its claim: what it recorded is given up, wherever it was. */
  readonly takeOver?: boolean
}

/** How soon to look again at an attempt that another node, which is not known to be dead, has recorded. */
const LOOK_AGAIN_MS = 1_000

/**
 * Brings a launching server nearer to running, whatever was done before: every step is recorded before it is taken, and
 * launching a recorded attempt again is harmless. Answers when to look again, undefined when there is nothing left to do.
 */
export function launchServer(
  ctx: Context,
  instanceId: string,
  options: LaunchOptions = {},
): Promise<number | undefined> {
  return inSpawnTurn(ctx, instanceId, () => launchInTurn(ctx, instanceId, options))
}

async function launchInTurn(ctx: Context, instanceId: string, options: LaunchOptions): Promise<number | undefined> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const server = await ctx.storage.get('server', instanceId)
    if (server?.status !== 'launching') return undefined
    const elsewhere = server.attemptOpen && server.nodeId !== ctx.settings.nodeId
    const now = ctx.clock.now()
    if (elsewhere && now < server.launchDeadlineAt) {
      // That node goes on with its attempt. Its time is everybody's to watch, for it may never come back.
      if (options.takeOver !== true) return Math.min(server.launchDeadlineAt, now + LOOK_AGAIN_MS)
      // Should it come back, its process is without a live record, and ends as a stray.
      await giveUpAttempt(ctx, server, false)
      continue
    }
    const over = await launchRound(ctx, server)
    if (over !== 'again') return over === 'ended' ? undefined : server.launchDeadlineAt
  }
  return fail(ctx, instanceId, 'no free ports were found')
}

async function launchRound(ctx: Context, server: GameServer): Promise<'again' | 'up' | 'ended'> {
  const { id } = server
  const seconds = ctx.settings.launchTimeoutMs / 1_000
  if (ctx.clock.now() >= server.launchDeadlineAt) {
    return ended(fail(ctx, id, `was not running within ${seconds} s${await trouble(ctx)}`))
  }
  const build = await pinnedBuild(ctx, server)
  if (build === undefined) return ended(fail(ctx, id, `BUILD_NOT_READY: no build named ${server.versionTag} is ready`))
  if (!server.attemptOpen) {
    if (server.launchAttempts >= MAX_LAUNCH_ATTEMPTS) return ended(fail(ctx, id, 'every launch attempt failed'))
    await recordAttempt(ctx, server, build)
    return 'again'
  }
  const observed = await observe(ctx, server)
  if (observed?.state === 'exited') return afterExit(ctx, server, observed)
  if (observed === undefined) {
    const result = await ctx.orchestrator.launch(await specOf(ctx, server, build))
    if (!result.ok) return afterFailedLaunch(ctx, server, result)
  } else if (observed.state === 'ready') await becameReady(ctx, server)
  return 'up'
}

const ended = async (failing: Promise<undefined>): Promise<'ended'> => {
  await failing
  return 'ended'
}

/** What kept every attempt from being made, where the platform itself is away. */
const trouble = (ctx: Context): Promise<string> =>
  ctx.orchestrator.observe().then(
    () => '',
    (error: unknown) => (error instanceof ServiceError ? `: ${error.detail}` : ''),
  )

/** It came up and ended before it was ready: the next attempt, or the end. */
async function afterExit(ctx: Context, server: GameServer, observed: ObservedServer): Promise<'again' | 'ended'> {
  const exit = observed.exit
  if (server.launchAttempts >= MAX_LAUNCH_ATTEMPTS) {
    const reason = exit === null ? 'ended' : describeExit(exit)
    return ended(fail(ctx, server.id, `the game server ${reason} while it was launching`, exit?.code ?? null))
  }
  return giveUpAttempt(ctx, server, true)
}

async function afterFailedLaunch(
  ctx: Context,
  server: GameServer,
  result: Exclude<LaunchResult, { ok: true }>,
): Promise<'again' | 'ended'> {
  ctx.logger.warn('a launch attempt failed', {
    instance_id: server.id,
    attempt: server.attempt,
    reason: result.message,
  })
  const last = result.reason === 'retry' && server.launchAttempts >= MAX_LAUNCH_ATTEMPTS
  if (result.reason === 'final' || last) return ended(fail(ctx, server.id, result.message))
  return giveUpAttempt(ctx, server, result.reason === 'retry')
}

/** The attempt is over in the record before its remains are forgotten, so that it is never taken for running. */
async function giveUpAttempt(ctx: Context, server: GameServer, counts: boolean): Promise<'again'> {
  await changeServer(ctx, server.id, (current) => ({
    events: sameAttempt(current, server) ? [{ type: 'server_attempt_failed', counts }] : [],
  }))
  await forgetEnded(ctx, server.id)
  return 'again'
}

/**
 * What is left of earlier attempts here. One that still runs, because this node stood still while others gave it up, is a stray: its
 * notes are what it is found and ended by, be it as a stray or by the launch of the next attempt here.
 */
async function forgetEnded(ctx: Context, instanceId: string): Promise<void> {
  if (!isAnyAlive(await seenHere(ctx, instanceId))) await ctx.orchestrator.forget(instanceId)
}

const sameAttempt = (current: GameServer, server: GameServer): boolean =>
  current.status === 'launching' && current.attempt === server.attempt && current.attemptOpen === server.attemptOpen

async function pinnedBuild(ctx: Context, server: GameServer): Promise<Build | undefined> {
  if (server.buildId === null) return ctx.storage.builds.newestReady(server.projectId, server.versionTag)
  return ctx.storage.get('build', server.buildId)
}

async function observe(ctx: Context, server: GameServer): Promise<ObservedServer | undefined> {
  return (await seenHere(ctx, server.id)).find((seen) => seen.attempt === server.attempt)
}

/** Node, build, ports and attempt are in the record before anything is spawned. A port taken meanwhile: the next round draws again. */
async function recordAttempt(ctx: Context, server: GameServer, build: Build): Promise<void> {
  const networkPorts = await ctx.orchestrator.proposePorts(server.portRequests)
  const { nodeId } = ctx.settings
  const taken = new ServiceError('CONFLICT', 'a proposed port is taken')
  try {
    await changeServer(ctx, server.id, (current, plan) => {
      if (!sameAttempt(current, server)) return { events: [] }
      // A build that is deleted at this instant is not launched.
      plan.check('build', build)
      const { id: buildId, buildVersion } = build
      return {
        events: [{ type: 'server_launch_attempted', nodeId, networkPorts, buildId, buildVersion }],
        onConflict: (conflict) => (conflict.on === 'unique' ? taken : undefined),
      }
    })
  } catch (error) {
    if (error !== taken) throw error
  }
}

async function fail(ctx: Context, id: string, stopReason: string, exitCode: number | null = null): Promise<undefined> {
  await changeServer(ctx, id, (server, plan) => ({
    events: server.status === 'launching' ? [{ type: 'server_failed', exitCode, stopReason, at: plan.at }] : [],
  }))
  return undefined
}
