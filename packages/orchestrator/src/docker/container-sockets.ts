import { readFile, readlink } from 'node:fs/promises'
import { type BoundSocket, familyOf, openSockets, socketsAround } from '../kit/index'

/** Where the engine's own resolver listens inside every container. */
const RESOLVER = '127.0.0.11'

/** A container that runs, as the engine's machine knows it. */
interface Running {
  readonly containerId: string
  readonly pid: number
}

/**
 * What waits for players in a container's network; undefined where this service cannot see its processes: the engine is on
 * another machine, or in a virtual one, or the service itself is in a container without the machine's processes.
 */
export async function socketsOf({ containerId, pid }: Running): Promise<BoundSocket[] | undefined> {
  if (!(await isItsProcess(containerId, pid))) return undefined
  return (await socketsAround(pid))?.filter(({ address }) => address !== RESOLVER)
}

/** All of them, unless an operator's network is the machine's own: then those that its processes have open. */
export async function ownSocketsOf(
  { pid }: Running,
  sockets: readonly BoundSocket[],
): Promise<readonly BoundSocket[] | undefined> {
  if (!(await sharesOurNetwork(pid))) return sockets
  const open = await openSockets(await familyOf(pid))
  return open && sockets.filter(({ inode }) => open.has(inode))
}

/** The number may be another process's here: the kernel's groups say whose it is. */
async function isItsProcess(containerId: string, pid: number): Promise<boolean> {
  if (pid <= 0) return false
  const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '')
  return groups.includes(containerId)
}

async function sharesOurNetwork(pid: number): Promise<boolean> {
  const [its, ours] = await Promise.all(
    [pid, 'self'].map((one) => readlink(`/proc/${one}/ns/net`).catch(() => undefined)),
  )
  // Where its name may not be read the container is another user's, with a network that the engine made for it.
  return its !== undefined && its === ours
}
