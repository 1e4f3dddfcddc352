import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from './harness/service'
import { type Listening, listen } from './harness/sockets'
import { type StreamOptions, StreamReader } from './harness/stream-reader'
import { makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio
let listening: Listening
const readers: StreamReader[] = []

beforeAll(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeQueue(service, studio)
  listening = await listen(service.app)
})
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.cut()
  while (service.app.openStreams() > 0) await new Promise((resolve) => setImmediate(resolve))
})
afterAll(() => listening.close())

function open(lobbyId: string, options: Partial<StreamOptions> & { readonly query?: string } = {}): StreamReader {
  const { query = '', ...others } = options
  const url = `${listening.url}/v1/lobbies/${lobbyId}/events${query}`
  const reader = new StreamReader(url, { key: studio.client, player: 'ann', ...others })
  readers.push(reader)
  return reader
}

const setState = (lobbyId: string, player: string, state: Record<string, unknown>) =>
  service.call(`PATCH /v1/lobbies/${lobbyId}/players/${player}`, { key: studio.client, player, body: { state } })

describe('a stream', () => {
  test('begins with retry and the lobby as it is, then tells every change', async () => {
    const lobby = await makeLobby(service, studio)
    const reader = open(lobby.lobby_id)
    await reader.untilEvents(1)
    expect(reader.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
      'x-request-id': expect.stringMatching(/^req_/),
    })
    expect(reader.text.startsWith('retry: 2000\n\nevent: connected\nid: 1\ndata: {')).toBe(true)
    expect(reader.events[0]).toEqual({ event: 'connected', id: '1', data: lobby })
    const { body: joined } = await service.call(`POST /v1/lobbies/${lobby.lobby_id}/join`, {
      key: studio.client,
      player: 'bob',
    })
    await reader.untilEvents(2)
    expect(reader.events[1]).toEqual({ event: 'lobby_updated', id: '2', data: joined })
  })

  test('begins with version 1 for a server key that asks from=oldest', async () => {
    const lobby = await makeLobby(service, studio)
    await setState(lobby.lobby_id, 'ann', { mmr: 1 })
    const reader = open(lobby.lobby_id, { key: studio.server, query: '?from=oldest' })
    await reader.untilEvents(2)
    expect(reader.events.map(({ event, id }) => [event, id])).toEqual([
      ['lobby_updated', '1'],
      ['lobby_updated', '2'],
    ])
    const path = `/v1/lobbies/${lobby.lobby_id}/events?from=newest`
    expect((await service.call(`GET ${path}`, { key: studio.server, player: 'ann' })).body.code).toBe(
      'VALIDATION_FAILED',
    )
  })

  test('ends when the service shuts down', async () => {
    const own = await startService()
    const there = await openStudio(own)
    await makeQueue(own, there)
    const lobby = await makeLobby(own, there)
    const socket = await listen(own.app)
    const url = `${socket.url}/v1/lobbies/${lobby.lobby_id}/events`
    const reader = new StreamReader(url, { key: there.client, player: 'ann' })
    await reader.untilEvents(1)
    expect(own.app.openStreams()).toBe(1)
    own.app.closeStreams()
    await reader.untilEnd()
    expect(own.app.openStreams()).toBe(0)
    const late = new StreamReader(url, { key: there.client, player: 'ann' })
    await late.untilEnd()
    expect(late.status).toBe(200)
    await socket.close()
  })
})

describe('a reader that stalls', () => {
  test('is dropped once it is too far behind, and the others go on', async () => {
    const lobby = await makeLobby(service, studio)
    const sockets: Socket[] = []
    listening.server.on('connection', (socket: Socket) => sockets.push(socket))
    const [slow, quick] = [open(lobby.lobby_id), open(lobby.lobby_id)]
    await Promise.all([slow.untilEvents(1), quick.untilEvents(1)])
    const slowSocket = sockets.find(({ remotePort }) => remotePort === slow.localPort)
    slow.stall()
    const open0 = service.app.openStreams()
    let version = 1
    // Each event has about 16 kB. The buffers of the socket and of the stream take a few megabytes before the stream is
    // dropped.
    for (let n = 0; service.app.openStreams() === open0 && n < 5_000; n++) {
      await setState(lobby.lobby_id, 'ann', { n, filler: 'x'.repeat(16_000) })
      version++
      if (n % 50 === 0) await quick.untilEvents(version)
    }
    await quick.untilEvents(version)
    expect(service.app.openStreams()).toBe(open0 - 1)
    expect(quick.ended).toBe(false)
    expect(quick.events.at(-1)?.id).toBe(String(version))
    // The connection is cut off and not only ended, so that the unread bytes are not kept.
    expect(slowSocket?.destroyed).toBe(true)
  })
})
