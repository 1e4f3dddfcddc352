import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from './harness/service'
import { type Listening, listen } from './harness/sockets'
import { type StreamOptions, StreamReader } from './harness/stream-reader'
import { makeBuild, makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

const PACE = 100

let service: Service
let studio: Studio
let listening: Listening
const readers: StreamReader[] = []

beforeAll(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeBuild(service, studio)
  await makeQueue(service, studio, { server_settings: { version_tag: 'arena' } })
  listening = await listen(service.app)
})
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.cut()
  while (service.app.openStreams() > 0) await new Promise((resolve) => setImmediate(resolve))
})
afterAll(() => listening.close())

async function open(query = '', options: Partial<StreamOptions> = {}): Promise<StreamReader> {
  const reader = new StreamReader(`${listening.url}/v1/events${query}`, { key: studio.server, player: 'x', ...options })
  readers.push(reader)
  await reader.untilEvents(1)
  return reader
}

/** Advances the time until the condition on the reader's events holds. */
async function until(reader: StreamReader, condition: (reader: StreamReader) => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !condition(reader); turn++) {
    service.clock.advance(PACE)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await reader.until(condition)
}

const newest = (reader: StreamReader, kind: string) => reader.events.findLast(({ data }) => data.kind === kind)?.data
const get = async (path: string) => (await service.call(`GET /v1/${path}`, { key: studio.server })).body

describe('GET /v1/events', () => {
  test('begins with hello, and tells of every kind what its GET shows', async () => {
    const reader = await open()
    expect(reader.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    expect(reader.headers).not.toHaveProperty('access-control-allow-origin')
    const [hello] = reader.events
    expect(hello).toEqual({ event: 'hello', id: hello?.data.cursor, data: { cursor: expect.any(String) } })
    expect(reader.text.startsWith('retry: 2000\n\nevent: hello\nid: ')).toBe(true)
    const lobby = await makeLobby(service, studio)
    await until(reader, (one) => newest(one, 'lobby') !== undefined)
    expect(reader.events[1]).toEqual({
      event: 'change',
      id: expect.any(String),
      data: { kind: 'lobby', id: lobby.lobby_id, version: 1, change: 'updated', data: lobby },
    })
    await service.call(`POST /v1/lobbies/${lobby.lobby_id}/start`, { key: studio.client, player: 'ann' })
    await service.settle()
    await service.call('PATCH /v1/queues/duel', { key: studio.server, body: { name: 'Other' } })
    await makeBuild(service, studio, 'other')
    await until(
      reader,
      (one) => newest(one, 'build')?.data.status === 'ready' && newest(one, 'lobby')?.data.status === 'in_game',
    )
    for (const kind of ['lobby', 'match', 'server', 'build', 'queue']) {
      const path = { lobby: 'lobbies', match: 'matches', server: 'servers', build: 'builds', queue: 'queues' }[kind]
      const { id, data, change } = newest(reader, kind)
      expect([kind, change, data]).toEqual([kind, 'updated', await get(`${path}/${id}`)])
    }
    await service.call(`DELETE /v1/lobbies/${lobby.lobby_id}`, { key: studio.server })
    await until(reader, (one) => newest(one, 'lobby')?.change === 'deleted')
    expect(newest(reader, 'lobby')).toMatchObject({ id: lobby.lobby_id, data: null })
  })

  test('takes kinds, and refuses what is none', async () => {
    const reader = await open('?kinds=queue,build')
    await makeLobby(service, studio)
    await service.call('PATCH /v1/queues/duel', { key: studio.server, body: { name: 'Again' } })
    await until(reader, (one) => one.events.length > 1)
    expect(reader.events.map(({ data }) => data.kind)).toEqual([undefined, 'queue'])
    for (const kinds of ['', 'lobbies', 'lobby,', 'lobby, match']) {
      const { status, body } = await service.call(`GET /v1/events?kinds=${kinds}`, { key: studio.server })
      expect([status, body.code, body.details.issues[0].path]).toEqual([400, 'VALIDATION_FAILED', 'kinds'])
    }
    expect((await service.call('HEAD /v1/events', { key: studio.server })).status).toBe(405)
  })

  test('goes on after Last-Event-ID; one that does not hold is a gap', async () => {
    const first = await open()
    const lobby = await makeLobby(service, studio)
    await until(first, (one) => one.events.length > 1)
    const lastEventId = first.events.at(-1)?.id ?? ''
    first.cut()
    const one = await makeLobby(service, studio)
    const resumed = await open('', { lastEventId })
    await until(resumed, (reader) => reader.events.length > 1)
    expect(resumed.events.map(({ event, data }) => [event, data.id])).toEqual([
      ['hello', undefined],
      ['change', one.lobby_id],
    ])
    expect(resumed.events[0]?.data).toEqual({ cursor: lastEventId })
    expect(lobby.lobby_id).not.toBe(one.lobby_id)
    const unknown = await open('', { lastEventId: '12' })
    await unknown.untilEvents(2)
    expect(unknown.events.map(({ event }) => event)).toEqual(['hello', 'gap'])
    expect(unknown.events[1]?.data).toEqual({})
    expect((await open('', { lastEventId: '' })).events.map(({ event }) => event)).toEqual(['hello'])
  })
})
