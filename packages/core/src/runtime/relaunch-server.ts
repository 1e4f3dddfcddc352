import { ofServer } from '../commit/of-server'
import { change } from '../commit/transact'
import { accept } from '../errors/decision'
import { machineOf } from '../node/place'
import type { Service } from '../node/service'
import { relaunched } from '../server/decide'
import { awaitsRelaunch, type GameServer } from '../server/game-server'
import { endWaitToSpawn, isOverdue } from './come-up'
import { forgetHere, isAnyAlive, seenHere, stopHere } from './seen-here'
import { spawnAttempt } from './spawn-attempt'
import { inSpawnTurn } from './spawn-turn'

/** Milliseconds until the next check whether the previous process has ended. */
const LOOK_AGAIN_MS = 100
/**
 * Milliseconds until capacity is requested again, when a stray process or a lowered limit leaves no capacity to restart the server. Also
 * the milliseconds before a build store that does not answer is called again.
 */
const ASK_AGAIN_MS = 1_000

/**
 * Spawns the next process of a running server, after the previous process has ended. Returns the time of the next check; undefined when
 * nothing is left to do.
 */
export function relaunchServer(ctx: Service, instanceId: string): Promise<number | undefined> {
  return inSpawnTurn(ctx, instanceId, () => relaunchInTurn(ctx, instanceId))
}

async function relaunchInTurn(ctx: Service, instanceId: string): Promise<number | undefined> {
  const server = await ctx.storage.get('server', instanceId)
  if (server === undefined || !awaitsRelaunch(server)) return undefined
  if (server.nodeId !== machineOf(ctx)) return undefined
  const now = ctx.clock.now()
  const before = (await seenHere(ctx, server)).filter((one) => one.attempt !== server.attempt)
  // A process that was not ready in time may still run. It must end before the next process starts.
  if (isAnyAlive(before)) {
    await stopHere(ctx, server)
    if (server.relaunchAt > now) return server.relaunchAt
    if (!isOverdue(ctx, server)) return now + LOOK_AGAIN_MS
    return void (await endWaitToSpawn(ctx, server, 'its earlier process has not ended'))
  }
  if (server.relaunchAt > now) return server.relaunchAt
  if (before.length > 0) await forgetHere(ctx, server)
  return spawn(ctx, server)
}

async function spawn(ctx: Service, server: GameServer): Promise<number | undefined> {
  const build = server.buildId === null ? undefined : await ctx.storage.get('build', server.buildId)
  const result =
    build === undefined
      ? ({ ok: false, reason: 'final', message: 'its build was deleted' } as const)
      : await spawnAttempt(ctx, server, build)
  if (!result.ok && result.reason === 'away') {
    ctx.node.watched.forget(server.id)
    return ctx.clock.now() + ASK_AGAIN_MS
  }
  if (!result.ok && result.reason === 'no_room') {
    if (!isOverdue(ctx, server)) return ctx.clock.now() + ASK_AGAIN_MS
    return void (await endWaitToSpawn(ctx, server, result.message))
  }
  const { attempt } = server
  await change(ctx, ofServer, server.id, (now, { at }) => accept(...relaunched(now, { attempt, result, at })))
  return undefined
}
