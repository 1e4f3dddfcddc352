import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { FakeClock } from '@matchyard/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { turnIntoAnswer } from '../../src/beacon/packet'
import { type BeaconOptions, openUdpBeacon } from '../../src/beacon/udp-beacon'

const HOST = '127.0.0.1'
const request = (id: string) => Buffer.from(`MYP1${id.padEnd(8)}`)
const answer = (id: string) => `MYR1${id.padEnd(8)}`
const turn = () => new Promise((next) => setImmediate(next))

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turn()
}

async function opened(options: Partial<BeaconOptions> = {}) {
  const clock = new FakeClock()
  const beacon = await openUdpBeacon({ host: HOST, port: 0, clock, timers: clock, ...options })
  onTestFinished(() => beacon.close())
  const read = () => {
    const { answered, limited, ignored } = beacon.counts()
    return answered + limited + ignored
  }
  return { beacon, clock, read }
}

/** Opens a socket, and returns what it hears. */
async function ear(address = HOST, port = 0, type: 'udp4' | 'udp6' = 'udp4') {
  const socket = createSocket(type)
  onTestFinished(() => new Promise((closed) => socket.close(() => closed())))
  const heard: string[] = []
  socket.on('message', (packet) => heard.push(packet.toString('latin1')))
  socket.bind(port, address)
  await once(socket, 'listening')
  return { socket, heard }
}
const say = (socket: Socket, packet: Buffer, port: number, address = HOST) =>
  new Promise<void>((sent, failed) => socket.send(packet, port, address, (error) => (error ? failed(error) : sent())))

describe('a beacon', () => {
  it('answers a request with its eight bytes, and nothing else', async () => {
    const { beacon, read } = await opened()
    const { socket, heard } = await ear()
    const others = ['', 'MYP1', 'MYP1seven b', 'MYP1nine byte', answer('x'), 'myp1eight by', 'X'.repeat(1_400)]
    for (const text of others) await say(socket, Buffer.from(text), beacon.port)
    await say(socket, request('abcdefgh'), beacon.port)
    await until(() => read() === others.length + 1 && heard.length > 0)
    expect(heard).toEqual([answer('abcdefgh')])
    expect(beacon.counts()).toEqual({ answered: 1, limited: 0, ignored: others.length, pauses: 0 })
  })

  it('answers over IPv6', async () => {
    const { beacon } = await opened({ host: '::1' })
    const { socket, heard } = await ear('::1', 0, 'udp6')
    await say(socket, request('six'), beacon.port, '::1')
    await until(() => heard.length > 0)
    expect(heard).toEqual([answer('six')])
  })

  it('sends nothing to its own port on another host, which may be a beacon too', async () => {
    const { beacon, read } = await opened()
    const { socket, heard } = await ear('127.0.0.2', beacon.port)
    await say(socket, request('own'), beacon.port)
    await until(() => read() === 1)
    expect([heard, beacon.counts().ignored]).toEqual([[], 1])
  })

  it('says why its port cannot be opened', async () => {
    const { beacon } = await opened()
    await expect(opened({ port: beacon.port })).rejects.toThrow(
      `BEACON_PORT: UDP port ${beacon.port} of ${HOST} cannot be opened (EADDRINUSE); give another one`,
    )
  })
})

it('an answer is as long as its request, and no answer is a request', () => {
  const packet = request('abcdefgh')
  expect([turnIntoAnswer(packet), packet.length, turnIntoAnswer(packet)]).toEqual([true, 12, false])
})

it('two beacons that seem to talk to each other exchange one packet', async () => {
  const [one, other] = [await opened(), await opened()]
  // Each relay stands for the address of one beacon as the other sees it, as forged source addresses do.
  const [asOther, asOne] = [await ear(), await ear()]
  asOther.socket.on('message', (packet) => asOne.socket.send(packet, other.beacon.port, HOST))
  asOne.socket.on('message', (packet) => asOther.socket.send(packet, one.beacon.port, HOST))
  await say(asOther.socket, request('forged'), one.beacon.port)
  await until(() => other.read() > 0)
  for (let turns = 0; turns < 50; turns++) await turn()
  expect([one.beacon.counts().answered, one.read(), asOther.heard.length]).toEqual([1, 1, 1])
  expect(other.beacon.counts()).toMatchObject({ answered: 0, ignored: 1 })
})

describe('the limits of a beacon', () => {
  it('are 40 answers at once to one address', async () => {
    const { beacon, read } = await opened()
    const { socket, heard } = await ear()
    for (let n = 0; n < 60; n++) {
      await say(socket, request(`${n}`), beacon.port)
      await until(() => read() === n + 1)
    }
    await until(() => heard.length === 40)
    expect(beacon.counts()).toEqual({ answered: 40, limited: 20, ignored: 0, pauses: 0 })
  })

  it('end the reading of packets for the rest of 0.1 s', async () => {
    const limits = { perSecond: 1_000, burst: 1_000, totalPerSecond: 1_000, dropsPerSecond: 100 }
    const { beacon, clock } = await opened({ limits })
    const { socket, heard } = await ear()
    for (let n = 0; n < 20; n++) await say(socket, Buffer.from('no request'), beacon.port)
    await until(() => beacon.counts().pauses === 1)
    await say(socket, request('paused'), beacon.port)
    clock.advance(100)
    await say(socket, request('later'), beacon.port)
    await until(() => heard.length === 1)
    expect(heard).toEqual([answer('later')])
    expect(beacon.counts()).toEqual({ answered: 1, limited: 0, ignored: 11, pauses: 1 })
  })
})
