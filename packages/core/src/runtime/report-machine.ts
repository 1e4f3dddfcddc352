import { TIER_SIZES } from '../catalog/tiers'
import { roomInUse } from '../machine/limits'
import { MACHINES, type Machine, machineOfText, machineText } from '../machine/machine'
import type { Service } from '../node/service'
import type { Ports } from '../ports/ports'
import { liveMachines, ownMachine } from '../reads/machines'
import { isOwned } from '../server/game-server'
import type { Instant } from '../shared/time'

/** Reports this node's machine with its regions and the capacity in use, in place of its earlier reports. */
export async function reportMachine(ctx: Service, at: Instant): Promise<void> {
  const own = ownMachine(ctx)
  if (own === undefined || ctx.orchestrator.runsFor !== undefined || !ctx.node.machines.isOpen) return
  const { presence, servers } = ctx.storage
  // The capacity in use matters only for a choice between machines.
  const held = hasNeighbours(ctx, own) ? (await servers.listLive(own.id)).filter(isOwned) : []
  const used = roomInUse(held.map(({ tier }) => TIER_SIZES[tier]))
  const member = machineText({ ...own, used })
  await presence.touch([{ scope: MACHINES, member, at }])
  const earlier = (await reportsOf(ctx, own.id)).filter((report) => report.member !== member)
  if (earlier.length > 0)
    await presence.forgetMembers(
      MACHINES,
      earlier.map((report) => ({ ...report, at })),
    )
}

const hasNeighbours = (ctx: Service, own: Machine): boolean =>
  liveMachines(ctx).some(({ id, regions }) => id !== own.id && regions.some((region) => own.regions.includes(region)))

/** Withdraws the reports of this node's machine, because the node stops. Machines that several nodes share stay. */
export async function withdrawMachine(ctx: Service): Promise<void> {
  const own = ownMachine(ctx)
  ctx.node.machines.isOpen = false
  if (own === undefined || ctx.orchestrator.runsFor !== undefined || ctx.orchestrator.sharedAs !== undefined) return
  const reports = await reportsOf(ctx, own.id)
  if (reports.length > 0) await ctx.storage.presence.forgetMembers(MACHINES, reports)
}

const reportsOf = async (ctx: Ports, id: string) =>
  (await ctx.storage.presence.read(MACHINES)).filter(({ member }) => machineOfText(member)?.id === id)
