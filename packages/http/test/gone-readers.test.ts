import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { LobbyStream } from '../src/wire/core-types'
import { type Service, startService } from './harness/service'
import { type Listening, listen } from './harness/sockets'
import { makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio
let listening: Listening

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeQueue(service, studio)
  listening = await listen(service.app)
})
afterEach(() => listening.close())

/** Runs the callback with each opened stream, before anything is written to it. */
function onOpened(callback: (stream: LobbyStream) => Promise<void>): void {
  const { lobbies } = service.matchyard
  const watch = lobbies.watch.bind(lobbies)
  lobbies.watch = async (...call) => {
    const stream = await watch(...call)
    await callback(stream)
    return stream
  }
}

/** Requests the events after the newest one, `times` times over one connection. No events follow. */
async function resume(times: number): Promise<Socket> {
  const lobby = await makeLobby(service, studio)
  const head = [
    `GET /v1/lobbies/${lobby.lobby_id}/events HTTP/1.1`,
    'host: localhost',
    `api-key: ${studio.client}`,
    'x-player-id: ann',
    `last-event-id: ${lobby.version}`,
  ]
  const socket = connect(listening.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`${head.join('\r\n')}\r\n\r\n`.repeat(times))
  return socket
}

test('a reader that went while its stream was being opened leaves no stream behind', async () => {
  const taken = once(listening.server, 'connection')
  let reader: Socket | undefined
  const ended = new Promise<void>((resolve) => {
    onOpened(async (stream) => {
      stream.onEnd(resolve)
      const [accepted] = (await taken) as [Socket]
      const gone = once(accepted, 'close')
      reader?.resetAndDestroy()
      // After this, all events about the end of the connection have been emitted.
      await gone.catch(() => {})
      await new Promise((turn) => setImmediate(turn))
    })
  })
  reader = await resume(1)
  await ended
  await new Promise((turn) => setImmediate(turn))
  expect(service.app.openStreams()).toBe(0)
})

test('of streams that wait behind each other on one connection none outlives it', async () => {
  const ends: Promise<void>[] = []
  const opened = new Promise<void>((resolve) => {
    onOpened(async (stream) => {
      ends.push(new Promise((end) => stream.onEnd(end)))
      if (ends.length === 2) setImmediate(resolve)
    })
  })
  const reader = await resume(2)
  await opened
  expect(service.app.openStreams()).toBe(2)
  reader.destroy()
  await Promise.all(ends)
  await new Promise((turn) => setImmediate(turn))
  expect(service.app.openStreams()).toBe(0)
})
