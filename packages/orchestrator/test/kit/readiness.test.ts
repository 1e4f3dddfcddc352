import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { type BoundSocket, familyOf, openSockets, parseSocketTable, socketsAround } from '../../src/kit/kernel-sockets'
import { type Look, lackOf, ReadinessJudge, type Started } from '../../src/kit/readiness'

const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops'
const row = (local: string, state: string, inode: number) =>
  `  512: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 ${inode} 2 0000000000000000 0`

describe.runIf(process.platform === 'linux')('the tables of the kernel', () => {
  it('name what waits for players, and nothing that talks to somebody', () => {
    const udp = [
      HEAD,
      row('00000000:1E61', '07', 11),
      row('0100007F:1E62', '07', 12),
      row('00000000:9999', '01', 13),
      '',
    ].join('\n')
    expect(parseSocketTable(udp, 'udp')).toEqual([
      { protocol: 'udp', port: 7777, address: '0.0.0.0', inode: '11' },
      { protocol: 'udp', port: 7778, address: '127.0.0.1', inode: '12' },
    ])
    const tcp6 = [
      HEAD,
      row(`${'0'.repeat(32)}:1E61`, '0A', 14),
      row(`${'0'.repeat(16)}FFFF00000100007F:1E62`, '0A', 15),
    ].join('\n')
    expect(parseSocketTable(tcp6, 'tcp')).toEqual([
      { protocol: 'tcp', port: 7777, address: '0'.repeat(32), inode: '14' },
      { protocol: 'tcp', port: 7778, address: '127.0.0.1', inode: '15' },
    ])
  })

  it('hold what this process has bound, and its open files say that it is its own', async () => {
    const socket = createSocket('udp4')
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const ports = [socket.address().port, (server.address() as { port: number }).port]
      const found = (await socketsAround(process.pid))?.filter(({ port }) => ports.includes(port)) ?? []
      expect(found.map(({ protocol, address }) => [protocol, address])).toEqual([
        ['udp', '127.0.0.1'],
        ['tcp', '127.0.0.1'],
      ])
      const own = await openSockets(await familyOf(process.pid))
      expect(found.every(({ inode }) => own?.has(inode))).toBe(true)
    } finally {
      socket.close()
      server.close()
    }
  })

  it('are read no further than their bound, however many sockets there are', async () => {
    const sockets = Array.from({ length: 20 }, () => createSocket('udp4'))
    await Promise.all(sockets.map((one) => new Promise<void>((resolve) => one.bind(0, '127.0.0.1', resolve))))
    try {
      const ports = sockets.map((one) => one.address().port)
      const seen = (found: readonly BoundSocket[] = []) => found.filter(({ port }) => ports.includes(port)).length
      expect(seen(await socketsAround(process.pid))).toBe(20)
      // The bytes hold four rows, including the heading.
      expect(seen(await socketsAround(process.pid, 512))).toBeLessThan(4)
    } finally {
      for (const one of sockets) one.close()
    }
  })

  it('are compared with no more open files than a number, and no more processes', async () => {
    const socket = createSocket('udp4')
    const files = await Promise.all(Array.from({ length: 100 }, () => open('/dev/null')))
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
    const children = spawn('/bin/sh', ['-c', 'sleep 60 & sleep 60 & sleep 60 & echo begun; wait'], { detached: true })
    try {
      const { port } = socket.address()
      const inode = (await socketsAround(process.pid))?.find((one) => one.port === port)?.inode ?? ''
      expect((await openSockets([process.pid]))?.has(inode)).toBe(true)
      expect((await openSockets([process.pid], 90))?.has(inode)).toBe(false)
      await once(children.stdout, 'data')
      expect(await familyOf(children.pid ?? 0)).toHaveLength(4)
      expect(await familyOf(children.pid ?? 0, 3)).toHaveLength(3)
    } finally {
      if (children.pid !== undefined) process.kill(-children.pid, 'SIGKILL')
      socket.close()
      for (const file of files) await file.close()
    }
  })

  it('are not to be had of a process that is not there', async () => {
    expect(await socketsAround(2 ** 30)).toBeUndefined()
    expect(await openSockets([2 ** 30])).toEqual(new Set())
  })
})

const started = (over: Partial<Started>): Started => ({
  readiness: 'port',
  startedAt: 0,
  tcpPorts: [],
  udpPorts: [{ port: 7777, variable: 'PORT_GAME' }],
  ...over,
})
const bound = (port: number, address = '0.0.0.0', protocol: BoundSocket['protocol'] = 'udp'): BoundSocket => ({
  ...{ protocol, port, address, inode: String(port) },
})
const look = (over: Partial<Look<{ port: number }>> & { readonly all?: readonly BoundSocket[] } = {}) => ({
  accepts: async () => true,
  sockets: async () => over.all ?? [],
  own: async (sockets: readonly BoundSocket[]) => sockets,
  playsOnLoopback: false,
  ...over,
})

