import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import type { PortMapping, PortRequest, Protocol, Transport } from '@matchyard/core'
import { transportsOf } from '@matchyard/core/ports'
import { hasCode } from './system-errors'

export interface PortRange {
  readonly from: number
  /** Last port of the range; it belongs to the range. */
  readonly to: number
}

/** The default range, below the ports that systems use for outgoing connections. */
export const DEFAULT_PORT_RANGE: PortRange = { from: 20_000, to: 29_999 }

/**
 * The default range of inner ports, on which game servers listen behind the TLS of the machine. It is a range of its own, so that one rule
 * of a firewall closes it.
 */
export const DEFAULT_INNER_RANGE: PortRange = { from: 30_000, to: 31_999 }

/**
 * Proposes free ports. It proposes the ports of the range in order, so that a port is proposed again only after all
 * other ports.
 */
export class PortFinder {
  private readonly next: Record<Transport, number>

  constructor(
    private readonly range: PortRange,
    private readonly host: string,
    start: number,
  ) {
    this.next = { udp: start, tcp: start }
  }

  /**
   * Returns a different free port for each request, and proposes a port again only when the range is used up. Rejects
   * when no port is free.
   */
  async propose(requests: readonly PortRequest[]): Promise<PortMapping[]> {
    const taken = new Set<string>()
    const mappings: PortMapping[] = []
    for (const request of requests) {
      const externalPort = await this.findFree(request.protocol, taken)
      for (const transport of transportsOf(request.protocol)) taken.add(`${transport}:${externalPort}`)
      mappings.push({ ...request, externalPort, host: this.host })
    }
    return mappings
  }

  private async findFree(protocol: Protocol, taken: ReadonlySet<string>): Promise<number> {
    const { from, to } = this.range
    const count = to - from + 1
    const transports = transportsOf(protocol)
    for (let step = 0; step < count; step++) {
      // A number for several transports comes after the numbers that were proposed for each of them.
      const next = Math.max(...transports.map((transport) => this.next[transport]))
      for (const transport of transports) this.next[transport] = next + 1
      const port = from + (next % count)
      if (!transports.some((transport) => taken.has(`${transport}:${port}`)) && (await isFree(protocol, port)))
        return port
    }
    throw new Error(`no ${protocol} port from ${from} to ${to} is free`)
  }
}

/** Throws TypeError when the ranges overlap: the rule of the firewall that closes the inner ports would close external ports too. */
export function requireApart(caller: string, external: PortRange, inner: PortRange): void {
  if (external.to < inner.from || inner.to < external.from) return
  const [one, other] = [external, inner].map(({ from, to }) => `${from} to ${to}`)
  throw new TypeError(`${caller}: portRange (${one}) and innerPortRange (${other}) must have no port in common`)
}

/** Returns a finder that begins at a random port of the range, so that two processes seldom propose the same ports. */
export const portsFrom = (range: PortRange, host: string): PortFinder =>
  new PortFinder(range, host, randomInt(range.to - range.from + 1))

/** Returns the first port that is in use; undefined when all ports are free. */
export async function takenPort(ports: readonly PortMapping[]): Promise<PortMapping | undefined> {
  const free = await Promise.all(ports.map(({ protocol, externalPort }) => isFree(protocol, externalPort)))
  return ports.find((_, i) => free[i] === false)
}

/** Whether a server could listen on this port now, on every address of the machine. */
export async function isFree(protocol: Protocol, port: number): Promise<boolean> {
  const free = await Promise.all(transportsOf(protocol).map((transport) => isFreeFor(transport, port)))
  return free.every(Boolean)
}

async function isFreeFor(transport: Transport, port: number): Promise<boolean> {
  const attempt = transport === 'tcp' ? listenTcp : bindUdp
  try {
    return await attempt(port, '::')
  } catch (error) {
    // When the machine has no IPv6, only IPv4 is tested.
    if (hasCode(error, 'EAFNOSUPPORT', 'EADDRNOTAVAIL', 'EINVAL')) return attempt(port, '0.0.0.0')
    throw error
  }
}

function listenTcp(port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => (isTaken(error) ? resolve(false) : reject(error)))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}

function bindUdp(port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(host === '::' ? 'udp6' : 'udp4')
    socket.once('error', (error) => {
      socket.close()
      if (isTaken(error)) resolve(false)
      else reject(error)
    })
    socket.bind({ port, address: host, exclusive: true }, () => socket.close(() => resolve(true)))
  })
}

// With EACCES only root may listen on the port, so the port counts as taken.
const isTaken = (error: Error) => hasCode(error, 'EADDRINUSE', 'EACCES')
