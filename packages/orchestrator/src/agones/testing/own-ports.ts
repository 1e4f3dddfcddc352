import { createSocket } from 'node:dgram'
import { createServer, type Server } from 'node:net'

/**
 * Range of ports above Linux's range for outgoing connections (32,768 to 60,999), so that no outgoing connection uses
 * one of them by chance.
 */
const [FROM, TO] = [61_000, 65_400]
const EACH = 100

export interface OwnPorts {
  /**
   * Returns a port that is not in `taken`. Of all free ports, it is the port that was returned the longest time ago.
   */
  take(taken: ReadonlySet<number>): number
  close(): Promise<void>
}

/**
 * Reserves 100 ports that no other test cluster on this machine uses. A listener on the first of these ports holds the
 * reservation.
 */
export async function ownPorts(): Promise<OwnPorts> {
  const blocks = Array.from({ length: Math.floor((TO - FROM) / EACH) }, (_, at) => FROM + at * EACH)
  // Processes that start at the same time begin with different blocks.
  const first = process.pid % blocks.length
  for (const block of [...blocks.slice(first), ...blocks.slice(0, first)]) {
    const held = await listened(block)
    if (held !== undefined) return portsOf(block, held)
  }
  throw new Error(`no ${EACH} ports between ${FROM} and ${TO} are left for a test cluster: end those that run`)
}

async function portsOf(block: number, held: Server): Promise<OwnPorts> {
  const free: number[] = []
  for (let port = block + 1; port < block + EACH; port++) if (await isFree(port)) free.push(port)
  return {
    take(taken) {
      const at = free.findIndex((port) => !taken.has(port))
      const [port] = at < 0 ? [] : free.splice(at, 1)
      if (port === undefined) throw new Error('the test cluster has given all of its ports away')
      free.push(port)
      return port
    },
    close: () => closed(held),
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = await listened(port)
  if (server === undefined) return false
  const bound = await new Promise<boolean>((resolve) => {
    const socket = createSocket('udp4')
    socket.once('error', () => resolve(false))
    socket.bind(port, '0.0.0.0', () => socket.close(() => resolve(true)))
  })
  await closed(server)
  return bound
}

const listened = (port: number) =>
  new Promise<Server | undefined>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '0.0.0.0', () => resolve(server))
  })

const closed = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()))
