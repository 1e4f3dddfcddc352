import type { MachineState } from '@matchyard/core'
import { shownText } from '@matchyard/core/domain'
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
  last_seen_at: instant(machine.lastSeenAt),
  created_at: instant(machine.createdAt),
})

/** Whether the other nodes cannot request the logs of the machine's servers. A cluster answers every node itself. */
const lacksPeerUrl = ({ kind, peerUrl }: MachineState): boolean => kind === 'node' && peerUrl === null

/** Prints one machine. */
export function printMachine(machine: MachineState, asJson: boolean): Promise<void> {
  const row = rowOf(machine)
  if (asJson) return print(`${JSON.stringify(row, null, 2)}\n`)
  const { capacity, used, load, ...rest } = row
  const values = {
    ...rest,
    capacity: JSON.stringify(capacity),
    used: JSON.stringify(used),
    load: load === null ? null : JSON.stringify(load),
    ...(lacksPeerUrl(machine) && { peer_url: 'none: other nodes cannot read the logs of running servers (PEER_URL)' }),
  }
  const shown = Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [[name, shownText(`${value}`)]],
  )
  return print(linesOf(Object.fromEntries(shown)))
}

/** Prints a line for each machine. */
export const printMachines = (machines: readonly MachineState[], asJson: boolean): Promise<void> =>
  print(asJson ? `${JSON.stringify(machines.map(rowOf), null, 2)}\n` : machineLines(machines))

/** Returns a line for each machine. A machine without an address for other nodes is marked if there are other machines. */
export function machineLines(machines: readonly MachineState[]): string {
  const lines = machines.map((machine) => {
    const { machine_id, status, servers, regions, last_seen_at } = rowOf(machine)
    const count = `${servers} ${servers === 1 ? 'server' : 'servers'}`
    const seen = last_seen_at ?? 'never seen'
    const mark = machines.length > 1 && lacksPeerUrl(machine) ? '  no PEER_URL' : ''
    return `${shownText(machine_id)}  ${status.padEnd(8)}  ${count}  ${regions.join(',')}  ${seen}${mark}\n`
  })
  return lines.join('')
}
