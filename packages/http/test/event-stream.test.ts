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

  test('ends after lobby_deleted', async () => {
    const lobby = await makeLobby(service, studio)
    const reader = open(lobby.lobby_id)
    await reader.untilEvents(1)
    await service.call(`DELETE /v1/lobbies/${lobby.lobby_id}`, { key: studio.client, player: 'ann' })
    await reader.untilEnd()
    expect(reader.events.at(-1)).toMatchObject({ event: 'lobby_deleted', id: '2', data: { version: 2 } })
  })

  test('ends for a player who is removed, after the update that says so', async () => {
    const lobby = await makeLobby(service, studio)
    await service.call(`POST /v1/lobbies/${lobby.lobby_id}/join`, { key: studio.client, player: 'bob' })
    const [kicked, host] = [open(lobby.lobby_id, { player: 'bob' }), open(lobby.lobby_id)]
    await Promise.all([kicked.untilEvents(1), host.untilEvents(1)])
    await service.call(`DELETE /v1/lobbies/${lobby.lobby_id}/players/bob`, { key: studio.client, player: 'ann' })
    await kicked.untilEnd()
    expect(kicked.events.map(({ event }) => event)).toEqual(['connected', 'lobby_updated'])
    expect(kicked.events[1]?.data.current_players).toBe(1)
    await host.untilEvents(2)
    expect(host.ended).toBe(false)
  })

  test('is for members; a server key may watch any lobby of its project', async () => {
    const lobby = await makeLobby(service, studio)
    const url = `GET /v1/lobbies/${lobby.lobby_id}/events`
    const stranger = await service.call(url, { key: studio.client, player: 'eve' })
    expect([stranger.status, stranger.body.code]).toEqual([403, 'PLAYER_NOT_IN_LOBBY'])
    const other = await openStudio(service)
    expect((await service.call(url, { key: other.server, player: 'ann' })).body.code).toBe('LOBBY_NOT_FOUND')
    expect((await service.call(url, { key: studio.server })).body.code).toBe('PLAYER_ID_REQUIRED')
    const backend = open(lobby.lobby_id, { key: studio.server, player: 'nobody' })
    await backend.untilEvents(1)
    expect(backend.events[0]?.event).toBe('connected')
  })

  test('of a key that is revoked ends at once', async () => {
    const { body: key } = await service.call(`POST /v1/projects/${studio.projectId}/keys`, {
      token: studio.token,
      body: { type: 'client' },
    })
    const lobby = await makeLobby(service, studio)
    const [mine, others] = [open(lobby.lobby_id, { key: key.key }), open(lobby.lobby_id)]
    await Promise.all([mine.untilEvents(1), others.untilEvents(1)])
    await service.call(`DELETE /v1/projects/${studio.projectId}/keys/${key.key_id}`, { token: studio.token })
    await mine.untilEnd()
    expect(others.ended).toBe(false)
    await setState(lobby.lobby_id, 'ann', { n: 1 })
    await others.untilEvents(2)
  })

  test('of a deleted project ends with lobby_deleted', async () => {
    const other = await openStudio(service)
    await makeQueue(service, other)
    const lobby = await makeLobby(service, other)
    const reader = open(lobby.lobby_id, { key: other.client })
    await reader.untilEvents(1)
    await service.call(`DELETE /v1/projects/${other.projectId}`, { token: other.token })
    await service.settle()
    await reader.untilEnd()
    expect(reader.events.at(-1)?.event).toBe('lobby_deleted')
  })

  test('is kept alive by a comment every 15 seconds', async () => {
    const lobby = await makeLobby(service, studio)
    const reader = open(lobby.lobby_id)
    await reader.untilEvents(1)
    service.clock.advance(14_999)
    await setState(lobby.lobby_id, 'ann', { n: 1 })
    await reader.untilEvents(2)
    expect(reader.comments).toEqual([])
    for (const count of [1, 2, 3]) {
      service.clock.advance(count === 1 ? 1 : 15_000)
      await reader.until(() => reader.comments.length === count)
    }
    expect(reader.text.endsWith(': ping\n\n: ping\n\n: ping\n\n')).toBe(true)
  })

  test('counts as a heartbeat while it is open, and no longer', async () => {
    await makeQueue(service, studio, { queue_id: 'beat', heartbeat: true, heartbeat_timeout: 10 })
    const lobby = await makeLobby(service, studio, 'ann', { queue_id: 'beat' })
    await service.call(`POST /v1/lobbies/${lobby.lobby_id}/join`, { key: studio.client, player: 'bob' })
    const reader = open(lobby.lobby_id)
    await reader.untilEvents(1)
    for (let seconds = 0; seconds < 30; seconds++) {
      service.clock.advance(1_000)
      await service.matchyard.worker.notePresence()
      await service.settle()
      // A turn for the sockets: a reader that takes nothing while time passes is cut off.
      await new Promise((resolve) => setImmediate(resolve))
    }
    const read = () => service.call(`GET /v1/lobbies/${lobby.lobby_id}`, { key: studio.server })
    expect((await read()).body.players.map(({ player_id: id }: { player_id: string }) => id)).toEqual(['ann'])
    const before = service.app.openStreams()
    reader.cut()
    while (service.app.openStreams() === before) await new Promise((resolve) => setImmediate(resolve))
    service.clock.advance(11_000)
    await service.settle()
    expect((await read()).body.code).toBe('LOBBY_NOT_FOUND')
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

  test('works without Node’s response too', async () => {
    const lobby = await makeLobby(service, studio)
    const response = await service.app.request(`/v1/lobbies/${lobby.lobby_id}/events`, {
      headers: { 'api-key': studio.client, 'x-player-id': 'ann' },
    })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    await service.call(`DELETE /v1/lobbies/${lobby.lobby_id}`, { key: studio.client, player: 'ann' })
    const text = await response.text()
    expect(text.match(/^event: .*$/gm)).toEqual(['event: connected', 'event: lobby_deleted'])
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
    // Each event is some 16 kB; the socket's buffers and the stream's own take a few megabytes before it is dropped.
    for (let n = 0; service.app.openStreams() === open0 && n < 5_000; n++) {
      await setState(lobby.lobby_id, 'ann', { n, filler: 'x'.repeat(16_000) })
      version++
      if (n % 50 === 0) await quick.untilEvents(version)
    }
    await quick.untilEvents(version)
    expect(service.app.openStreams()).toBe(open0 - 1)
    expect(quick.ended).toBe(false)
    expect(quick.events.at(-1)?.id).toBe(String(version))
    // Cut off, not merely told to end: what it never took is not kept for it.
    expect(slowSocket?.destroyed).toBe(true)
  })
})

