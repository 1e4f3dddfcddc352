import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { memoryStorage } from '@matchyard/storage-memory'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBackend, trustingLogin } from '../src/backend'
import { type EmbeddedMatchmaker, firstClientKey, startMatchmaker } from '../src/matchmaker'

let matchmaker: EmbeddedMatchmaker
let clientKey: string
let app: ReturnType<typeof createBackend>

beforeEach(async () => {
  matchmaker = await startMatchmaker({ storage: memoryStorage(), secret: 'not a secret, but long enough for a test' })
  clientKey = (await firstClientKey(matchmaker)) ?? ''
  app = createBackend(matchmaker, trustingLogin)
})
afterEach(() => matchmaker.matchyard.stop())

const as = (playerId: string) => ({ headers: { authorization: `Bearer ${playerId}` } })
const withKey = (playerId: string) => ({ 'api-key': clientKey, 'x-player-id': playerId })

test('two players who ask for a duel meet, and each is told of the other', async () => {
  const met = new Promise((resolve) => matchmaker.matchyard.events.once('match_found', resolve))
  for (const playerId of ['ann', 'bob']) {
    const answer = await app.request('/me/duel', { method: 'POST', ...as(playerId) })
    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({ status: 'in_queue' })
  }
  await met
  const told = async (playerId: string): Promise<unknown> => (await app.request('/me/opponents', as(playerId))).json()
  expect(await told('ann')).toEqual({ match_id: expect.stringMatching(/^mat_/), opponents: ['bob'] })
  expect(await told('bob')).toMatchObject({ opponents: ['ann'] })
})

test("the backend's own routes want its own login", async () => {
  expect((await app.request('/me/duel', { method: 'POST' })).status).toBe(401)
  expect(await (await app.request('/me/opponents', as('cat'))).json()).toEqual({ match_id: null, opponents: [] })
})

test('the client key is made once', async () => {
  expect(clientKey).not.toBe('')
  expect(await firstClientKey(matchmaker)).toBeUndefined()
})

test("what is not the backend's is answered by the service, refusals too", async () => {
  const created = await app.request('/v1/lobbies', {
    method: 'POST',
    headers: { ...withKey('ann'), 'content-type': 'application/json' },
    body: JSON.stringify({ queue_id: 'duel' }),
  })
  expect(created.status).toBe(201)
  expect(await created.json()).toMatchObject({ queue_id: 'duel', host_player_id: 'ann' })
  const refused = await app.request('/v1/lobbies', { headers: { 'api-key': 'wrong' } })
  expect(refused.status).toBe(401)
  expect(refused.headers.get('content-type')).toContain('application/problem+json')
  expect((await app.request('/nowhere')).status).toBe(404)
})

test('an event stream of a mounted service is live over a socket, and ends with it', async () => {
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server
  if (!server.listening) await once(server, 'listening')
  try {
    const { matchyard, projectId } = matchmaker
    const lobby = await matchyard.lobbies.create({ projectId, playerId: 'ann', queueId: 'duel' })
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/v1/lobbies/${lobby.id}/events`
    const stream = await fetch(url, { headers: withKey('ann') })
    expect(stream.status).toBe(200)
    let text = ''
    for await (const chunk of stream.body ?? []) {
      const before = text
      text += Buffer.from(chunk).toString('utf8')
      const came = (name: string) => text.includes(name) && !before.includes(name)
      if (came('event: connected')) await matchyard.lobbies.enqueue({ projectId, lobbyId: lobby.id, playerId: 'ann' })
      if (came('"in_queue"')) app.closeStreams()
    }
    expect(text).toContain('event: lobby_updated')
  } finally {
    server.close()
  }
})
