import type { Draft } from '../commit/draft'
import { takesServers } from '../machine/record'
import type { Service } from '../node/service'

/**
 * Adds a check of a machine's record, so that the commit fails when the machine changes at the same time. Returns whether the machine takes
 * new servers, as the storage has it now.
 */
export async function checkMachine(ctx: Service, draft: Draft, machineId: string): Promise<boolean> {
  const machine = await ctx.storage.get('machine', machineId)
  if (machine === undefined) return true
  ctx.node.machines.noteRecord(machine)
  draft.check('machine', machine)
  return takesServers(machine, draft.at)
}
