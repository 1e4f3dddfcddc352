import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import { ServiceError } from '../../errors/service-error'
import { isLost } from '../../machine/record'
import type { Service } from '../../node/service'
import { machineState, noSuchMachine } from '../../reads/machine-states'
import { isOwned } from '../../server/game-server'
import type { OnMachine } from './read-machines'
import { requireOperator } from './require-operator'

/**
 * Removes the record of a machine that is lost and has no servers. Throws NOT_FOUND for an account that is not an operator,
 * MACHINE_NOT_FOUND, and CONFLICT while the machine reports itself or its servers are not given up.
 */
export async function removeMachine(ctx: Service, input: OnMachine, call?: CallOptions): Promise<void> {
  const { machineId } = input
  await transact(ctx, call, async () => {
    await requireOperator(ctx, input)
    const record = await ctx.storage.get('machine', machineId)
    if (record === undefined) return noSuchMachine(machineId)
    if (!isLost(await machineState(ctx, machineId)))
      throw new ServiceError('CONFLICT', `machine ${machineId} still reports itself; stop its node, then remove it`)
    if ((await ctx.storage.servers.listLive(machineId)).some(isOwned))
      throw new ServiceError(
        'CONFLICT',
        `machine ${machineId} still has servers in the record; remove it when they are given up`,
      )
    return { draft: new Draft(ctx.clock.now()).remove('machine', record), answer: undefined }
  })
}
