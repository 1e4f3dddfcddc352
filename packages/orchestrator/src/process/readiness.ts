import { familyOf, knock, type Look, openSockets, type Started, socketsAround } from '../kit/index'
import type { AttemptFiles } from './attempt-files'
import type { LaunchRecord, RecordedPort, StartedStatus } from './attempt-records'
import { type Machine, processesOf } from './attempt-state'

/** What was recorded of an attempt, as the rule of readiness asks for it. */
export const startedOf = (record: LaunchRecord, startedAt: number): Started<RecordedPort> => ({
  // One that an earlier release launched goes on as it did: its datagram ports were not recorded.
  readiness: record.readiness ?? 'port',
  startedAt,
  tcpPorts: record.tcpPorts,
  udpPorts: record.udpPorts ?? [],
})

/** Looks at one attempt through the kernel: the machine's network is everybody's, so that who has bound a port is asked too. */
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
      // Nothing of it runs: it has bound nothing.
      return pid === undefined ? [] : socketsAround(pid)
    },
    async own(sockets) {
      const family = await openSockets(await pids())
      if (family === undefined) return undefined
      const own = sockets.filter(({ inode }) => family.has(inode))
      if (own.length === sockets.length) return own
      // What a server detached is no descendant any more, and still carries its marks.
      const all = await openSockets(await marked())
      return sockets.filter(({ inode }) => family.has(inode) || all?.has(inode) === true)
    },
    playsOnLoopback: [...record.tcpPorts, ...(record.udpPorts ?? [])].every(({ host }) => isLoopback(host)),
  }
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./.test(host)

/** `host` is where players connect, perhaps an address outside this machine: the near ones are tried first. */
async function accepts({ host, port }: RecordedPort): Promise<boolean> {
  for (const address of new Set(['127.0.0.1', '::1', host])) {
    if ((await knock(address, port)) === 'accepts') return true
  }
  return false
}
