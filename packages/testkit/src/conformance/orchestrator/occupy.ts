import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { PortMapping } from '@matchyard/core'

/** Takes a port of the machine, as any other program might; rejects where it is taken. */
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
