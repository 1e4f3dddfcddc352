import { connect } from 'node:net'
import type { ContainerInspectInfo } from 'dockerode'

const UDP_ONLY_UP_MS = 1_000
const CONNECT_TIMEOUT_MS = 500
/** The engine's proxy takes every connection, and drops it at once when nobody listens behind it. */
const HELD_MS = 250

export interface Watched {
  readonly startedAt: number
  /** Of the container, on this machine's bridges. */
  readonly addresses: readonly string[]
  readonly tcpPorts: readonly { readonly internal: number; readonly published: number }[]
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

/** Every TCP port accepts, or, where there is none, the server has stayed up for a second (contract §8). */
export async function isReady({ startedAt, addresses, tcpPorts }: Watched, now: number): Promise<boolean> {
  if (tcpPorts.length === 0) return now - startedAt >= UDP_ONLY_UP_MS
  const accepting = await Promise.all(
    tcpPorts.map(async ({ internal, published }) => {
      const answers = await Promise.all(addresses.map((address) => knock(address, internal)))
      if (answers.includes('accepts')) return true
      if (answers.includes('refuses')) return false
      // The service itself may be where the container cannot be seen: then by the port that players use.
      return holds(published)
    }),
  )
  return accepting.every(Boolean)
}

type Answer = 'accepts' | 'refuses' | 'unreachable'

function knock(host: string, port: number): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const done = (answer: Answer) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => done('unreachable'))
    socket.once('connect', () => done('accepts'))
    socket.once('error', (error: NodeJS.ErrnoException) =>
      done(error.code === 'ECONNREFUSED' ? 'refuses' : 'unreachable'),
    )
  })
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
