import { readFile, readlink } from 'node:fs/promises'
import { type BoundSocket, familyOf, openSockets, socketsAround } from '../kit/index'

/** Address of the engine's DNS resolver in every container. */
const RESOLVER = '127.0.0.11'

/** A running container, with the id of its first process on the engine's machine. */
interface Running {
  readonly containerId: string
  readonly pid: number
}

/**
 * Returns the sockets that are bound in a container's network. Returns undefined when this service cannot see the
 * container's processes: the engine is on another machine or in a virtual machine, or the service itself runs in a
 * container.
 */
export async function socketsOf({ containerId, pid }: Running): Promise<BoundSocket[] | undefined> {
  if (!(await isItsProcess(containerId, pid))) return undefined
  return (await socketsAround(pid))?.filter(({ address }) => address !== RESOLVER)
}

/**
 * Returns all sockets of the container's network. If the container uses the host's network, returns only the sockets
 * that the container's processes have open.
 */
export async function ownSocketsOf(
  { pid }: Running,
  sockets: readonly BoundSocket[],
): Promise<readonly BoundSocket[] | undefined> {
  if (!(await sharesOurNetwork(pid))) return sockets
  const open = await openSockets(await familyOf(pid))
  return open && sockets.filter(({ inode }) => open.has(inode))
}

/**
 * Whether the process id belongs to the container on this machine, according to the process's cgroup. On another
 * machine, a process of another program may have the same id.
 */
async function isItsProcess(containerId: string, pid: number): Promise<boolean> {
  if (pid <= 0) return false
  const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '')
  return groups.includes(containerId)
}

async function sharesOurNetwork(pid: number): Promise<boolean> {
  const [its, ours] = await Promise.all(
    [pid, 'self'].map((one) => readlink(`/proc/${one}/ns/net`).catch(() => undefined)),
  )
  // When the namespace cannot be read, the container belongs to another user and has a separate network.
  return its !== undefined && its === ours
}
