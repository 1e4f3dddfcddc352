import { familyOf, knock, type Look, openSockets, type Started, socketsAround } from '../kit/index'
import type { AttemptFiles } from './attempt-files'
import type { LaunchRecord, RecordedPort, StartedStatus } from './attempt-records'
import { type Machine, processesOf } from './attempt-state'

/** Returns the recorded data of an attempt that the readiness check needs. */
export const startedOf = (record: LaunchRecord, startedAt: number): Started<RecordedPort> => ({
  // A server that an earlier release started is checked by the rule of that release, because the record does not
  // contain its UDP ports.
  readiness: record.readiness ?? 'port',
  startedAt,
  tcpPorts: record.tcpPorts,
  udpPorts: record.udpPorts ?? [],
})

/**
 * Returns the functions with which the readiness check examines one attempt. All processes share the machine's network,
 * so the check must also find the owners of ports.
 */
export function lookAt(
  files: AttemptFiles,
  { record, status }: { readonly record: LaunchRecord; readonly status: StartedStatus | undefined },
  machine: Machine,
): Look<RecordedPort> {
  const pids = async () => (status === undefined ? marked() : familyOf(status.main.pid))
  const marked = async () => (await processesOf(files, machine)).map(({ pid }) => pid)
  return {
    accepts,
    async sockets() {
      const [pid] = await pids()
      // Without a running process, no port is bound.
      return pid === undefined ? [] : socketsAround(pid)
    },
    async own(sockets) {
      const family = await openSockets(await pids())
      if (family === undefined) return undefined
      const own = sockets.filter(({ inode }) => family.has(inode))
      if (own.length === sockets.length) return own
      // A detached process is no longer a descendant of the server, but the variables in its environment still identify
      // it.
      const all = await openSockets(await marked())
      return sockets.filter(({ inode }) => family.has(inode) || all?.has(inode) === true)
    },
    playsOnLoopback: [...record.tcpPorts, ...(record.udpPorts ?? [])].every(({ host }) => isLoopback(host)),
  }
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./.test(host)

/**
 * Whether a port accepts a connection. `host` is the address to which players connect. It may be an address outside
 * this machine, so local addresses are tried first.
 */
async function accepts({ host, port }: RecordedPort): Promise<boolean> {
  for (const address of new Set(['127.0.0.1', '::1', host])) {
    if ((await knock(address, port)) === 'accepts') return true
  }
  return false
}
