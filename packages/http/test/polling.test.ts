import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AnsweredRequest } from '../src/index'
import { type Service, startService } from './harness/service'
import { type Listening, listen } from './harness/sockets'
import { makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio
const answered: AnsweredRequest[] = []

beforeEach(async () => {
  answered.length = 0
  service = await startService({ app: { onAnswer: (request) => answered.push(request) } })
  studio = await openStudio(service)
  await makeQueue(service, studio)
})

const poll = (lobbyId: string, query: string, player = 'ann') =>
  service.call(`GET /v1/lobbies/${lobbyId}?${query}`, { key: studio.client, player })

/** Resolves when `count` calls wait. */
async function untilWaiting(count: number): Promise<void> {
  while (service.matchyard.openStreams() !== count) await new Promise((turn) => setImmediate(turn))
}

describe('GET /v1/lobbies/{lobby_id} with after_version', () => {
  test('answers 204 after the wait, and the wait counts as no time of the answer', async () => {
    const lobby = await makeLobby(service, studio)
    const waiting = poll(lobby.lobby_id, 'after_version=1&wait=10')
    await untilWaiting(1)
    service.clock.advance(10_000)
    expect(await waiting).toMatchObject({ status: 204, text: '' })
    expect(answered.at(-1)).toMatchObject({ operation: 'lobbies.get', status: 204, durationMs: 0 })
    expect((await poll(lobby.lobby_id, 'after_version=1')).status).toBe(204)
  })

  test.each(['after_version=-1', 'after_version=x', 'after_version=1&wait=26', 'after_version=1&wait=2.5', 'wait=-1'])(
    '%s is VALIDATION_FAILED',
    async (query) => {
      const lobby = await makeLobby(service, studio)
      expect(await poll(lobby.lobby_id, query)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
    },
  )

  test('a key that is revoked ends the wait', async () => {
    const lobby = await makeLobby(service, studio)
    const waiting = poll(lobby.lobby_id, 'after_version=1&wait=25')
    await untilWaiting(1)
    const keys = await service.call(`GET /v1/projects/${studio.projectId}/keys`, { token: studio.token })
    for (const { key_id } of keys.body.data) {
      await service.call(`DELETE /v1/projects/${studio.projectId}/keys/${key_id}`, { token: studio.token })
    }
    expect((await waiting).status).toBe(204)
  })
})

describe('callers that wait', () => {
  let listening: Listening
  beforeEach(async () => {
    listening = await listen(service.app)
  })
  afterEach(() => listening.close())

  test('and go away leave no wait behind', async () => {
    const lobby = await makeLobby(service, studio)
    const lines = [`GET /v1/lobbies/${lobby.lobby_id}?after_version=1&wait=25 HTTP/1.1`, 'host: localhost']
    const socket = connect(listening.port, '127.0.0.1')
    socket.write(`${[...lines, `api-key: ${studio.client}`, 'x-player-id: ann'].join('\r\n')}\r\n\r\n`)
    await untilWaiting(1)
    socket.destroy()
    await untilWaiting(0)
  })

  test('are answered when the service goes, and so are those who come after', async () => {
    const lobby = await makeLobby(service, studio)
    const ask = () =>
      fetch(`${listening.url}/v1/lobbies/${lobby.lobby_id}?after_version=1&wait=25`, {
        headers: { 'api-key': studio.client, 'x-player-id': 'ann' },
      })
    const waiting = ask()
    await untilWaiting(1)
    service.app.closeStreams()
    expect((await waiting).status).toBe(204)
    expect((await ask()).status).toBe(204)
  })
})
