import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { FakeClock } from '@matchyard/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { limitSlowSenders, NODE_SERVER_OPTIONS } from '../src/index'

const opened: { close(): void }[] = []
afterEach(() => {
  for (const thing of opened.splice(0)) thing.close()
})

/** Starts a server that answers once a request is whole, and a request that has only begun. */
async function begin(line: string, headers: readonly string[], start: string, answersAtOnce = false) {
  const clock = new FakeClock()
  let heard: (() => void) | undefined
  const nextBytes = () =>
    new Promise<void>((resolve) => {
      heard = resolve
    })
  const firstBytes = nextBytes()
  const server = createServer(NODE_SERVER_OPTIONS, (incoming, outgoing) => {
    if (answersAtOnce) outgoing.end('no')
    incoming.on('data', () => heard?.()).on('end', () => outgoing.end('done'))
  })
  limitSlowSenders(server, clock)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write([`${line} HTTP/1.1`, 'host: localhost', ...headers, '', start].join('\r\n'))
  await firstBytes
  opened.push({
    close() {
      socket.destroy()
      server.close()
      server.closeAllConnections()
    },
  })
  return { clock, socket, nextBytes }
}

const closed = (socket: Socket) => new Promise<void>((resolve) => socket.on('close', () => resolve()))
const answered = (socket: Socket) =>
  new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))

test('a connection that nobody uses is kept for longer than proxies keep theirs, and its caller is told', async () => {
  const { socket } = await begin('POST /v1/lobbies', ['content-length: 1'], 'x')
  expect(await answered(socket)).toMatch(/keep-alive: timeout=75/i)
})

describe('slow senders', () => {
  test('lose their connection when 30 seconds did not suffice for the body', async () => {
    const { clock, socket } = await begin('POST /v1/lobbies', ['content-length: 10'], 'half')
    socket.resume()
    const end = closed(socket)
    clock.advance(29_999)
    expect(socket.destroyed).toBe(false)
    clock.advance(1)
    await end
  })

  test('keep it when the rest comes in time', async () => {
    const { clock, socket } = await begin('POST /v1/lobbies', ['content-length: 10'], 'half')
    const answer = answered(socket)
    clock.advance(29_999)
    socket.write('ed now')
    expect(await answer).toContain('200 OK')
    expect(clock.nextTimerAt()).toBeUndefined()
  })

  test('may take their time over an upload while bytes keep coming, and no longer', async () => {
    const { clock, socket, nextBytes } = await begin('PUT /v1/uploads/bld_1', ['content-length: 1000'], 'a')
    socket.resume()
    for (let n = 0; n < 3; n++) {
      const more = nextBytes()
      socket.write('more')
      await more
      clock.advance(30_000)
      expect(socket.destroyed).toBe(false)
    }
    const end = closed(socket)
    clock.advance(30_000)
    await end
  })

  test('have 30 seconds for what is left of an upload that was answered before its end', async () => {
    const { clock, socket, nextBytes } = await begin('PUT /v1/uploads/bld_1', ['content-length: 1000'], 'a', true)
    socket.resume()
    const more = nextBytes()
    socket.write('more')
    await more
    const end = closed(socket)
    clock.advance(30_000)
    await end
  })

  test('of more bodies at once than may be on their way lose the one that began first', async () => {
    const server = createServer((incoming) => incoming.resume())
    limitSlowSenders(server, new FakeClock(), 100_000)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const send = async (header: string) => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      opened.push({ close: () => socket.destroy() })
      const come = new Promise((resolve) => server.once('request', resolve))
      socket.resume().write(`POST / HTTP/1.1\r\nhost: a\r\n${header}\r\n\r\n1`)
      await come
      return socket
    }
    opened.push({ close: () => server.closeAllConnections() }, server)
    const [first, upload] = [await send('content-length: 60000'), await send('content-length: 30000')]
    const end = closed(first)
    const last = await send('transfer-encoding: chunked')
    await end
    expect([upload.destroyed, last.destroyed]).toEqual([false, false])
  })

  test('of headers are Node’s to cut off: the options say so', () => {
    expect(NODE_SERVER_OPTIONS).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 0,
      connectionsCheckingInterval: 1_000,
    })
  })
})
