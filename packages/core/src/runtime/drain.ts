import { ofMachine } from '../commit/of-machine'
import { ofServer } from '../commit/of-server'
import { change } from '../commit/transact'
import { accept } from '../errors/decision'
import { decideDrained, isDrainOver } from '../machine/decide'
import { isDraining } from '../machine/record'
import type { RunningPlace } from '../node/place'
import type { Service } from '../node/service'
import type { Ports } from '../ports/ports'
import { liveMachines, ownMachine } from '../reads/machines'
import { decideStopServer } from '../server/decide'
import { isLaunching, isOwned, type OwnedServer } from '../server/game-server'
import { SECOND_MS } from '../shared/time'

/** Milliseconds between two checks of servers that were still launching at the deadline of a drain. */
const LOOK_AGAIN_MS = SECOND_MS

const ownedBy = async (ctx: Ports, machineId: string): Promise<OwnedServer[]> =>
  (await ctx.storage.servers.listLive(machineId)).filter(isOwned)

/**
 * Records which draining machines are empty. The node of a machine, or the node that hosts it, records it; for a machine that is lost, every
 * node does. An attempt
 * checks the version of the machine's record, so no server joins a machine between the count of its servers and the commit.
 */
export async function noteDrained(ctx: Service): Promise<void> {
  const draining = ctx.node.machines.records().filter(isDraining)
  if (draining.length === 0) return
  const own = ownMachine(ctx)?.id
  const live = new Set(liveMachines(ctx).map(({ id }) => id))
  for (const { id } of draining) {
    const place = id === own ? ctx : ctx.node.hosted.get(id)
    if (place === undefined ? live.has(id) : mayHoldWarm(place)) continue
    await change(ctx, ofMachine, id, async (machine) =>
      isDraining(machine) ? accept(...decideDrained(machine, (await ownedBy(ctx, id)).length)) : accept(),
    )
  }
}

/**
 * Whether servers may wait for a match on the machine. Only the process that runs the servers can tell, after it has ended them.
 */
const mayHoldWarm = ({ orchestrator, node }: RunningPlace): boolean =>
  orchestrator.runsFor !== undefined || (orchestrator.capabilities.keepsWarm && !node.own.isWithoutWarm)

/**
 * Stops the servers of a draining machine when its deadline has passed. A server that is still launching is stopped once it runs. Returns the
 * time of the next check; undefined when no server is left, or when the drain is over.
 */
export async function endDrain(ctx: Service, machineId: string): Promise<number | undefined> {
  const machine = await ctx.storage.get('machine', machineId)
  if (machine === undefined || !isDraining(machine) || machine.drainBy === null) return undefined
  if (!isDrainOver(machine, ctx.clock.now())) return machine.drainBy
  const servers = await ownedBy(ctx, machineId)
  for (const { id } of servers.filter((server) => !isLaunching(server))) await stopForDrain(ctx, machineId, id)
  return servers.some(isLaunching) ? ctx.clock.now() + LOOK_AGAIN_MS : undefined
}

/** Stops one server of a machine, unless the drain ended meanwhile. */
const stopForDrain = (ctx: Service, machineId: string, instanceId: string) =>
  change(ctx, ofServer, instanceId, async (server, draft) => {
    const machine = await ctx.storage.get('machine', machineId)
    if (machine === undefined || !isDrainOver(machine, draft.at) || server.nodeId !== machineId) return accept()
    draft.check('machine', machine)
    return accept(...decideStopServer(server, 'its machine was drained', 'server_stopped'))
  })
