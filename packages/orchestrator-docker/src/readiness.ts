import { connect } from 'node:net'
import { knock, type Started } from '@matchyard/orchestrator-kit'
import type { ContainerInspectInfo } from 'dockerode'

/** The engine's proxy takes every connection, and drops it at once when nobody listens behind it. */
const HELD_MS = 250

interface WatchedPort {
  readonly internal: number
  readonly published: number
}

export interface Watched extends Started<WatchedPort> {
  /** Of the container, on this machine's bridges. */
  readonly addresses: readonly string[]
}

export function watchedOf({ State, NetworkSettings, HostConfig }: ContainerInspectInfo): Watched {
  const networks = Object.values(NetworkSettings.Networks ?? {})
  const bindings = Object.entries((HostConfig.PortBindings ?? {}) as Record<string, { HostPort: string }[]>)
  return {
    startedAt: Date.parse(State.StartedAt),
    addresses: networks.map(({ IPAddress }) => IPAddress).filter((ip) => ip !== '' && !ip.startsWith('169.254.')),
    tcpPorts: bindings
      .filter(([key]) => key.endsWith('/tcp'))
      .flatMap(([key, hosts]) =>
        hosts.map(({ HostPort }) => ({ internal: Number.parseInt(key, 10), published: Number(HostPort) })),
      ),
  }
}

export async function accepts({ addresses }: Watched, { internal, published }: WatchedPort): Promise<boolean> {
  const answers = await Promise.all(addresses.map((address) => knock(address, internal)))
  if (answers.includes('accepts')) return true
  if (answers.includes('refuses')) return false
  // The service itself may be where the container cannot be seen: then by the port that players use.
  return holds(published)
}

/** Whether a connection to a published port is held: somebody behind the engine's proxy took it. */
function holds(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    const done = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => socket.setTimeout(HELD_MS, () => done(true)))
    socket.once('data', () => done(true))
    socket.once('end', () => done(false))
    socket.once('error', () => done(false))
  })
}
