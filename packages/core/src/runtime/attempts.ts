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

/** Milliseconds until the next try, after an admitted launch found no capacity. A signal of the orchestrator makes the try earlier. */
const ASK_AGAIN_MS = 5_000

/* Records of a launch. Each step is recorded before it is taken, so that the next worker knows which process may run. */

/**
 * Asks for capacity and records the attempt when capacity is free. `first` is the first server of the line, which this server passes.
 * Returns `lost` when the rows changed meanwhile, so that the caller reads them again.
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
 * Records the node, the build, the ports and the attempt before anything is spawned. `first` is the first server of the line: its row
 * counts the pass. Returns whether the attempt is recorded: not when a port was taken, the build changed, or the line moved meanwhile.
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
        // The commit fails if the build is deleted or disabled at the same time.
        draft.check('build', build)
        const mayPass = first === undefined || (await pass(ctx, draft, first.id))
        const events = mayPass ? attemptLaunch(server, seen, { ...attempt, at: draft.at }) : []
        isMade = events.length > 0
        return accept(...events)
      },
      {
        onConflict({ on, kind }) {
          if (on !== 'unique' && kind !== 'build') return undefined
          lost = new ServiceError('CONFLICT', 'a proposed port is already in use, or the build was changed')
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

/** Counts a pass on the row of the first server in the line, in the commit of the passing server. Returns whether the pass is allowed. */
async function pass(ctx: Ports, draft: Draft, firstId: string): Promise<boolean> {
  const first = await ctx.storage.get('server', firstId)
  if (first === undefined || !mayBePassed(first, draft.at)) return false
  const events = passInLine(first, draft.at)
  if (events.length === 0) draft.check('server', first)
  else writeServer(draft, first, events)
  return true
}

/** Ends the attempt in the record, and then forgets its remains. In this order an attempt without remains is never taken for running. */
export async function giveUpAttempt(ctx: Service, seen: GameServer, counts: boolean): Promise<'again'> {
  const ran = await neverReady(ctx, seen)
  await change(ctx, ofServer, seen.id, (server) => accept(...decideGiveUp(server, seen, counts, ran)))
  await forgetEnded(ctx, seen)
  return 'again'
}

/**
 * Forgets the ended earlier attempts on this node. When this node stalled and others gave up an attempt, its process may still run. Nothing
 * is forgotten then: the orchestrator's notes are needed to stop that process, as a stray or at the next launch here.
 */
async function forgetEnded(ctx: Ports, whom: Whom): Promise<void> {
  if (!isAnyAlive(await seenHere(ctx, whom))) await forgetHere(ctx, whom)
}

/** Ends an attempt that the orchestrator had no capacity for in the end. The server waits again, and its node and ports are free. */
export async function giveUpForRoom(ctx: Service, seen: GameServer): Promise<'waits'> {
  const { name } = ctx.orchestrator
  ctx.node.room.shut(ctx.clock.now() + ASK_AGAIN_MS)
  await change(ctx, ofServer, seen.id, (server) => accept(...decideForRoom(server, seen, name)))
  await forgetEnded(ctx, seen)
  return 'waits'
}

/** Postpones an attempt whose machine does not answer at present. The attempt stays open. */
export async function postponeLaunch(ctx: Service, seen: GameServer): Promise<'away'> {
  const { launchTimeoutMs } = ctx.settings
  await change(ctx, ofServer, seen.id, (server, { at }) =>
    accept(...decidePostponement(server, seen, { at, launchTimeoutMs })),
  )
  return 'away'
}

/** Fails the launch as a whole: the server ends. */
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
