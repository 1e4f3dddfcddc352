import { ofServer } from '../commit/of-server'
import { change } from '../commit/transact'
import { accept } from '../errors/decision'
import { machineOf } from '../node/place'
import type { Service } from '../node/service'
import type { Ports } from '../ports/ports'
import { isOwnOpen, regionsOf, runsHere } from '../reads/machines'
import type { GameServer } from '../server/game-server'
import { isLeftTo, isOlder, mayBePassed, waitForRoom } from '../server/room'
import { makeAttempt } from './attempts'
import { buildOf, failForBuild } from './build-to-launch'
import { lacksArchive } from './machine-faults'
import { reroute } from './reroute'
import { lookForRoom } from './room'

/** Maximum number of launches that one run starts. The next run continues. */
const MAX_PER_RUN = 256

/** Returns the first servers of the waiting lines, one of each size and region. */
export const firstOfLines = (ctx: Ports): Promise<readonly GameServer[]> =>
  ctx.storage.servers.firstInLine(ctx.orchestrator.name)

/** Part of the worker that claims and runs the jobs of admitted launches. */
export interface LaunchHands {
  /** Whether the worker can run another launch. */
  readonly isFree: () => boolean
  readonly launch: (instanceId: string) => Promise<void>
}

/**
 * Gives this node's free capacity to the servers in its orchestrator's waiting line (the servers that wait for capacity), the oldest first.
 * When the first server does not fit, younger servers may be launched before it for a limited time (see `server/room.ts`). The storage
 * finds the first server of each size, so the cost does not depend on the length of the line. A node without free capacity reads only its
 * own records. Returns whether servers still wait.
 */
export function advanceLine(ctx: Service, hands: LaunchHands): Promise<boolean> {
  return ctx.node.turns.run('line', async () => {
    await lookForRoom(ctx)
    for (let given = 0; given < MAX_PER_RUN; given++) {
      if (ctx.node.room.isFull || !hands.isFree()) return true
      const heads = await firstOfLines(ctx)
      const next = await admitNext(ctx, heads)
      if (next === undefined) return heads.length > 0
      if (next !== 'again') await hands.launch(next.id)
    }
    return true
  })
}

/**
 * Records the attempt of the first waiting server that fits on this node, and returns that server. Returns `again` when rows changed
 * meanwhile.
 */
async function admitNext(ctx: Service, heads: readonly GameServer[]): Promise<GameServer | 'again' | undefined> {
  /**
   * By region, the first server of the waiting line if it does not fit. If another server of the region is launched, it is launched before
   * this first server.
   */
  const waiting = new Map<string, GameServer>()
  for (const server of heads) {
    const now = ctx.clock.now()
    // The deadline of this server has passed, and the server's own job ends it. Servers of other regions wait for other machines.
    if (server.launchDeadlineAt <= now) continue
    if (!regionsOf(ctx).includes(server.region)) {
      if (await reroute(ctx, server)) return 'again'
      continue
    }
    if (!isOwnOpen(ctx) || !runsHere(ctx, server) || isLeftTo(server, machineOf(ctx), now)) continue
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
    if (outcome.reason === 'no_archive') await lacksArchive(ctx, server, found.build.id, outcome.message)
    if (ctx.node.room.isFull) return undefined
    if (first === undefined && outcome.reason === 'full') waiting.set(server.region, server)
  }
  return undefined
}

/** Whether this node's machine may be the next to start the first server of a line, as this node last read it. */
export const mayStart = (ctx: Service, head: GameServer): boolean =>
  !ctx.node.room.isFull &&
  regionsOf(ctx).includes(head.region) &&
  isOwnOpen(ctx) &&
  runsHere(ctx, head) &&
  !isLeftTo(head, machineOf(ctx), ctx.clock.now())

/** Whether an older server waits in the same waiting line. */
export async function hasOlderInLine(ctx: Ports, server: GameServer): Promise<boolean> {
  const heads = await firstOfLines(ctx)
  // A server that is left to a machine does not wait for capacity.
  return heads.some(
    (head) => head.region === server.region && isOlder(head, server) && !isLeftTo(head, undefined, ctx.clock.now()),
  )
}

/**
 * Puts a server into the waiting line, because no node has capacity for the server, because older servers wait, or because `machine` shall
 * start it.
 */
export async function joinLine(ctx: Service, seen: GameServer, machine?: string): Promise<void> {
  const { name } = ctx.orchestrator
  await change(ctx, ofServer, seen.id, (server) => accept(...waitForRoom(server, seen, name, machine)))
}
