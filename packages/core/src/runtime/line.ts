import { ofServer } from '../commit/of-server'
import { change } from '../commit/transact'
import { accept } from '../errors/decision'
import type { Service } from '../node/service'
import type { Ports } from '../ports/ports'
import type { GameServer } from '../server/game-server'
import { isOlder, mayBePassed, waitForRoom } from '../server/room'
import { makeAttempt } from './attempts'
import { buildOf, failForBuild } from './build-to-launch'
import { lookForRoom } from './room'

/** One run gives room to so many at the most; the next one goes on. */
const MAX_PER_RUN = 256

/** Executor of admitted launches: the worker, with a claim of the launch's job. */
export interface LaunchHands {
  /** Whether it could take another one in hand. */
  readonly isFree: () => boolean
  readonly launch: (instanceId: string) => Promise<void>
}

/**
 * Gives this node's free capacity to the servers that wait in its orchestrator's lines, the oldest first; where the first of a line does not
 * fit, younger ones may pass for a while (see `server/room.ts`). The storage finds the first server of each size, so the cost does not depend
 * on the length of a line. Returns whether any server still waits. A full node reads only its own records.
 */
export function advanceLine(ctx: Service, hands: LaunchHands): Promise<boolean> {
  return ctx.node.turns.run('line', async () => {
    await lookForRoom(ctx)
    for (let given = 0; given < MAX_PER_RUN; given++) {
      if (ctx.node.room.isFull || !hands.isFree()) return true
      const heads = await ctx.storage.servers.firstInLine(ctx.orchestrator.name)
      const next = await admitNext(ctx, heads)
      if (next === undefined) return heads.length > 0
      if (next !== 'again') await hands.launch(next.id)
    }
    return true
  })
}

/** The first that has room here: its attempt is in the record then. `again`: something changed meanwhile. */
async function admitNext(ctx: Service, heads: readonly GameServer[]): Promise<GameServer | 'again' | undefined> {
  /** By region: the first of the line, where it does not fit and others would pass it. */
  const waiting = new Map<string, GameServer>()
  for (const server of heads) {
    const now = ctx.clock.now()
    // The server's deadline is over: its own job ends it.
    if (server.launchDeadlineAt <= now) continue
    const first = waiting.get(server.region)
    if (first !== undefined && !mayBePassed(first, now)) continue
    const found = await buildOf(ctx, server)
    if (found.build === undefined) {
      await failForBuild(ctx, server, found.why)
      return 'again'
    }
    const outcome = await makeAttempt(ctx, server, found.build, first)
    if (outcome === 'made') return server
    if (outcome === 'lost') return 'again'
    if (ctx.node.room.isFull) return undefined
    if (first === undefined && outcome.reason === 'full') waiting.set(server.region, server)
  }
  return undefined
}

/** Whether somebody older waits in the line that this one would have to join. */
export async function hasOlderInLine(ctx: Ports, server: GameServer): Promise<boolean> {
  const heads = await ctx.storage.servers.firstInLine(ctx.orchestrator.name)
  return heads.some((head) => head.region === server.region && isOlder(head, server))
}

/** Nobody has room for it now, or others came first. */
export async function joinLine(ctx: Service, seen: GameServer): Promise<void> {
  const { name } = ctx.orchestrator
  await change(ctx, ofServer, seen.id, (server) => accept(...waitForRoom(server, seen, name)))
}
