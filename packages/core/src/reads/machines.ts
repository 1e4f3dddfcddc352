import { ALL_REGIONS, DEFAULT_REGION, type Region } from '../catalog/regions'
import { roomInUse } from '../machine/limits'
import { isOpenMachine, MACHINES, type Machine, nobodyEndsTls, runsOn, servedBy, servesAll } from '../machine/machine'
import { isReady, isResting, type MachineRecord, takesServers } from '../machine/record'
import { MAX_MACHINES } from '../node/machine-view'
import { machineOf } from '../node/place'
import type { Service } from '../node/service'
import { launchesServers } from '../ports/none'
import type { Ports } from '../ports/ports'
import { mayLaunch } from '../queue/decide'
import type { EngineRegions } from '../queue/matchmaking'
import type { Queue } from '../queue/queue'
import { type GameServer, hasTls } from '../server/game-server'
import type { Instant } from '../shared/time'

const NOTHING_USED = roomInUse([])

/** Returns the regions whose servers this node runs. */
export const regionsOf = ({
  orchestrator: { regions },
  settings,
}: Pick<Ports, 'orchestrator' | 'settings'>): readonly Region[] => regions ?? settings.regions

/** Returns the machine on which this node runs servers, without the capacity in use; undefined when it runs none. */
export function ownMachine(ctx: Ports): Machine | undefined {
  const { runsFor, limits = {}, capabilities, noMachine } = ctx.orchestrator
  if (noMachine === true || !launchesServers(ctx.orchestrator)) return undefined
  const isWithoutTls = capabilities.endsTls === false ? { isWithoutTls: true } : {}
  return { id: runsFor ?? machineOf(ctx), regions: regionsOf(ctx), limits, used: NOTHING_USED, ...isWithoutTls }
}

/** Reads the reports and the records of all machines. A service that launches no servers has no use for machines, and reads nothing. */
export async function lookAtMachines(ctx: Service): Promise<void> {
  if (!launchesServers(ctx.orchestrator)) return
  const { presence, machines } = ctx.storage
  const [reports, records] = await Promise.all([presence.read(MACHINES), machines.list(MAX_MACHINES)])
  ctx.node.machines.note(reports, ctx.clock.now())
  ctx.node.machines.noteRecords(records)
}

/**
 * Returns a text with the regions that are served, and the live machines with their statuses, as this node last read them. Two equal texts
 * mean that nothing changed for launches.
 */
export function machinesTold(ctx: Service): string {
  const machines = liveMachines(ctx)
  return JSON.stringify([servedNow(machines), machines.map(({ id, status = 'ready' }) => [id, status])])
}

/** Whether new servers may start on this node's machine, as this node last read its record. */
export function isOwnOpen(ctx: Service): boolean {
  const own = ownMachine(ctx)
  return own === undefined || takesServers(ctx.node.machines.recordOf(own.id), ctx.clock.now())
}

/** Returns the served regions. Machines that take no servers serve none, unless no machine takes servers. */
export function servedNow(machines: readonly Machine[]): Region[] {
  const served = servedBy(machines.filter(isOpenMachine))
  return served.length > 0 ? served : servedBy(machines)
}

/** Returns the live machines, with this node's machine, as this node last read them. */
export function liveMachines(ctx: Service): Machine[] {
  const own = ownMachine(ctx)
  const live = ctx.node.machines.live()
  const told = (machine: Machine) => withStatus(ctx, machine)
  if (own === undefined || !ctx.node.own.isOpen) return live.map(told)
  const reported = live.find(({ id }) => id === own.id)
  return [
    { ...own, ...reported, regions: own.regions, isWithoutTls: own.isWithoutTls },
    ...live.filter(({ id }) => id !== own.id),
  ].map(told)
}

const withStatus = (ctx: Service, machine: Machine): Machine =>
  recordedAs(machine, ctx.node.machines.recordOf(machine.id), ctx.clock.now())

/** Returns a machine with its status. A machine that pauses because launches on it failed counts as cordoned. */
export function recordedAs(machine: Machine, record: MachineRecord | undefined, now: Instant): Machine {
  if (record === undefined) return machine
  const isPaused = isReady(record) && isResting(record, now)
  return { ...machine, status: isPaused ? 'cordoned' : record.status }
}

/** Returns the live machines, from reports that this node read at most a second ago. */
export async function machinesNow(ctx: Service): Promise<Machine[]> {
  if (!ctx.node.machines.isFresh(ctx.clock.now())) await lookAtMachines(ctx)
  return liveMachines(ctx)
}

/** Whether this node's machine runs the server, whatever its capacity and its status. */
export function runsHere(ctx: Ports, server: Pick<GameServer, 'region' | 'portRequests'>): boolean {
  const own = ownMachine(ctx)
  return own !== undefined && runsOn(own, { region: server.region, hasTls: hasTls(server.portRequests) })
}

/**
 * Returns a clause when servers with TLS ports cannot start in the region, because no machine there has a certificate; undefined when they
 * can, and when no machine serves the region.
 */
export async function withoutTls(ctx: Service, region: Region): Promise<string | undefined> {
  const there = (await machinesNow(ctx)).filter(({ regions }) => regions.includes(region))
  return there.length > 0 && there.every(({ isWithoutTls }) => isWithoutTls === true)
    ? nobodyEndsTls(region)
    : undefined
}

/** Whether a recorded machine of the region sends no reports and is not known as lost: its node restarts, or will be given up soon. */
export function isOneAway(ctx: Service, region: Region): boolean {
  const live = new Set(liveMachines(ctx).map(({ id }) => id))
  return ctx.node.machines
    .records()
    .some(({ id, regions, lostAt }) => regions.includes(region) && lostAt == null && !live.has(id))
}

/** Returns the regions that are served now, in the order of preference; undefined when every region counts in the usual order. */
export async function servedRegions(ctx: Service): Promise<readonly Region[] | undefined> {
  if (!launchesServers(ctx.orchestrator)) return undefined
  const machines = await machinesNow(ctx)
  const served = servedNow(machines)
  return served.length === 0 || servesAll({ regions: served }) ? undefined : served
}

/** Returns the region of a server for which nothing else names a region. */
export const usualRegion = async (ctx: Service): Promise<Region> => (await servedRegions(ctx))?.[0] ?? DEFAULT_REGION

/** Returns the regions that matchmaking of a queue knows as served; empty when every region counts. */
export async function engineRegions(ctx: Service, queue: Queue): Promise<EngineRegions> {
  if (!mayLaunch(queue, launchesServers(ctx.orchestrator))) return {}
  const regions = await servedRegions(ctx)
  if (regions === undefined) return {}
  return { servedRegions: regions, ...(ctx.settings.regionFallback === 'any' ? { unservedRegions: true } : {}) }
}

/** Returns the regions of this list that no machine serves. */
export async function unserved(ctx: Service, regions: readonly Region[]): Promise<readonly Region[]> {
  const served = (await servedRegions(ctx)) ?? ALL_REGIONS
  return regions.filter((region) => !served.includes(region))
}
