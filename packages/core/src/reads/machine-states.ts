import { TIER_SIZES, type TierSize } from '../catalog/tiers'
import { ServiceError } from '../errors/service-error'
import { type NodeLimits, type RoomInUse, roomInUse } from '../machine/limits'
import { MACHINES, type Machine, type MachineLoad, machineOfText } from '../machine/machine'
import {
  hasToken,
  type MachineFacts,
  type MachineRecord,
  type MachineStatus,
  pauseReason,
  shownStatus,
} from '../machine/record'
import { MAX_MACHINES } from '../node/machine-view'
import type { Service } from '../node/service'
import { launchesServers } from '../ports/none'
import { isOwned } from '../server/game-server'
import type { Instant } from '../shared/time'
import { machinesNow } from './machines'
import { heartbeatsOf } from './node-presence'

/** A machine as operators see it. */
export interface MachineState extends MachineFacts {
  /** Id of the machine; servers have it as `nodeId`. */
  readonly id: string
  /** Status; only a `ready` machine gets new servers, and a `drained` one has none. */
  readonly status: MachineStatus
  /** Cause of the status when the machine pauses by itself; null otherwise. */
  readonly statusReason: string | null
  /** Instant at which a draining machine stops its remaining servers; null without a deadline. */
  readonly drainBy: Instant | null
  /** Limits for all servers together; an absent limit does not apply. */
  readonly capacity: NodeLimits
  /** Capacity that the recorded servers of the machine use. */
  readonly used: RoomInUse
  /** Load at the last report of the machine; null when it was not measured. */
  readonly load: MachineLoad | null
  /** Time of the last report, by the clock of the machine; null when it sent none, or was given up. */
  readonly lastSeenAt: Instant | null
  /** Whether the agent of the machine can connect with a token; false for other kinds of machines. */
  readonly hasToken: boolean
  /** Time of the first report; for the machine of an agent, the time of its first token. */
  readonly createdAt: Instant
}

/** Returns all machines with a record, by ascending id: at most `MAX_MACHINES`. */
export async function machineStates(ctx: Service): Promise<MachineState[]> {
  return statesOf(ctx, await ctx.storage.machines.list(MAX_MACHINES))
}

/** Returns one machine. The choice of machines on this node uses the record that was read. Throws MACHINE_NOT_FOUND. */
export async function machineState(ctx: Service, machineId: string): Promise<MachineState> {
  const record = await ctx.storage.get('machine', machineId)
  if (record !== undefined) ctx.node.machines.noteRecord(record)
  return record === undefined ? noSuchMachine(machineId) : stateOfRecord(ctx, record)
}

/** Returns the state of a machine with this record. */
export async function stateOfRecord(ctx: Service, record: MachineRecord): Promise<MachineState> {
  const [state] = await statesOf(ctx, [record])
  return state ?? noSuchMachine(record.id)
}

export function noSuchMachine(machineId: string): never {
  throw new ServiceError('MACHINE_NOT_FOUND', `there is no machine ${JSON.stringify(machineId)}`)
}

async function statesOf(ctx: Service, records: readonly MachineRecord[]): Promise<MachineState[]> {
  const reports = await reportsNow(ctx)
  const sizesOf = await heldSizes(ctx, records)
  const beats = await heartbeatsOf(
    ctx,
    records.map(({ id }) => id),
  )
  const heard = await heardNow(ctx, reports)
  return records.map((record) => {
    const report = reports.get(record.id)
    return stateOf(record, {
      machine: report?.machine,
      used: roomInUse(sizesOf.get(record.id) ?? []),
      lastSeenAt: report?.at ?? beats.get(record.id) ?? null,
      status: shownStatus(record, { isHeard: heard.has(record.id), at: ctx.clock.now() }),
    })
  })
}

interface Seen {
  readonly machine: Machine | undefined
  readonly used: RoomInUse
  readonly lastSeenAt: Instant | null
  readonly status: MachineStatus
}

function stateOf(record: MachineRecord, { machine, ...seen }: Seen): MachineState {
  const { id, name, kind, host, peerUrl, release, regions, drainBy, createdAt } = record
  return {
    ...{ id, name, kind, host, peerUrl, release, regions, drainBy, createdAt },
    ...seen,
    hasToken: hasToken(record),
    statusReason: pauseReason(record, seen.status),
    capacity: machine?.limits ?? {},
    load: machine?.load ?? null,
  }
}

/** Returns the sizes of the servers that each machine has. */
async function heldSizes(ctx: Service, records: readonly MachineRecord[]): Promise<ReadonlyMap<string, TierSize[]>> {
  const sizes = new Map<string, TierSize[]>()
  const [only, ...others] = records
  if (only === undefined) return sizes
  const { servers } = ctx.storage
  const live = others.length === 0 ? await servers.listLive(only.id) : await servers.listLive()
  for (const { nodeId, tier } of live.filter(isOwned)) {
    const known = sizes.get(nodeId)
    if (known === undefined) sizes.set(nodeId, [TIER_SIZES[tier]])
    else known.push(TIER_SIZES[tier])
  }
  return sizes
}

interface LastReport {
  readonly machine: Machine
  readonly at: Instant
}

/** Returns the newest report of each machine. */
export async function reportsNow(ctx: Service): Promise<ReadonlyMap<string, LastReport>> {
  const newest = new Map<string, LastReport>()
  for (const { member, at } of await ctx.storage.presence.read(MACHINES)) {
    const machine = machineOfText(member)
    if (machine === undefined || (newest.get(machine.id)?.at ?? Number.NEGATIVE_INFINITY) > at) continue
    newest.set(machine.id, { machine, at })
  }
  return newest
}

/**
 * Returns the ids of the machines that are not lost. A service without game servers does not watch the machines, so it compares the times of
 * their reports with its own clock.
 */
async function heardNow(ctx: Service, reports: ReadonlyMap<string, LastReport>): Promise<ReadonlySet<string>> {
  if (launchesServers(ctx.orchestrator)) return new Set((await machinesNow(ctx)).map(({ id }) => id))
  const since = ctx.clock.now() - ctx.settings.nodeLostAfterMs
  return new Set([...reports].filter(([, { at }]) => at > since).map(([id]) => id))
}
