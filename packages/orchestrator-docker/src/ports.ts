import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import type { PortMapping, PortRequest, Protocol } from '@matchyard/core'

export interface PortRange {
  readonly from: number
  /** Included. */
  readonly to: number
}

/** Below the range from which systems take the local ports of outgoing connections. */
export const DEFAULT_PORT_RANGE: PortRange = { from: 20_000, to: 29_999 }

/** Proposes published ports, going round the range so that one given out comes up again last. */
export class PublishedPorts {
  private at: number

  constructor(
    private readonly range: PortRange,
    private readonly host: string,
    start: number,
  ) {
    this.at = start
  }

  /** One per request, each free at this moment. Throws when the range has none left. */
  async propose(requests: readonly PortRequest[]): Promise<PortMapping[]> {
    const mappings: PortMapping[] = []
    for (const request of requests) {
      mappings.push({ ...request, externalPort: await this.nextFree(request.protocol), host: this.host })
    }
    return mappings
  }

  private async nextFree(protocol: Protocol): Promise<number> {
    const { from, to } = this.range
    const count = to - from + 1
    for (let tries = 0; tries < count; tries++) {
      const port = from + (this.at++ % count)
      if (await isFree(protocol, port)) return port
    }
    throw new Error(`no ${protocol} port from ${from} to ${to} is free`)
  }
}

/** The first of these that something else listens on. */
export async function takenPort(ports: readonly PortMapping[]): Promise<PortMapping | undefined> {
  const free = await Promise.all(ports.map(({ protocol, externalPort }) => isFree(protocol, externalPort)))
  return ports.find((_, i) => free[i] === false)
}

/** Whether the engine could publish this port now, on every address of the machine. */
async function isFree(protocol: Protocol, port: number): Promise<boolean> {
  const code = await listening(protocol, port, '::')
  // A machine without IPv6.
  const noIpv6 = code !== undefined && ['EAFNOSUPPORT', 'EADDRNOTAVAIL', 'EINVAL'].includes(code)
  return (noIpv6 ? await listening(protocol, port, '0.0.0.0') : code) === undefined
}

/** Listens and lets go; answers the code of what stood against it. */
function listening(protocol: Protocol, port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const refused = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)
    if (protocol === 'tcp') {
      const server = createServer().once('error', refused)
      server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)))
    } else {
      const socket = createSocket(host === '::' ? 'udp6' : 'udp4')
      socket.once('error', (error) => {
        socket.close()
        refused(error)
      })
      socket.bind({ port, address: host, exclusive: true }, () => socket.close(() => resolve(undefined)))
    }
  })
}
