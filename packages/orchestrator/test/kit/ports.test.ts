import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { isFree, PortFinder } from '../../src/kit/ports'

const UDP = { name: 'game', protocol: 'udp', internalPort: 1, tlsEnabled: false } as const

it('a port is taken whichever address of the machine another program listens on', async () => {
  for (const address of ['127.0.0.1', '0.0.0.0']) {
    const server = createServer().listen(0, address)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    expect(await isFree('tcp', port)).toBe(false)
    server.close()
    await once(server, 'close')
    expect(await isFree('tcp', port)).toBe(true)

    const socket = createSocket('udp4').bind(0, address)
    await once(socket, 'listening')
    expect(await isFree('udp', socket.address().port)).toBe(false)
    socket.close()
  }
})

it('walks through the range, and says when none is free', async () => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  const finder = new PortFinder({ from: port, to: port }, 'play.example', 0)
  await expect(finder.propose([UDP])).rejects.toThrow(`no udp port from ${port} to ${port} is free`)
  socket.close()
  await once(socket, 'close')
  expect(await finder.propose([UDP])).toEqual([{ ...UDP, externalPort: port, host: 'play.example' }])
  // A proposal is not a reservation, so the port is proposed again.
  expect(await finder.propose([UDP])).toHaveLength(1)
  await expect(finder.propose([UDP, { ...UDP, name: 'two' }])).rejects.toThrow('no udp port')
})

it('gives a port for both protocols a number that is free for both, and that neither protocol was given before', async () => {
  const both = { ...UDP, name: 'both', protocol: 'tcp+udp' } as const
  const base = await freeRange(4)
  const finder = new PortFinder({ from: base, to: base + 3 }, 'play.example', 0)
  const numbers = (await finder.propose([UDP, both, { ...UDP, name: 'two' }])).map(({ externalPort }) => externalPort)
  expect(numbers).toEqual([base, base + 1, base + 2])
  const socket = createSocket('udp4').bind(base + 3, '127.0.0.1')
  await once(socket, 'listening')
  expect(await isFree('tcp', base + 3)).toBe(true)
  expect(await isFree('tcp+udp', base + 3)).toBe(false)
  expect((await finder.propose([both]))[0]?.externalPort).toBe(base)
  socket.close()
})

/** Returns the first of so many successive numbers that are free for both protocols. */
async function freeRange(count: number): Promise<number> {
  for (let base = 41_000; ; base += count) {
    const free = await Promise.all(Array.from({ length: count }, (_, at) => isFree('tcp+udp', base + at)))
    if (free.every(Boolean)) return base
  }
}
