import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { AddressRefused, FetchFailed } from '@matchyard/core/ports'
import { afterEach, describe, expect, it } from 'vitest'
import { resolveByDns } from '../src/addresses/resolve'
import { guardedFetch } from '../src/index'
import { startDnsServer } from './support/dns-server'

const LOOPBACK = { allowLoopback: true, allowPrivate: false, httpsOnly: false }
const PUBLIC = { ...LOOPBACK, allowLoopback: false }
const REQUEST = { method: 'POST', headers: {}, timeoutMs: 5_000, maxResponseBytes: 1_000 } as const

const servers: Server[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
})

async function listen(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
const receive = (listener: RequestListener) => listen(createServer(listener))
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error) => (error instanceof FetchFailed ? error.failure : String(error)),
  )

describe('a call', () => {
  it('sends what it is given and answers what came', async () => {
    const port = await receive(async (request, answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      answer.writeHead(201, { 'x-seen': `${request.method} ${request.url} ${request.headers['x-a']}` })
      answer.end(Buffer.concat(chunks))
    })
    const url = `http://127.0.0.1:${port}/hook?a=1#part`
    const answer = await guardedFetch().fetch({ ...REQUEST, url, headers: { 'x-a': 'b' }, body: 'grüße' }, LOOPBACK)
    expect(answer.status).toBe(201)
    expect(answer.headers['x-seen']).toBe('POST /hook?a=1 b')
    expect(Buffer.from(answer.body).toString()).toBe('grüße')
    expect(answer.truncated).toBe(false)
  })

  it('follows no redirect', async () => {
    let reached = 0
    const inside = await receive((_request, answer) => {
      reached++
      answer.end()
    })
    const port = await receive((_request, answer) => {
      answer.writeHead(302, { location: `http://127.0.0.1:${inside}/` }).end()
    })
    const { status } = await guardedFetch().fetch({ ...REQUEST, url: `http://127.0.0.1:${port}/` }, LOOPBACK)
    expect([status, reached]).toEqual([302, 0])
  })

  it('reads no more of an answer than it was asked to', async () => {
    const port = await receive((_request, answer) => void answer.end('x'.repeat(1_000_000)))
    const answer = await guardedFetch().fetch({ ...REQUEST, url: `http://127.0.0.1:${port}/` }, LOOPBACK)
    expect([answer.body.length, answer.truncated, answer.status]).toEqual([1_000, true, 200])
  })

  it('fails where nobody answers in time, and lets go of the connection', async () => {
    let closed: () => void
    const gone = new Promise<void>((resolve) => {
      closed = resolve
    })
    const port = await receive((request) => void request.on('close', () => closed()))
    const url = `http://127.0.0.1:${port}/`
    // Long enough for a busy machine to connect: a request that never came does not go either.
    expect(await failureOf(guardedFetch().fetch({ ...REQUEST, url, timeoutMs: 500 }, LOOPBACK))).toBe('timeout')
    await gone
  })

  it('fails where an answer never ends', async () => {
    const port = await receive((_request, answer) => void answer.writeHead(200).write('x'))
    const url = `http://127.0.0.1:${port}/`
    expect(await failureOf(guardedFetch().fetch({ ...REQUEST, url, timeoutMs: 50 }, LOOPBACK))).toBe('timeout')
    for (const server of servers) (server as ReturnType<typeof createServer>).closeAllConnections()
  })

  it('fails where the name is never resolved', async () => {
    const guarded = guardedFetch({ resolve: () => new Promise(() => {}) })
    expect(await failureOf(guarded.fetch({ ...REQUEST, url: 'http://slow.example/', timeoutMs: 50 }, PUBLIC))).toBe(
      'timeout',
    )
  })

  it.each([
    ['closes half-way', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'],
    ['speaks no HTTP', 'hello there\r\n\r\n'],
    ['closes at once', ''],
  ])('fails where the other side %s', async (_name, text) => {
    const port = await listen(
      createTcpServer((socket) => void socket.on('error', () => {}).once('data', () => socket.end(text))),
    )
    expect(await failureOf(guardedFetch().fetch({ ...REQUEST, url: `http://127.0.0.1:${port}/` }, LOOPBACK))).toBe(
      'connection',
    )
  })

  it('fails where nobody listens, and where the name has no address', async () => {
    const port = await receive(() => {})
    await new Promise((resolve) => servers.splice(0)[0]?.close(resolve))
    const guarded = guardedFetch({ resolve: async () => [] })
    expect(await failureOf(guarded.fetch({ ...REQUEST, url: `http://127.0.0.1:${port}/` }, LOOPBACK))).toBe(
      'connection',
    )
    expect(await failureOf(guarded.fetch({ ...REQUEST, url: 'http://nobody.example/' }, PUBLIC))).toBe('dns')
  })
})

describe('a name whose address changes between check and use', () => {
  it('is called at the address that was judged: the name server is asked once for a call', async () => {
    let reached = 0
    const port = await receive((_request, answer) => {
      reached++
      answer.end()
    })
    // The name server returns loopback, which is allowed here, for the first query of a call, and a refused address for
    // later queries.
    const dns = await startDnsServer((_name, question) => [question === 0 ? '127.0.0.1' : '10.255.255.1'])
    try {
      const guarded = guardedFetch({ resolve: resolveByDns(dns.resolver) })
      const url = `http://rebinding.example:${port}/`
      const { status } = await guarded.fetch({ ...REQUEST, url }, LOOPBACK)
      expect([status, reached, dns.questions()]).toEqual([200, 1, 1])
      await expect(guarded.fetch({ ...REQUEST, url }, LOOPBACK)).rejects.toBeInstanceOf(AddressRefused)
      expect(reached).toBe(1)
    } finally {
      await dns.close()
    }
  })

  it('is refused at the call, although it was public when it was checked', async () => {
    let reached = 0
    const port = await receive((_request, answer) => {
      reached++
      answer.end()
    })
    const dns = await startDnsServer((_name, question) => [question === 0 ? '93.184.216.34' : '127.0.0.1'])
    try {
      const guarded = guardedFetch({ resolve: resolveByDns(dns.resolver) })
      const url = `http://rebinding.example:${port}/`
      await guarded.check(url, PUBLIC)
      await expect(guarded.fetch({ ...REQUEST, url }, PUBLIC)).rejects.toThrow('loopback')
      expect(reached).toBe(0)
    } finally {
      await dns.close()
    }
  })
})
