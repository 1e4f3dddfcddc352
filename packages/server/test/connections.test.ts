import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { MatchyardApp } from '@matchyard/http'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../src/service/listen'

const ASK = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'

/** What comes back; empty where the connection is closed without an answer. */
async function answerOn(socket: Socket): Promise<string> {
  const over = Promise.race([once(socket, 'data'), once(socket, 'close')])
  socket.write(ASK)
  const [data] = await over
  return Buffer.isBuffer(data) ? (data.toString().split('\r\n', 1)[0] ?? '') : ''
}

test('one more than the bound is closed at once, and those that are open go on', async () => {
  const app = new Hono().get('/', (c) => c.text('hello')) as unknown as MatchyardApp
  const { port, close } = await listen(app, { host: '127.0.0.1', port: 0, maxConnections: 2 })
  onTestFinished(() => close(0))
  const open = async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  const [first, second] = [await open(), await open()]
  expect(await answerOn(first)).toBe('HTTP/1.1 200 OK')
  expect(await answerOn(second)).toBe('HTTP/1.1 200 OK')
  expect(await answerOn(await open())).toBe('')
  expect(await answerOn(second)).toBe('HTTP/1.1 200 OK')
  first.destroy()
  await once(first, 'close')
  // The server hears of it a moment later than this side.
  for (let answer = ''; answer === ''; ) answer = await answerOn(await open())
})
