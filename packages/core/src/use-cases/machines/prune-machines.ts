import { Draft } from '../../commit/draft'
import { ofMachine } from '../../commit/of-machine'
import { change, transact } from '../../commit/transact'
import { accept } from '../../errors/decision'
import { decideLost } from '../../machine/decide'
import { isLongLost } from '../../machine/record'
import { MAX_MACHINES } from '../../node/machine-view'
import type { Service } from '../../node/service'
import { launchesServers } from '../../ports/none'
import { machinesNow } from '../../reads/machines'
import { isOwned } from '../../server/game-server'

/**
 * Records which machines are lost, and removes the records of machines that have been lost for long. A machine that comes back changes its
 * record first, so the removal fails. A service without game servers does not watch the machines, and removes none.
 */
export async function pruneMachines(ctx: Service): Promise<void> {
  if (!launchesServers(ctx.orchestrator)) return
  const live = new Set((await machinesNow(ctx)).map(({ id }) => id))
  for (const { id } of await ctx.storage.machines.list(MAX_MACHINES)) {
    if (live.has(id)) continue
    await change(ctx, ofMachine, id, (machine, { at }) => accept(...decideLost(machine, at)))
    await forget(ctx, id)
  }
}

const forget = (ctx: Service, machineId: string) =>
  transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const record = await ctx.storage.get('machine', machineId)
    if (record === undefined || !isLongLost(record, draft.at)) return { draft, answer: undefined }
    const hasServers = (await ctx.storage.servers.listLive(machineId)).some(isOwned)
    if (!hasServers) draft.remove('machine', record)
    return { draft, answer: undefined }
  })
