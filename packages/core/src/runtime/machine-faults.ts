import { ofMachine } from '../commit/of-machine'
import { ofServer } from '../commit/of-server'
import { change } from '../commit/transact'
import { accept } from '../errors/decision'
import { decideRecover, decideRest, FAILURES_BEFORE_REST } from '../machine/decide'
import type { Service } from '../node/service'
import { ownMachine } from '../reads/machines'
import { type GameServer, isRunning } from '../server/game-server'
import { decideLeaveMachine } from '../server/room'
import { checkMachine } from './attempts'
import { otherOpenMachine } from './placing'
import { forgetEnded } from './seen-here'

/**
 * Leaves an attempt that failed for a reason of this machine to another machine, and counts the failure. After several failures in a row, the
 * machine pauses. Returns false when no other machine of the region takes the server; this machine then goes on, and does not pause.
 */
export async function leaveMachine(ctx: Service, seen: GameServer, reason: string): Promise<boolean> {
  const machine = await otherOpenMachine(ctx, seen)
  if (machine === undefined) return false
  if (!(await countFailure(ctx, `${seen.id} ${seen.attempt}`, machine, reason))) return false
  ctx.logger.warn('a launch goes to another machine', { instance_id: seen.id, machine, reason })
  const { name: orchestrator } = ctx.orchestrator
  await change(ctx, ofServer, seen.id, (server) =>
    accept(...decideLeaveMachine(server, seen, { orchestrator, machine })),
  )
  await forgetEnded(ctx, seen)
  return true
}

/**
 * Counts a launch that this machine cannot make because it does not have the archive. Counts a server once, and only while the machine that
 * would start it runs the build: an archive that no machine has is no fault of this one. Returns that machine; undefined when nothing counts.
 */
export async function lacksArchive(
  ctx: Service,
  server: GameServer,
  buildId: string,
  reason: string,
): Promise<string | undefined> {
  const machine = await otherOpenMachine(ctx, server)
  if (machine === undefined) return undefined
  const there = await ctx.storage.servers.listLive(machine)
  if (!there.some((one) => isRunning(one) && one.buildId === buildId)) return undefined
  return (await countFailure(ctx, server.id, machine, reason)) ? machine : undefined
}

/** Counts a failed launch; after several in a row, this machine pauses. Returns false when the other machine takes no servers. */
async function countFailure(ctx: Service, launch: string, other: string, reason: string): Promise<boolean> {
  const { failuresInARow } = ctx.node.own
  if (failuresInARow.size < FAILURES_BEFORE_REST) failuresInARow.add(launch)
  return failuresInARow.size < FAILURES_BEFORE_REST || rest(ctx, other, reason)
}

/**
 * Records that this node's machine takes no new servers for a while. The commit checks the record of the other machine, because the two
 * machines may fail at the same time, and one of them must go on. Returns false when the other machine takes no servers.
 */
async function rest(ctx: Service, other: string, reason: string): Promise<boolean> {
  const own = ownMachine(ctx)
  if (own === undefined) return true
  let mayRest = true
  const after = await change(ctx, ofMachine, own.id, async (machine, draft) => {
    mayRest = (await checkMachine(ctx, draft, other)) ?? true
    return mayRest ? accept(...decideRest(machine, reason, draft.at)) : accept()
  })
  if (after !== undefined) ctx.node.machines.noteRecord(after)
  if (!mayRest || after?.rest == null) return mayRest
  ctx.node.own.failuresInARow.clear()
  ctx.logger.warn('this machine takes no new game servers for a while, because launches failed', {
    machine: own.id,
    reason,
    until: after.rest.until,
  })
  return true
}

/** Records that a server became ready on this node's machine. The next pause is then short again. */
export async function noteLaunched(ctx: Service): Promise<void> {
  const own = ownMachine(ctx)
  ctx.node.own.failuresInARow.clear()
  if (own === undefined || ctx.node.machines.recordOf(own.id)?.rest == null) return
  const after = await change(ctx, ofMachine, own.id, (machine, { at }) => accept(...decideRecover(machine, at)))
  if (after !== undefined) ctx.node.machines.noteRecord(after)
}
