import { connect } from 'node:net'
import { READINESS } from '@matchyard/core'
import type { ContainerInspectInfo } from 'dockerode'
import { type AskedPort, knock, type Look, type Started } from '../kit/index'
import { ownSocketsOf, socketsOf } from './container-sockets'
import { LABEL } from './labels'

/**
 * Milliseconds for which a test connection must stay open. The engine's proxy accepts every connection, and closes it
 * at once if no server listens.
 */
const HELD_MS = 250

interface WatchedPort extends AskedPort {
  readonly published: number
}

export interface Watched extends Started<WatchedPort> {
  readonly containerId: string
  /** The id of the container's first process on the engine's machine. */
  readonly pid: number
  /** The IP addresses of the container. */
  readonly addresses: readonly string[]
}

export function watchedOf({ Id, State, Config, NetworkSettings, HostConfig }: ContainerInspectInfo): Watched {
  const networks = Object.values(NetworkSettings.Networks ?? {})
  const bindings = Object.entries((HostConfig.PortBindings ?? {}) as Record<string, { HostPort: string }[]>)
  const portsOf = (protocol: string): WatchedPort[] =>
    bindings
      .filter(([key]) => key.endsWith(`/${protocol}`))
      .flatMap(([key, hosts]) =>
        hosts.map(({ HostPort }) => ({ port: Number.parseInt(key, 10), published: Number(HostPort) })),
      )
  const readiness = READINESS.find((one) => one === Config.Labels?.[LABEL.readiness])
  return {
    containerId: Id,
    pid: State.Pid,
    readiness: readiness ?? 'port',
    startedAt: Date.parse(State.StartedAt),
    addresses: networks.map(({ IPAddress }) => IPAddress).filter((ip) => ip !== '' && !ip.startsWith('169.254.')),
    tcpPorts: portsOf('tcp'),
    // A container of an earlier release has no readiness label. That release did not check UDP ports, so this check
    // includes none.
    udpPorts: readiness === undefined ? [] : portsOf('udp'),
  }
}

/**
 * Returns the readiness checks of one container. The container has its own network, so all bound sockets belong to the
 * server.
 */
export const lookAt = (watched: Watched): Look<WatchedPort> => ({
  accepts: (port) => accepts(watched, port),
  sockets: () => socketsOf(watched),
  own: (sockets) => ownSocketsOf(watched, sockets),
  // Players connect from outside the container, so a socket on a loopback address cannot receive them.
  playsOnLoopback: false,
})

async function accepts({ addresses }: Watched, { port, published }: WatchedPort): Promise<boolean> {
  const answers = await Promise.all(addresses.map((address) => knock(address, port)))
  if (answers.includes('accepts')) return true
  if (answers.includes('refuses')) return false
  // The service may have no route to the container's address. In this case the published port is tested.
  return holds(published)
}

/**
 * Whether a connection to a published port stays open, which means that a server behind the engine's proxy accepted it.
 */
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
