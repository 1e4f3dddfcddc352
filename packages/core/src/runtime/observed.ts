import { changeServer } from '../commit/change-server'
import type { Context } from '../context/context'
import type { ServerExit } from '../ports/orchestrator'
import { serverExited } from '../server/decide'
import { canMoveServer } from '../server/evolve'
import type { GameServer } from '../server/game-server'

const isCurrent = (current: GameServer, seen: GameServer) => current.attempt === seen.attempt

/** The process takes players: its server runs, its lobbies are in the game, the meter starts. */
export async function becameReady(ctx: Context, server: GameServer): Promise<void> {
  await changeServer(ctx, server.id, (current, plan) => {
    // An attempt that was given up does not come up after all: the next one is on its way.
    const runs = isCurrent(current, server) && current.attemptOpen && canMoveServer(current, 'ready')
    return { events: runs ? [{ type: 'server_running', at: plan.at }] : [] }
  })
}

/** The process of a running or stopping server ended: normally, by a crash that is mended, or for good. */
export async function processEnded(ctx: Context, server: GameServer, exit: ServerExit): Promise<void> {
  await changeServer(ctx, server.id, (current, plan) => {
    const counts = isCurrent(current, server) && (current.status === 'running' || current.status === 'stopping')
    return { events: counts ? serverExited(current, exit, plan.at) : [] }
  })
}

/** A process that nobody watched when it ended stopped when it was last seen alive (contract §3). */
export async function endedUnseen(ctx: Context, server: GameServer): Promise<ServerExit> {
  const seen = (await ctx.storage.presence.read(server.id)).map((sighting) => sighting.at)
  return { code: null, signal: null, at: Math.max(server.runningAt ?? server.createdAt, ...seen) }
}
