import type { Region } from '../catalog/regions'
import { TIER_SIZES } from '../catalog/tiers'
import { Draft } from '../commit/draft'
import { writeMachine } from '../commit/rows/machine'
import { transact } from '../commit/transact'
import { recordedBeacon } from '../machine/beacon'
import { decideReportMachine } from '../machine/decide'
import { roomInUse } from '../machine/limits'
import { MACHINES, type Machine, machineOfText, machineText } from '../machine/machine'
import { hasToken, isAgentMachine, type MachineFacts, newMachine } from '../machine/record'
import type { Service } from '../node/service'
import type { Ports } from '../ports/ports'
import { liveMachines, ownMachine } from '../reads/machines'
import { isOwned } from '../server/game-server'
import type { Instant } from '../shared/time'

/** Reports this node's machine with its regions and the capacity in use, in place of its earlier reports. */
export async function reportMachine(ctx: Service, at: Instant): Promise<void> {
  const own = ownMachine(ctx)
  if (own === undefined || ctx.orchestrator.runsFor !== undefined || !ctx.node.own.isOpen) return
  const { presence, servers } = ctx.storage
  if (!(await recordMachine(ctx, own))) return
  // The capacity in use matters only for a choice between machines.
  const held = hasNeighbours(ctx, own) ? (await servers.listLive(own.id)).filter(isOwned) : []
  const used = roomInUse(held.map(({ tier }) => TIER_SIZES[tier]))
  // The load of a node says nothing about a cluster that several nodes share.
  const load = ctx.orchestrator.sharedAs === undefined ? ctx.settings.machine.load?.() : undefined
  const member = machineText({ ...own, used, load })
  const state = ctx.node.own
  const { reported } = state
  state.reported = undefined
  await presence.touch([{ scope: MACHINES, member, at }])
  // All reports are read only once, because their number grows with the number of machines.
  const known = reported === undefined ? await reportsOf(ctx, own.id) : [{ member: reported }]
  const earlier = known.filter((report) => report.member !== member)
  if (earlier.length > 0)
    await presence.forgetMembers(
      MACHINES,
      earlier.map((report) => ({ ...report, at })),
    )
  state.reported = member
}

const hasNeighbours = (ctx: Service, own: Machine): boolean =>
  liveMachines(ctx).some(({ id, regions }) => id !== own.id && regions.some((region) => own.regions.includes(region)))

/**
 * Adds the record of this node's machine to a draft that found none, so that the commit fails when the record is made at the same time.
 * Returns whether the machine takes servers. The machine of an agent does not: an operator has removed it.
 */
export function createMachine(ctx: Service, draft: Draft, own: Machine | undefined): boolean {
  if (ctx.settings.machine.session !== undefined) return false
  if (own !== undefined && ctx.orchestrator.runsFor === undefined)
    draft.create('machine', newMachine(own.id, factsOf(ctx, own.id, own.regions), draft.at))
  return true
}

/**
 * Creates the record of this node's machine, or records the properties that changed. Returns false when the machine is an agent's, and this
 * node does not host it any more.
 */
async function recordMachine(ctx: Service, { id, regions }: Machine): Promise<boolean> {
  const facts = factsOf(ctx, id, regions)
  const { session } = ctx.settings.machine
  return transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const before = await ctx.storage.get('machine', id)
    if (session !== undefined && before?.session !== session()) return { draft, answer: false }
    if (before !== undefined && hasToken(before) && !isAgentMachine(facts))
      ctx.logger.warn('this node has the name of an agent, whose token ends now; give one of them another name', { id })
    if (before === undefined) draft.create('machine', newMachine(id, facts, draft.at))
    else writeMachine(draft, before, decideReportMachine(before, facts))
    return { draft, answer: true }
  })
}

function factsOf(
  { orchestrator, peers, settings: { machine } }: Ports,
  id: string,
  regions: readonly Region[],
): MachineFacts {
  const beacons = (machine.beacons ?? []).map(recordedBeacon)
  // The nodes of a cluster run different releases during an update, and none of them is the machine.
  if (orchestrator.sharedAs !== undefined) {
    return { name: id, kind: 'cluster', host: null, peerUrl: null, release: null, regions, beacons }
  }
  const { name = id, kind = 'node', host = null, release = null } = machine
  return { name, kind, host, peerUrl: peers.url ?? null, release, regions, beacons }
}

/** Withdraws the reports of this node's machine, because the node stops. Machines that several nodes share stay. */
export async function withdrawMachine(ctx: Service): Promise<void> {
  const own = ownMachine(ctx)
  ctx.node.own.isOpen = false
  if (own === undefined || ctx.orchestrator.runsFor !== undefined || ctx.orchestrator.sharedAs !== undefined) return
  const reports = await reportsOf(ctx, own.id)
  if (reports.length > 0) await ctx.storage.presence.forgetMembers(MACHINES, reports)
}

const reportsOf = async (ctx: Ports, id: string) =>
  (await ctx.storage.presence.read(MACHINES)).filter(({ member }) => machineOfText(member)?.id === id)
