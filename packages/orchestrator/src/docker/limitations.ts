import { asking, type Engine } from './engine'
import type { Networks } from './networks'

/** The fields of the engine's info that the service reads. */
interface EngineInfo {
  readonly MemoryLimit?: boolean
  readonly CpuCfsQuota?: boolean
  readonly PidsLimit?: boolean
  readonly SecurityOptions?: readonly string[]
}

/** Limitation when the service cannot read the processes of containers. */
export const UNSEEN =
  'UDP ports of game servers are not observed: this service does not see the processes of the container engine. ' +
  'A server that has stayed up for a second is taken as ready (readiness "uptime").'

export const UNREACHABLE = 'Game servers cannot be launched now: the container engine does not answer.'

/** Returns one sentence for each limit or protection that the engine and its networks do not enforce. */
export const limitationsOf = async (engine: Engine, { shield }: Networks): Promise<string[]> => [
  ...(await shortfalls(engine)),
  ...(shield === undefined
    ? ["Game servers may reach a cloud's metadata address (169.254.169.254): block it on this machine."]
    : []),
  'Game servers may open connections to whatever this machine reaches: restrict that on the machine, or name a network.',
]

/** Returns the limitations of the engine alone; the limitations of its networks are not included. */
export async function shortfalls(engine: Engine): Promise<string[]> {
  const info = (await asking(engine.api.info())) as EngineInfo
  const has = (option: string) => info.SecurityOptions?.some((one) => one.includes(option)) === true
  return [
    ...(info.MemoryLimit === true ? [] : ['The memory of game servers is not limited: the engine cannot.']),
    ...(info.CpuCfsQuota === true ? [] : ['The CPU time of game servers is not limited: the engine cannot.']),
    ...(info.PidsLimit === true ? [] : ['The number of processes of a game server is not limited: the engine cannot.']),
    ...(has('seccomp') ? [] : ['The system calls of game servers are not filtered: the engine has no seccomp.']),
    ...(has('userns') || has('rootless')
      ? []
      : ['Images that name no user run as root in their container, without any capability.']),
  ]
}
