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
 * A restart has as long as a launch: so long to be spawned, and so long to be ready once it is. Past it, it is one more crash. Only time
 * that this node has watched counts.
 */

/** Whether a server whose next process is to be spawned, or to be ready, has had its time. */
export const isOverdue = (ctx: Service, { id, attempt, relaunchAt }: GameServer): boolean =>
  ctx.node.watched.of(id, `${attempt} ${relaunchAt === null ? 'spawned' : 'asked for'}`) >= ctx.settings.launchTimeoutMs

/** Whether a server is still to come up, so that its time is observed. */
export const isStillToComeUp = (server: GameServer | undefined): boolean =>
  server !== undefined && (awaitsRelaunch(server) || isComingUp(server))

/** The process by which a server was restarted runs: it is ready, has more time, or has had it. */
export async function watchComeUp(ctx: Service, server: GameServer, current: ObservedServer): Promise<void> {
  if (current.state === 'ready') return becameReady(ctx, server, current)
  await learnedMore(ctx, server, current)
  if (!isOverdue(ctx, server)) return
  // The look was at all that runs, and may be a little old.
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

/** The next process of a server could not be spawned in time: as if that had failed. */
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
