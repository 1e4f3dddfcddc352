import { ofServer } from '../commit/of-server'
import { change } from '../commit/transact'
import { accept } from '../errors/decision'
import type { Service } from '../node/service'
import type { ObservedServer } from '../ports/orchestrator'
import { failedToComeUp, relaunched } from '../server/decide'
import { awaitsRelaunch, type GameServer, isComingUp, stopGraceOf } from '../server/game-server'
import { SECOND_MS } from '../shared/time'
import { becameReady, learnedMore } from './observed'
import { seenHere } from './seen-here'

/**
 * Time limits for the restart of a server's process. They are the same as for a launch: `launchTimeoutMs` until the spawn (longer by the
 * grace period that a queue sets), and `launchTimeoutMs` again until the process is ready. A restart that needs longer counts as a crash.
 * Only time in which this node observed the server counts.
 */

/** Whether a server has used up its time for the spawn, or its time to become ready after the spawn. */
export const isOverdue = (ctx: Service, server: GameServer): boolean => {
  const { id, attempt, relaunchAt } = server
  const watched = ctx.node.watched.of(id, `${attempt} ${relaunchAt === null ? 'spawned' : 'asked for'}`)
  return watched >= (relaunchAt === null ? ctx.settings.launchTimeoutMs : spawnTimeoutOf(ctx, server))
}

/** Returns the milliseconds for the spawn. The earlier process may use its own grace period to end first. */
const spawnTimeoutOf = (ctx: Service, server: GameServer): number =>
  ctx.settings.launchTimeoutMs + stopGraceOf(server, 0)

/** Whether a server is being restarted and is not ready yet, so that the time of its restart is counted. */
export const isStillToComeUp = (server: GameServer | undefined): boolean =>
  server !== undefined && (awaitsRelaunch(server) || isComingUp(server))

/**
 * Handles the running process of a restarted server. Records the server as running when the process is ready, and counts a crash when the
 * time limit has passed.
 */
export async function watchComeUp(ctx: Service, server: GameServer, current: ObservedServer): Promise<void> {
  if (current.state === 'ready') return becameReady(ctx, server, current)
  await learnedMore(ctx, server, current)
  if (!isOverdue(ctx, server)) return
  // The given observation came from a pass over all servers and may be outdated, so this server is observed again.
  const seen = (await seenHere(ctx, server)).find(({ attempt }) => attempt === server.attempt)
  if (seen?.state === 'ready') return becameReady(ctx, server, seen)
  if (seen?.state === 'starting') await endComingUp(ctx, server, seen.waitsFor)
}

async function endComingUp(ctx: Service, { id, attempt }: GameServer, lacks: string | undefined): Promise<void> {
  const withinMs = ctx.settings.launchTimeoutMs
  ctx.logger.warn('a restart of a game server did not come up in time; it counts as a crash', {
    instance_id: id,
    attempt,
    ...(lacks === undefined ? {} : { reason: lacks }),
  })
  await change(ctx, ofServer, id, (server, { at }) =>
    accept(...failedToComeUp(server, { attempt, withinMs, lacks, at })),
  )
}

/** Counts a crash when the next process of a server could not be spawned in time. */
export async function endWaitToSpawn(ctx: Service, asked: GameServer, why: string): Promise<void> {
  const { id, attempt } = asked
  const message = `was not started again within ${spawnTimeoutOf(ctx, asked) / SECOND_MS} s: ${why}`
  ctx.logger.warn('a game server could not be started again in time; it counts as a crash', {
    instance_id: id,
    attempt,
    reason: why,
  })
  const result = { ok: false, reason: 'retry', message } as const
  await change(ctx, ofServer, id, (server, { at }) => accept(...relaunched(server, { attempt, result, at })))
}
