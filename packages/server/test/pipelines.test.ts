import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { HttpEnv, MatchyardApp } from '@matchyard/http'
import { type Context, Hono } from 'hono'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listen } from '../src/service/listen'
import { boundedRequests, Pipelines } from '../src/service/pipelines'

const turn = () => new Promise((resolve) => setImmediate(resolve))
const ask = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: a\r\n${more}\r\n`

/** Starts a service that answers calls of `/held` when the test says so. */
async function start() {
  const held: ((response: Response) => void)[] = []
  const begun: Socket[] = []
  let [underWay, most] = [0, 0]
  const app = new Hono<HttpEnv>()
    .get('/held', (c: Context<HttpEnv>) => {
      if (c.env.incoming !== undefined) begun.push(c.env.incoming.socket)
      return new Promise<Response>((resolve) => held.push(resolve))
    })
    .get('/echo/:n', async (c) => {
      most = Math.max(most, ++underWay)
      await turn()
      underWay--
      return c.text(`<${c.req.param('n')}>`)
    })
    .post('/echo/:n', async (c) => c.text(`<${c.req.param('n')}:${(await c.req.text()).length}>`))
  const { port, close } = await listen(app as unknown as MatchyardApp, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => close(0))
  const open = async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  return { held, begun, open, port, most: () => most }
}

/** Reads until `count` answers of `/echo` have arrived, and returns their texts. */
async function echoes(socket: Socket, count: number): Promise<string[]> {
  let text = ''
  const found = () => text.match(/<[\d:]+>/g) ?? []
  while (found().length < count) {
    const [data] = (await once(socket, 'data')) as [Buffer]
    text += data.toString('latin1')
  }
  return [...found()]
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

describe('requests that are sent without waiting for an answer', () => {
  test('one of ten thousand on a connection is under way, and no more is read than comes at once', async () => {
    const { begun, open } = await start()
    const flood = await open()
    // Each request has 2 kB, so that one read of the socket contains fewer requests than may wait.
    flood.write(ask('/held', `x-filler: ${'x'.repeat(2_000)}\r\n`).repeat(10_000))
    while (begun.length === 0) await turn()
    // Meanwhile the service serves other callers, and has the time to read everything.
    const other = await open()
    for (const n of numbers(50)) {
      other.write(ask(`/echo/${n}`))
      expect(await echoes(other, 1)).toEqual([`<${n}>`])
    }
    expect(begun).toHaveLength(1)
    expect(begun[0]?.bytesRead).toBeLessThan(200_000)
    expect(flood.destroyed).toBe(false)
  })

  test('are answered one after the other, in their order, again and again', async () => {
    const { open, most } = await start()
    const socket = await open()
    for (const _ of numbers(3)) {
      const answers = echoes(socket, 60)
      socket.write(
        numbers(60)
          .map((n) => ask(`/echo/${n}`))
          .join(''),
      )
      expect(await answers).toEqual(numbers(60).map((n) => `<${n}>`))
    }
    expect(most()).toBe(1)
  })

  test('may have bodies that come in many parts', async () => {
    const { open } = await start()
    const socket = await open()
    const answers = echoes(socket, 30)
    const post = (n: number) =>
      `POST /echo/${n} HTTP/1.1\r\nhost: a\r\ncontent-length: 50000\r\n\r\n${'x'.repeat(50_000)}`
    socket.write(numbers(30).map(post).join(''))
    expect(await answers).toEqual(numbers(30).map((n) => `<${n}:50000>`))
  })

  test.each([
    ['that are to wait', ask('/held')],
    ['without a Host', 'GET /held HTTP/1.1\r\n\r\n'],
    ['that expect something', ask('/held', 'expect: a miracle\r\n')],
    ['that expect to be told to go on', ask('/held', 'expect: 100-continue\r\n')],
    ['to a path that there is not', ask('/nothing')],
  ])('%s: more than 64 at once behind one close their connection', async (_, request) => {
    const { open, begun, port } = await start()
    const socket = await open()
    const closed = once(socket, 'close')
    socket.resume()
    socket.write(ask('/held') + request.repeat(100))
    await closed
    expect(begun.length).toBeLessThanOrEqual(1)
    expect((await fetch(`http://127.0.0.1:${port}/echo/1`)).status).toBe(200)
  })

  test('are not begun when their connection is gone', async () => {
    const { open, begun, held, port } = await start()
    const socket = await open()
    socket.write(ask('/held').repeat(3))
    while (begun.length === 0) await turn()
    const [served] = begun
    socket.resetAndDestroy()
    // The service does not read from the socket, so it sees the end only when it writes.
    while (served?.destroyed === false) {
      served.write('x')
      await turn()
    }
    held[0]?.(new Response('late'))
    expect((await fetch(`http://127.0.0.1:${port}/echo/1`)).status).toBe(200)
    expect(begun).toHaveLength(1)
  })
})

test('requests that wait behind others are so many on a node; past it a connection with one more is closed', async () => {
  const pipelines = new Pipelines({ onConnection: 64, onNode: 3 })
  const answers: ServerResponse[] = []
  const server = createServer(
    { IncomingMessage: boundedRequests((socket) => pipelines.isFull(socket)) },
    ({ socket }, outgoing) => pipelines.take(socket, outgoing, () => void answers.push(outgoing)),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const sent = (text: string) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
    socket.write(text)
    onTestFinished(() => void socket.destroy())
    return socket
  }
  const full = sent(ask('/').repeat(4))
  while (answers.length < 1) await turn()
  await once(sent(ask('/').repeat(2)).resume(), 'close')
  // A single call waits for no other connection.
  sent(ask('/'))
  while (answers.length < 3) await turn()
  // Places are free again when waiting requests are answered, or when their connection has closed.
  const over = once(answers[0]?.req.socket as Socket, 'close')
  answers[0]?.destroy()
  await over
  full.destroy()
  sent(ask('/').repeat(4))
  while (answers.length < 4) await turn()
  expect(answers[3]?.req.socket.destroyed).toBe(false)
})

test('a request that expects what no server knows is answered 417 in its turn, and its connection goes on', async () => {
  const { open } = await start()
  const socket = await open()
  socket.write(ask('/echo/1') + ask('/echo/2', 'expect: a miracle\r\n') + ask('/echo/3'))
  let text = ''
  while (!text.includes('<3>')) text += ((await once(socket, 'data')) as [Buffer])[0].toString('latin1')
  expect(text.match(/<\d>|HTTP\/1\.1 417/g)).toEqual(['<1>', 'HTTP/1.1 417', '<3>'])
})