const SOON = 10
const LATER = 1_000

describe('a server', () => {
  const judge = (server: Started, at: number, seen = look(), unseen = () => {}) =>
    new ReadinessJudge(unseen).judge('one', server, seen, at)

  it('is ready as soon as its datagram port is bound by it', async () => {
    expect(await judge(started({}), SOON, look({ all: [bound(7777)] }))).toEqual({ ready: true })
    expect(await judge(started({}), LATER, look({ all: [bound(7777)], own: async () => [] }))).toMatchObject({
      ready: false,
    })
    expect(await judge(started({}), LATER)).toMatchObject({ ready: false })
  })

  it('on a loopback address is there for players who come by one, and for no others', async () => {
    const all = [bound(7777, '127.0.0.1')]
    expect(await judge(started({}), LATER, look({ all, playsOnLoopback: true }))).toEqual({ ready: true })
    const { waitsFor } = await judge(started({}), LATER, look({ all }))
    expect(waitsFor).toBe(
      'no port that was asked for is bound: asked for udp 7777 (PORT_GAME); ' +
        'the server has bound udp 7777 (on a loopback address, where players do not come)',
    )
  })

  it('needs its TCP ports to accept as well', async () => {
    const server = started({ tcpPorts: [{ port: 80 }] })
    const all = [bound(7777)]
    expect(await judge(server, LATER, look({ all, accepts: async () => false }))).toEqual({
      ready: false,
      waitsFor: 'tcp 80 is not bound; the server has bound udp 7777',
    })
    expect(await judge(server, SOON, look({ all }))).toEqual({ ready: true })
  })

  it('is ready after a second where nobody can see what is bound, and that is said once', async () => {
    let said = 0
    const judge = new ReadinessJudge(() => said++)
    for (const blind of [
      look({ sockets: async () => undefined }),
      look({ all: [bound(7777)], own: async () => undefined }),
    ]) {
      expect(await judge.judge('one', started({}), blind, SOON)).toEqual({ ready: false })
      expect(await judge.judge('one', started({}), blind, LATER)).toEqual({ ready: true })
    }
    expect(said).toBe(1)
  })

  it('is not taken for ready by one look that fails after others that did not', async () => {
    let said = 0
    const judge = new ReadinessJudge(() => said++)
    const blind = look({ sockets: async () => undefined })
    await judge.judge('one', started({}), look(), LATER)
    expect(await judge.judge('one', started({}), blind, LATER + 50)).toMatchObject({ ready: false })
    expect(said).toBe(0)
    expect(await judge.judge('one', started({}), blind, LATER + 1_000)).toEqual({ ready: true })
    expect(said).toBe(1)
  })

  it('without ports is ready after a second', async () => {
    expect(await judge(started({ udpPorts: [] }), SOON)).toEqual({ ready: false })
    expect(await judge(started({ udpPorts: [] }), LATER)).toEqual({ ready: true })
  })

  it('that says itself when it is ready is not asked', async () => {
    const verdict = await judge(started({ readiness: 'self' }), LATER, look({ all: [bound(7777)] }))
    expect(verdict).toMatchObject({ ready: false, waitsFor: expect.stringContaining('has not said') })
  })

  it('is ready after a second where that was asked for', async () => {
    expect(await judge(started({ readiness: 'uptime' }), SOON, look({ all: [bound(7777)] }))).toEqual({ ready: false })
    expect(await judge(started({ readiness: 'uptime' }), LATER)).toEqual({ ready: true })
  })
})

it('what a server lacks is told once a second at the most, and anew then', async () => {
  const judge = new ReadinessJudge(() => {})
  let looks = 0
  const all = [bound(9999)]
  const own = async (sockets: readonly BoundSocket[]) => {
    looks++
    return sockets
  }
  for (let at = 0; at < 3_000; at += 50) await judge.judge('one', started({}), look({ all, own }), at)
  expect(looks).toBe(3)
})

it('the ports asked for and those bound are named', () => {
  const udpPorts = [{ port: 1 }, { port: 2, variable: 'PORT_B' }]
  expect(lackOf({ tcpPorts: [], udpPorts }, [bound(1), bound(5)], false)).toBe(
    'udp 2 (PORT_B) is not bound; the server has bound udp 1, udp 5',
  )
  expect(lackOf({ tcpPorts: [{ port: 3 }], udpPorts }, [], false)).toBe(
    'no port that was asked for is bound: asked for udp 1, udp 2 (PORT_B), tcp 3; the server has bound none',
  )
  expect(lackOf({ tcpPorts: [], udpPorts }, [bound(1), bound(2)], false)).toBeUndefined()
})