describe('Last-Event-ID', () => {
  async function lobbyOf(version: number) {
    const lobby = await makeLobby(service, studio)
    for (let n = 2; n <= version; n++) await setState(lobby.lobby_id, 'ann', { n })
    return lobby.lobby_id
  }
  const ids = (reader: StreamReader) => reader.events.map(({ event, id }) => `${event} ${id}`)

  test('replays every event after it, then goes on live, without connected', async () => {
    const lobbyId = await lobbyOf(5)
    const reader = open(lobbyId, { lastEventId: '2' })
    await reader.untilEvents(3)
    await setState(lobbyId, 'ann', { n: 6 })
    await reader.untilEvents(4)
    expect(ids(reader)).toEqual(['lobby_updated 3', 'lobby_updated 4', 'lobby_updated 5', 'lobby_updated 6'])
    expect(reader.events[0]?.data.players[0].state).toEqual({ n: 3 })
    expect(reader.text.startsWith('retry: 2000\n\n')).toBe(true)
  })

  test('the current one replays nothing and goes on', async () => {
    const lobbyId = await lobbyOf(3)
    const reader = open(lobbyId, { lastEventId: '3' })
    await reader.until(() => reader.retry === 2000)
    await setState(lobbyId, 'ann', { n: 4 })
    await reader.untilEvents(1)
    expect(ids(reader)).toEqual(['lobby_updated 4'])
  })

  test.each(['', '0', 'garbage', '4', '-1', '1.5', '99999999999999999999'])(
    '%j is a fresh start',
    async (lastEventId) => {
      const lobbyId = await lobbyOf(3)
      const reader = open(lobbyId, { lastEventId })
      await reader.untilEvents(1)
      expect(ids(reader)).toEqual(['connected 3'])
    },
  )

  test('reaches back over 1,000 events', async () => {
    const lobbyId = await lobbyOf(1_001)
    const reader = open(lobbyId, { lastEventId: '1' })
    await reader.untilEvents(1_000)
    expect(reader.events.map(({ id }) => Number(id))).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 2))
  })

  test('after a deletion replays up to lobby_deleted for a member and ends; others find nothing', async () => {
    const lobbyId = await lobbyOf(3)
    await service.call(`DELETE /v1/lobbies/${lobbyId}`, { key: studio.client, player: 'ann' })
    const member = open(lobbyId, { lastEventId: '2' })
    await member.untilEnd()
    expect(ids(member)).toEqual(['lobby_updated 3', 'lobby_deleted 4'])
    const url = `GET /v1/lobbies/${lobbyId}/events`
    const resume = (player: string) =>
      service.call(url, { key: studio.client, player, headers: { 'last-event-id': '2' } })
    expect((await resume('eve')).body.code).toBe('LOBBY_NOT_FOUND')
    expect((await service.call(url, { key: studio.client, player: 'ann' })).body.code).toBe('LOBBY_NOT_FOUND')
    service.clock.advance(3_600_000)
    expect((await resume('ann')).body.code).toBe('LOBBY_NOT_FOUND')
  })
})
