import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { MatchyardApp } from '@matchyard/http'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../src/service/listen'

const ask = (path = '/') => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`

/** Returns the first line of the answer; empty when the connection is closed without an answer. */
async function answerOn(socket: Socket, path?: string): Promise<string> {
  const over = Promise.race([once(socket, 'data'), once(socket, 'close')])
  socket.write(ask(path))
  const [data] = await over
  return Buffer.isBuffer(data) ? (data.toString().split('\r\n', 1)[0] ?? '') : ''
}

test('one more than the bound closes the one that has been idle for the longest', async () => {
  let answer: ((response: Response) => void) | undefined
  const slow = new Promise<Response>((resolve) => {
    answer = resolve
  })
  let begun = false
  const app = new Hono()
    .get('/', (c) => c.text('hello'))
    .get('/slow', () => {
      begun = true
      return slow
    }) as unknown as MatchyardApp
  const { port, close } = await listen(app, { host: '127.0.0.1', port: 0, maxConnections: 2 })
  onTestFinished(() => close(0))
  const open = async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  const [idle, busy] = [await open(), await open()]
  expect(await answerOn(idle)).toBe('HTTP/1.1 200 OK')
  const busyAnswer = answerOn(busy, '/slow')
  while (!begun) await new Promise((resolve) => setImmediate(resolve))

  const goes = once(idle, 'close')
  const third = await open()
  expect(await answerOn(third)).toBe('HTTP/1.1 200 OK')
  await goes
  // A connection with a running request is never closed for a new one.
  await answerOn(await open())
  answer?.(new Response('done'))
  expect(await busyAnswer).toBe('HTTP/1.1 200 OK')
})

test('one more than the bound is closed itself where something is in hand on all others', async () => {
  const app = new Hono().get('/', () => new Promise<Response>(() => {})) as unknown as MatchyardApp
  let asked = 0
  const counting = {
    fetch(...all: Parameters<MatchyardApp['fetch']>) {
      asked++
      return app.fetch(...all)
    },
  } as MatchyardApp
  const { port, close } = await listen(counting, { host: '127.0.0.1', port: 0, maxConnections: 1 })
  onTestFinished(() => close(0))
  const busy = connect(port, '127.0.0.1').on('error', () => {})
  busy.write(ask())
  onTestFinished(() => void busy.destroy())
  while (asked === 0) await new Promise((resolve) => setImmediate(resolve))
  const more = connect(port, '127.0.0.1').on('error', () => {})
  await once(more, 'close')
  expect([asked, busy.destroyed]).toEqual([1, false])
})
