import { beaconsOf, type ServedRegion } from '../machine/beacon'
import { isOpenMachine, type Machine } from '../machine/machine'
import type { MachineRecord } from '../machine/record'
import { MAX_MACHINES } from '../node/machine-view'
import type { Service } from '../node/service'
import { launchesServers } from '../ports/none'
import { reportsNow } from './machine-states'
import { machinesNow, recordedAs, servedNow } from './machines'

interface Known {
  readonly machines: readonly Machine[]
  readonly recordOf: (machineId: string) => MachineRecord | undefined
}

/**
 * Returns the regions that live machines serve, in the order of preference, with the beacons of the machines that take new servers. A node
 * reads them at most once a second.
 */
export const servedRegionsOf = (ctx: Service): Promise<readonly ServedRegion[]> =>
  ctx.node.regions.get('', async () => {
    const { machines: known, recordOf } = await (launchesServers(ctx.orchestrator) ? watched(ctx) : unwatched(ctx))
    // All nodes tell the same beacons of a region with many machines.
    const machines = [...known].sort((a, b) => (a.id < b.id ? -1 : 1))
    const lit = machines
      .filter(isOpenMachine)
      .map(({ id, regions }) => ({ regions, beacons: recordOf(id)?.beacons ?? [] }))
    return servedNow(machines).map((region) => ({ region, beacons: beaconsOf(region, lit) }))
  })

async function watched(ctx: Service): Promise<Known> {
  return { machines: await machinesNow(ctx), recordOf: (id) => ctx.node.machines.recordOf(id) }
}

/** Reads the machines for a node without game servers, which does not watch them: it compares their reports with its own clock. */
async function unwatched(ctx: Service): Promise<Known> {
  const [reports, records] = await Promise.all([reportsNow(ctx), ctx.storage.machines.list(MAX_MACHINES)])
  const byId = new Map(records.map((record) => [record.id, record]))
  const now = ctx.clock.now()
  const live = [...reports.values()].filter(({ at }) => at > now - ctx.settings.nodeLostAfterMs)
  const machines = live.map(({ machine }) => recordedAs(machine, byId.get(machine.id), now))
  return { machines: machines.slice(0, MAX_MACHINES), recordOf: (id) => byId.get(id) }
}
