import { ofServer } from '../commit/of-server'
import { change } from '../commit/transact'
import { accept } from '../errors/decision'
import type { Service } from '../node/service'
import type { ObservedServer } from '../ports/orchestrator'
import { failedToComeUp, relaunched } from '../server/decide'
import { awaitsRelaunch, type GameServer, isComingUp } from '../server/game-server'
import { SECOND_MS } from '../shared/time'
import { becameReady, learnedMore } from './observed'
import { seenHere } from './seen-here'

/*
 * A restart has the same time as a launch: `launchTimeoutMs` to be spawned, and `launchTimeoutMs` again to be ready. A restart that needs
 * longer counts as a crash. Only time during which this node observed the server counts.
 */

/** Whether a server has used up its time to be spawned again, or its time to be ready after that. */
export const isOverdue = (ctx: Service, { id, attempt, relaunchAt }: GameServer): boolean =>
  ctx.node.watched.of(id, `${attempt} ${relaunchAt === null ? 'spawned' : 'asked for'}`) >= ctx.settings.launchTimeoutMs

/** Whether a server still has to be spawned again or to become ready, so that its time is counted. */
export const isStillToComeUp = (server: GameServer | undefined): boolean =>
  server !== undefined && (awaitsRelaunch(server) || isComingUp(server))

/**
 * Handles the running process of a restarted server: marks the server running when it is ready, and counts a crash when its time is over.
 */
export async function watchComeUp(ctx: Service, server: GameServer, current: ObservedServer): Promise<void> {
  if (current.state === 'ready') return becameReady(ctx, server, current)
  await learnedMore(ctx, server, current)
  if (!isOverdue(ctx, server)) return
  // The observation came from a pass over all servers and may be old, so this server is observed again.
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

/** Counts a failed start when the next process of a server could not be spawned in time. */
export async function endWaitToSpawn(ctx: Service, { id, attempt }: GameServer, why: string): Promise<void> {
  const message = `was not started again within ${ctx.settings.launchTimeoutMs / SECOND_MS} s: ${why}`
  ctx.logger.warn('a game server could not be started again in time; it counts as a crash', {
    instance_id: id,
    attempt,
    reason: why,
  })
  const result = { ok: false, reason: 'retry', message } as const
  await change(ctx, ofServer, id, (server, { at }) => accept(...relaunched(server, { attempt, result, at })))
}
