import type { Build } from '../build/build'
import type { Draft } from '../commit/draft'
import { ofServer } from '../commit/of-server'
import { writeServer } from '../commit/rows/server'
import { change } from '../commit/transact'
import { accept } from '../errors/decision'
import { ServiceError } from '../errors/service-error'
import type { Service } from '../node/service'
import { type RoomAnswer, warmKey } from '../ports/orchestrator'
import type { Ports } from '../ports/ports'
import type { GameServer } from '../server/game-server'
import {
  attemptLaunch,
  decideFailLaunch as decideFailure,
  decideGiveUpAttempt as decideGiveUp,
  decidePostponeLaunch as decidePostponement,
} from '../server/launch'
import { decideGiveUpForRoom as decideForRoom, mayBePassed, passInLine } from '../server/room'
import { shapeOf } from './launch-spec'
import { neverReady } from './never-ready'
import { machineOf } from './place'
import { admit, isRefused } from './room'
import { forgetHere, isAnyAlive, seenHere, type Whom } from './seen-here'

/** How soon to try again what was admitted and found no room, unless the orchestrator says before that something has changed. */
const ASK_AGAIN_MS = 5_000

/* Records of a launch: each step is written before it is taken, so that the next worker knows which process may run. */

/**
 * Asks for capacity and, when there is some, records the attempt. `first`: the first server of the line, which this one passes. `lost`: the
 * rows changed meanwhile, so the caller reads again.
 */
export async function makeAttempt(
  ctx: Service,
  server: GameServer,
  build: Build,
  first?: GameServer,
): Promise<'made' | 'lost' | Exclude<RoomAnswer, { ok: true }>> {
  const admission = await admit(ctx, server, build)
  if (isRefused(admission)) return admission
  try {
    return (await recordAttempt(ctx, server, build, first)) ? 'made' : 'lost'
  } finally {
    admission.settle()
  }
}

/**
 * Records node, build, ports and attempt before anything is spawned. `first`: the passed server of the line, which counts the pass. Returns
 * whether the attempt is recorded; false when a port was taken, the build changed, or the line moved meanwhile.
 */
async function recordAttempt(ctx: Service, seen: GameServer, build: Build, first?: GameServer): Promise<boolean> {
  const proposed = await ctx.orchestrator.proposePorts(seen.portRequests, warmKey(shapeOf(seen, build)))
  const networkPorts = proposed === 'later' ? [] : proposed
  const { launchTimeoutMs } = ctx.settings
  const attempt = {
    nodeId: machineOf(ctx),
    networkPorts,
    buildId: build.id,
    buildVersion: build.buildVersion,
    launchTimeoutMs,
  }
  let isMade = false
  let lost: ServiceError | undefined
  try {
    await change(
      ctx,
      ofServer,
      seen.id,
      async (server, draft) => {
        // A build that is deleted or disabled at this instant is not launched.
        draft.check('build', build)
        const mayPass = first === undefined || (await pass(ctx, draft, first.id))
        const events = mayPass ? attemptLaunch(server, seen, { ...attempt, at: draft.at }) : []
        isMade = events.length > 0
        return accept(...events)
      },
      {
        onConflict({ on, kind }) {
          if (on !== 'unique' && kind !== 'build') return undefined
          lost = new ServiceError('CONFLICT', 'a proposed port is taken, or the build was changed')
          return lost
        },
      },
    )
  } catch (error) {
    if (lost === undefined || error !== lost) throw error
    return false
  }
  return isMade
}

/** Counts a pass in the commit of the passing server: the first of the line must be unchanged. */
async function pass(ctx: Ports, draft: Draft, firstId: string): Promise<boolean> {
  const first = await ctx.storage.get('server', firstId)
  if (first === undefined || !mayBePassed(first, draft.at)) return false
  const events = passInLine(first, draft.at)
  if (events.length === 0) draft.check('server', first)
  else writeServer(draft, first, events)
  return true
}

/** The attempt is over in the record before its remains are forgotten, so that it is never taken for running. */
export async function giveUpAttempt(ctx: Service, seen: GameServer, counts: boolean): Promise<'again'> {
  const ran = await neverReady(ctx, seen)
  await change(ctx, ofServer, seen.id, (server) => accept(...decideGiveUp(server, seen, counts, ran)))
  await forgetEnded(ctx, seen)
  return 'again'
}

/**
 * Forgets the ended earlier attempts on this node. An attempt that still runs, because this node stalled while others gave it up, is a stray:
 * its notes are needed to find and end it, as a stray or by the launch of the next attempt here.
 */
async function forgetEnded(ctx: Ports, whom: Whom): Promise<void> {
  if (!isAnyAlive(await seenHere(ctx, whom))) await forgetHere(ctx, whom)
}

/** The orchestrator had no room for it after all: it waits, and node and ports are free. */
export async function giveUpForRoom(ctx: Service, seen: GameServer): Promise<'waits'> {
  const { name } = ctx.orchestrator
  ctx.node.room.shut(ctx.clock.now() + ASK_AGAIN_MS)
  await change(ctx, ofServer, seen.id, (server) => accept(...decideForRoom(server, seen, name)))
  await forgetEnded(ctx, seen)
  return 'waits'
}

/** The attempt needs a machine that does not answer now: the attempt stays as it is. */
export async function postponeLaunch(ctx: Service, seen: GameServer): Promise<'away'> {
  const { launchTimeoutMs } = ctx.settings
  await change(ctx, ofServer, seen.id, (server, { at }) =>
    accept(...decidePostponement(server, seen, { at, launchTimeoutMs })),
  )
  return 'away'
}

/** The launch as a whole comes to nothing. */
export async function failLaunch(
  ctx: Service,
  instanceId: string,
  stopReason: string,
  more: { readonly exitCode?: number | null; readonly cause?: 'build_missing' | 'no_room' } = {},
): Promise<'ended'> {
  const seen = await ctx.storage.get('server', instanceId)
  const ran = seen && (await neverReady(ctx, seen))
  await change(ctx, ofServer, instanceId, (server, { at }) =>
    accept(...decideFailure(server, { exitCode: null, ...more, stopReason, at }, ran)),
  )
  return 'ended'
}
