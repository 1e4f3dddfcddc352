import type { Build } from '../build/build'
import { ofServer } from '../commit/of-server'
import { change } from '../commit/transact'
import type { Context } from '../context/context'
import { accept } from '../errors/decision'
import { ServiceError } from '../errors/service-error'
import type { GameServer } from '../server/game-server'
import { attemptLaunch, failLaunch as decideFailure, giveUpAttempt as decideGiveUp } from '../server/launch'
import { isAnyAlive, seenHere } from './seen-here'

/* What a launch writes down: each step before it is taken, so that whoever goes on knows what may run. */

/** Node, build, ports and attempt are in the record before anything is spawned. A port taken meanwhile: the next round draws again. */
export async function recordAttempt(ctx: Context, seen: GameServer, build: Build): Promise<void> {
  const networkPorts = await ctx.orchestrator.proposePorts(seen.portRequests)
  const attempt = { nodeId: ctx.settings.nodeId, networkPorts, buildId: build.id, buildVersion: build.buildVersion }
  const taken = new ServiceError('CONFLICT', 'a proposed port is taken')
  try {
    await change(
      ctx,
      ofServer,
      seen.id,
      (server, draft) => {
        // A build that is deleted at this instant is not launched.
        draft.check('build', build)
        return accept(...attemptLaunch(server, seen, attempt))
      },
      { onConflict: (conflict) => (conflict.on === 'unique' ? taken : undefined) },
    )
  } catch (error) {
    if (error !== taken) throw error
  }
}

/** The attempt is over in the record before its remains are forgotten, so that it is never taken for running. */
export async function giveUpAttempt(ctx: Context, seen: GameServer, counts: boolean): Promise<'again'> {
  await change(ctx, ofServer, seen.id, (server) => accept(...decideGiveUp(server, seen, counts)))
  await forgetEnded(ctx, seen.id)
  return 'again'
}

/**
 * What is left of earlier attempts here. One that still runs, because this node stood still while others gave it up, is a stray: its
 * notes are what it is found and ended by, be it as a stray or by the launch of the next attempt here.
 */
async function forgetEnded(ctx: Context, instanceId: string): Promise<void> {
  if (!isAnyAlive(await seenHere(ctx, instanceId))) await ctx.orchestrator.forget(instanceId)
}

/** The launch as a whole comes to nothing. */
export async function failLaunch(
  ctx: Context,
  instanceId: string,
  stopReason: string,
  more: { readonly exitCode?: number | null; readonly cause?: 'build_missing' } = {},
): Promise<'ended'> {
  await change(ctx, ofServer, instanceId, (server, { at }) =>
    accept(...decideFailure(server, { exitCode: null, ...more, stopReason, at })),
  )
  return 'ended'
}
