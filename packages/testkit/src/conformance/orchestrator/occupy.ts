import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { PortMapping } from '@matchyard/core'

/** Returns a port on which no program of this machine listens for datagrams. */
export async function freeDatagramPort(): Promise<number> {
  const socket = createSocket('udp4')
  socket.bind(0)
  await once(socket, 'listening')
  const { port } = socket.address()
  await new Promise<void>((resolve) => socket.close(() => resolve()))
  return port
}

/**
 * Occupies a port of the machine, as another program might, and returns a function that frees the port. Rejects when
 * the port is already in use.
 */
export async function occupy({ protocol, externalPort }: PortMapping): Promise<() => Promise<void>> {
  if (protocol === 'tcp') {
    const server = createServer()
    server.listen(externalPort, '0.0.0.0')
    await once(server, 'listening')
    return () => new Promise((resolve) => server.close(() => resolve()))
  }
  const socket = createSocket('udp4')
  socket.bind(externalPort, '0.0.0.0')
  await once(socket, 'listening')
  return () => new Promise((resolve) => socket.close(() => resolve()))
}
