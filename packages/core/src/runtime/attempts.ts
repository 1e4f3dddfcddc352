import type { Build } from '../build/build'
import type { Draft } from '../commit/draft'
import { ofServer } from '../commit/of-server'
import { writeServer } from '../commit/rows/server'
import { change } from '../commit/transact'
import { accept } from '../errors/decision'
import { ServiceError } from '../errors/service-error'
import { takesServers } from '../machine/record'
import { machineOf } from '../node/place'
import type { Service } from '../node/service'
import { type RoomAnswer, warmKey } from '../ports/orchestrator'
import type { Ports } from '../ports/ports'
import { ownMachine } from '../reads/machines'
import type { ServerCrash } from '../server/crash'
import type { GameServer } from '../server/game-server'
import {
  attemptLaunch,
  decideFailLaunch as decideFailure,
  decideGiveUpAttempt as decideGiveUp,
  decidePostponeLaunch as decidePostponement,
  type LaunchFailure,
} from '../server/launch'
import { decideGiveUpForRoom as decideForRoom, mayBePassed, passInLine } from '../server/room'
import { shapeOf } from './launch-spec'
import { neverReady } from './never-ready'
import { createMachine } from './report-machine'
import { admit, isRefused } from './room'
import { forgetEnded } from './seen-here'

/**
 * Milliseconds until the next attempt after an admitted launch found no capacity. A signal of the orchestrator can start that attempt
 * earlier.
 */
const ASK_AGAIN_MS = 5_000

/**
 * Records of a launch and its attempts. Each step is recorded before it is taken, so that the next worker knows which process may be
 * running.
 */

/**
 * Requests capacity and, when capacity is free, records the attempt. `first` is the first server of the waiting line; it is given when a
 * younger server is launched before it. Returns `lost` when the rows changed meanwhile; the caller must then read them again.
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
 * Records the node, the build, the ports and the attempt before anything is spawned. When `first` is given, the row of this first server of
 * the waiting line also records that a younger server was launched before it. Returns whether the attempt is recorded. The attempt is not
 * recorded when a port was taken, the build changed, the waiting line changed, or the machine was cordoned meanwhile.
 */
async function recordAttempt(ctx: Service, seen: GameServer, build: Build, first?: GameServer): Promise<boolean> {
  const shape = await shapeOf(ctx, seen, build)
  // Without its secrets the launch fails, and takes no warm server.
  const pool = 'refused' in shape ? undefined : warmKey(shape)
  const proposed = await ctx.orchestrator.proposePorts(seen.portRequests, pool)
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
        // The commit fails if this node's machine is cordoned, or takes a pause, at the same time.
        const own = ownMachine(ctx)
        const isOpen = (await checkMachine(ctx, draft, own?.id)) ?? createMachine(ctx, draft, own)
        const events = mayPass && isOpen ? attemptLaunch(server, seen, { ...attempt, at: draft.at }) : []
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

/**
 * Adds a check of a machine's record, so that the commit fails when the machine changes at the same time. Returns whether the machine takes
 * new servers, as the storage has it now; undefined without a record.
 */
export async function checkMachine(
  ctx: Service,
  draft: Draft,
  machineId: string | undefined,
): Promise<boolean | undefined> {
  const machine = machineId === undefined ? undefined : await ctx.storage.get('machine', machineId)
  if (machine === undefined) return undefined
  ctx.node.machines.noteRecord(machine)
  draft.check('machine', machine)
  // Another node hosts the machine of an agent as soon as it has recorded its session.
  const isHosted = ctx.settings.machine.session === undefined || ctx.settings.machine.session() === machine.session
  return isHosted && takesServers(machine, draft.at)
}

/**
 * Records on the first server of the waiting line that a younger server is launched before it, in the same commit as that launch. Returns
 * whether this is allowed.
 */
async function pass(ctx: Ports, draft: Draft, firstId: string): Promise<boolean> {
  const first = await ctx.storage.get('server', firstId)
  if (first === undefined || !mayBePassed(first, draft.at)) return false
  const events = passInLine(first, draft.at)
  if (events.length === 0) draft.check('server', first)
  else writeServer(draft, first, events)
  return true
}

/**
 * Ends the attempt in the record, and then removes the attempt's remains on the node. In this order, an attempt without remains is never
 * recorded as running.
 */
export async function giveUpAttempt(
  ctx: Service,
  seen: GameServer,
  failed: { readonly counts: boolean; readonly crash?: ServerCrash },
): Promise<'again'> {
  const ran = await neverReady(ctx, seen)
  await change(ctx, ofServer, seen.id, (server) => accept(...decideGiveUp(server, seen, { ...failed, ran })))
  await forgetEnded(ctx, seen)
  return 'again'
}

/**
 * Ends an attempt for which the orchestrator had no capacity after all. The server waits again, and the node and the ports of the attempt
 * are free.
 */
export async function giveUpForRoom(ctx: Service, seen: GameServer): Promise<'waits'> {
  const { name } = ctx.orchestrator
  ctx.node.room.shut(ctx.clock.now() + ASK_AGAIN_MS)
  await change(ctx, ofServer, seen.id, (server) => accept(...decideForRoom(server, seen, name)))
  await forgetEnded(ctx, seen)
  return 'waits'
}

/** Postpones the deadline of an attempt whose machine does not answer now. The attempt stays open. */
export async function postponeLaunch(ctx: Service, seen: GameServer): Promise<'away'> {
  const { launchTimeoutMs } = ctx.settings
  await change(ctx, ofServer, seen.id, (server, { at }) =>
    accept(...decidePostponement(server, seen, { at, launchTimeoutMs })),
  )
  return 'away'
}

/**
 * Records that the launch has failed, which ends the server. Returns `again` if the launch went on meanwhile, for example when another node
 * gave up the attempt; the caller must then read the record again.
 */
export async function failLaunch(
  ctx: Service,
  seen: GameServer,
  stopReason: string,
  more: LaunchFailure = {},
): Promise<'ended' | 'again'> {
  const ran = await neverReady(ctx, seen)
  let isEnded = false
  await change(ctx, ofServer, seen.id, (server, { at }) => {
    const events = decideFailure(server, seen, { exitCode: null, ...more, stopReason, at, ran })
    isEnded = events.length > 0
    return accept(...events)
  })
  return isEnded ? 'ended' : 'again'
}
