import { ofServer } from '../commit/of-server'
import { change } from '../commit/transact'
import { accept } from '../errors/decision'
import { machineOf } from '../node/place'
import type { Service } from '../node/service'
import type { Ports } from '../ports/ports'
import { decideExpireServer as decideExpiry } from '../server/decide'
import { isLive, isStopping } from '../server/game-server'
import { processEnded } from './observed'
import { forgetHere, isAnyAlive, seenHere, stopHere } from './seen-here'
import { inSpawnTurn } from './spawn-turn'

/** Milliseconds between two checks whether the process of an ended server has exited. */
const LOOK_AGAIN_MS = 1_000

/** Asks the orchestrator to stop a `stopping` server. A later reconcile pass observes that its process has exited. */
export async function carryOutStop(ctx: Service, instanceId: string): Promise<void> {
  const server = await ctx.storage.get('server', instanceId)
  if (server === undefined || !isStopping(server)) return
  if (server.nodeId === null) {
    // The server was never launched, so there is nothing to stop.
    return processEnded(ctx, server, { code: null, signal: null, at: ctx.clock.now() })
  }
  if (server.nodeId === machineOf(ctx)) await stopHere(ctx, server)
}

/** Stops a server whose maximum lifetime (ttl) is over. When the end was moved to a later time, returns the time of the next check. */
export async function expireServer(ctx: Service, instanceId: string): Promise<number | undefined> {
  const server = await ctx.storage.get('server', instanceId)
  if (server === undefined || !isLive(server) || server.expiresAt === null) return undefined
  if (server.expiresAt > ctx.clock.now()) return server.expiresAt
  await change(ctx, ofServer, instanceId, (current, { at }) => accept(...decideExpiry(current, at)))
  return undefined
}

/** Releases the resources that an ended server has on this node. If a process of the server still runs, it is stopped first. */
export function releaseServer(ctx: Service, instanceId: string): Promise<number | undefined> {
  // This work waits for a launch of the instance that is still running. Otherwise that launch could spawn a process after the check.
  return inSpawnTurn(ctx, instanceId, () => releaseInTurn(ctx, instanceId))
}

async function releaseInTurn(ctx: Ports, instanceId: string): Promise<number | undefined> {
  const server = await ctx.storage.get('server', instanceId)
  if (server === undefined || isLive(server) || server.nodeId !== machineOf(ctx)) return undefined
  if (isAnyAlive(await seenHere(ctx, server))) {
    await stopHere(ctx, server)
    return ctx.clock.now() + LOOK_AGAIN_MS
  }
  await forgetHere(ctx, server)
  await ctx.storage.presence.forget(instanceId)
  return undefined
}
