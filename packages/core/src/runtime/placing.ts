import { TIER_SIZES } from '../catalog/tiers'
import { roomInUse } from '../machine/limits'
import { chooseMachine, type Machine, type PlacedServer } from '../machine/machine'
import type { Service } from '../node/service'
import { isOwnOpen, machinesNow, ownMachine, runsHere } from '../reads/machines'
import { type GameServer, hasTls, isOwned } from '../server/game-server'

/** Returns the other machine on which a server should start; undefined when it should start on this node's machine, or on none. */
export async function otherMachineFor(ctx: Service, server: GameServer): Promise<string | undefined> {
  const own = ownMachine(ctx)
  const others = (await machinesNow(ctx)).filter(({ id, regions }) => id !== own?.id && regions.includes(server.region))
  if (others.length === 0) return undefined
  const mine = own !== undefined && isOwnOpen(ctx) && runsHere(ctx, server) ? [await withUse(ctx, own)] : []
  const chosen = chooseMachine([...mine, ...others], ctx.settings.placement, placedOf(server))
  return chosen === undefined || chosen.id === own?.id ? undefined : chosen.id
}

/** Counts a server that is given to another machine, until that machine reports its capacity again. */
export function countOn(ctx: Service, machineId: string, server: GameServer): void {
  const chosen = ctx.node.machines.live().find(({ id }) => id === machineId)
  if (chosen === undefined) return
  const { servers, cpus, memoryMb } = roomInUse([placedOf(server).tierSize])
  const { used } = chosen
  ctx.node.machines.count(machineId, {
    servers: used.servers + servers,
    cpus: used.cpus + cpus,
    memoryMb: used.memoryMb + memoryMb,
  })
}

/** Returns another machine that can start a server now; undefined when there is none. */
export async function otherOpenMachine(ctx: Service, server: GameServer): Promise<string | undefined> {
  const own = ownMachine(ctx)
  const others = (await machinesNow(ctx)).filter(({ id }) => id !== own?.id)
  return chooseMachine(others, ctx.settings.placement, placedOf(server))?.id
}

const placedOf = ({ region, tier, portRequests }: GameServer): PlacedServer => ({
  region,
  tierSize: TIER_SIZES[tier],
  hasTls: hasTls(portRequests),
})

/** Returns this node's machine with the capacity that its servers use now. */
async function withUse(ctx: Service, own: Machine): Promise<Machine> {
  const held = (await ctx.storage.servers.listLive(own.id)).filter(isOwned)
  const admitted = [...ctx.node.room.promises().values()]
  return { ...own, used: roomInUse([...held.map(({ tier }) => TIER_SIZES[tier]), ...admitted]) }
}
