import type { MachineState, MintedMachineToken } from '@matchyard/core'
import { neverConnected, shownText } from '@matchyard/core/domain'
import { print } from '../service/print'
import { linesOf } from './print-accounts'

const instant = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/** Returns a machine with the field names of the HTTP API. */
const rowOf = ({ capacity, used, load, ...machine }: MachineState) => ({
  machine_id: machine.id,
  name: machine.name,
  kind: machine.kind,
  regions: machine.regions,
  status: machine.status,
  status_reason: machine.statusReason,
  drain_by: instant(machine.drainBy),
  servers: used.servers,
  capacity: { servers: capacity.maxServers, cpus: capacity.maxServerCpus, memory_mb: capacity.maxServerMemoryMb },
  used: { servers: used.servers, cpus: used.cpus, memory_mb: used.memoryMb },
  load: load === null ? null : { cpu_percent: load.cpuPercent, memory_mb: load.memoryMb },
  version: machine.release,
  host: machine.host,
  peer_url: machine.peerUrl,
  has_token: machine.hasToken,
  last_seen_at: instant(machine.lastSeenAt),
  created_at: instant(machine.createdAt),
})

/** Whether the other nodes cannot request the logs of the machine's servers. A cluster answers every node itself. */
const lacksPeerUrl = ({ kind, peerUrl }: MachineState): boolean => kind === 'node' && peerUrl === null

/** Status as the list and the page show it. An agent that was never there is not told as lost. */
const statusWord = (machine: MachineState): string =>
  machine.status === 'lost' && neverConnected(machine) ? 'never connected' : machine.status

/** Note about the token of an agent's machine; undefined for other kinds of machines. */
function tokenNote({ kind, hasToken }: MachineState): string | undefined {
  if (kind !== 'agent') return undefined
  return hasToken ? 'yes: its agent connects with it' : 'none: its agent cannot connect (matchyard machines token)'
}

type Row = ReturnType<typeof rowOf>

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Returns the limits of a machine as one line; an absent limit does not apply. */
function capacityLine({ servers, cpus, memory_mb }: Row['capacity']): string {
  const limits = [
    ...(servers === undefined ? [] : [counted(servers, 'server')]),
    ...(cpus === undefined ? [] : [counted(cpus, 'CPU')]),
    ...(memory_mb === undefined ? [] : [`${memory_mb} MB of memory`]),
  ]
  return limits.length === 0 ? 'no limits' : limits.join(', ')
}

const loadLine = ({ cpu_percent, memory_mb }: NonNullable<Row['load']>): string =>
  `load average ${cpu_percent} % of the CPUs, ${memory_mb} MB of memory in use`

/** Prints one machine. */
export const printMachine = (machine: MachineState, asJson: boolean): Promise<void> =>
  print(asJson ? `${JSON.stringify(rowOf(machine), null, 2)}\n` : machinePage(machine))

/** Returns a line for each value of a machine that is not null. */
export function machinePage(machine: MachineState): string {
  const { load, has_token: _, ...row } = rowOf(machine)
  const token = tokenNote(machine)
  const values = {
    ...row,
    regions: machine.regions.length === 0 ? null : row.regions,
    status: statusWord(machine),
    capacity: capacityLine(row.capacity),
    used: capacityLine(row.used),
    ...(load !== null && { load: loadLine(load) }),
    ...(lacksPeerUrl(machine) && { peer_url: 'none: other nodes cannot read the logs of running servers (PEER_URL)' }),
    ...(token !== undefined && { token }),
  }
  const shown = Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [[name, shownText(`${value}`)]],
  )
  return linesOf(Object.fromEntries(shown))
}

/** Prints the token of an agent's machine, which is shown only once. */
export async function printToken(
  { machine: { id }, token }: MintedMachineToken,
  { asJson, isReplaced }: { readonly asJson: boolean; readonly isReplaced: boolean },
): Promise<void> {
  const made = { machine_id: id, token: token ?? '' }
  if (asJson) return print(`${JSON.stringify(made, null, 2)}\n`)
  const old = isReplaced ? ' An earlier token of the machine does not work any more.' : ''
  await print(`${linesOf(made)}\nThe token cannot be shown again.${old}\n`)
}

/** Prints headings, and a line for each machine. */
export const printMachines = (machines: readonly MachineState[], asJson: boolean): Promise<void> =>
  print(asJson ? `${JSON.stringify(machines.map(rowOf), null, 2)}\n` : machineLines(machines))

const HEADINGS = ['machine', 'kind', 'status', 'servers', 'regions', 'last report']

/**
 * Returns a line with the headings, and a line for each machine. A machine without an address for other nodes is marked if there are other
 * machines, and the machine of an agent if it has no token.
 */
export function machineLines(machines: readonly MachineState[]): string {
  const rows = machines.map((machine) => {
    const { machine_id, kind, servers, regions, last_seen_at } = rowOf(machine)
    const marks = [
      ...(machines.length > 1 && lacksPeerUrl(machine) ? ['no PEER_URL'] : []),
      ...(kind === 'agent' && !machine.hasToken ? ['no token'] : []),
    ]
    const last = [last_seen_at ?? 'none', ...marks].join('  ')
    return [shownText(machine_id), kind, statusWord(machine), `${servers}`, regions.join(',') || 'none', last]
  })
  const table = [HEADINGS, ...rows]
  const widths = HEADINGS.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}
