import { ofMachine } from '../commit/of-machine'
import { ofServer } from '../commit/of-server'
import { change } from '../commit/transact'
import { accept } from '../errors/decision'
import { decideRecover, decideRest, FAILURES_BEFORE_REST } from '../machine/decide'
import type { Service } from '../node/service'
import { ownMachine } from '../reads/machines'
import type { GameServer } from '../server/game-server'
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
  ctx.node.machines.failuresInARow++
  const isTired = ctx.node.machines.failuresInARow >= FAILURES_BEFORE_REST
  if (isTired && !(await rest(ctx, machine, reason))) return false
  ctx.logger.warn('a launch goes to another machine', { instance_id: seen.id, machine, reason })
  const { name: orchestrator } = ctx.orchestrator
  await change(ctx, ofServer, seen.id, (server) =>
    accept(...decideLeaveMachine(server, seen, { orchestrator, machine })),
  )
  await forgetEnded(ctx, seen)
  return true
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
    mayRest = await checkMachine(ctx, draft, other)
    return mayRest ? accept(...decideRest(machine, reason, draft.at)) : accept()
  })
  if (after !== undefined) ctx.node.machines.noteRecord(after)
  if (!mayRest || after?.rest == null) return mayRest
  ctx.node.machines.failuresInARow = 0
  ctx.logger.warn('this machine takes no new game servers for a while, because launches failed', {
    machine: own.id,
    reason,
    until: after.rest.until,
  })
  return true
}

/** Records that a launch on this node's machine succeeded. The next pause is then short again. */
export async function noteLaunched(ctx: Service): Promise<void> {
  const own = ownMachine(ctx)
  ctx.node.machines.failuresInARow = 0
  if (own === undefined || ctx.node.machines.recordOf(own.id)?.rest == null) return
  const after = await change(ctx, ofMachine, own.id, (machine, { at }) => accept(...decideRecover(machine, at)))
  if (after !== undefined) ctx.node.machines.noteRecord(after)
}
