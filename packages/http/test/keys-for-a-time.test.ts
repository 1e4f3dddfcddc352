import { beforeEach, expect, it } from 'vitest'
import { headersOf } from './harness/client'
import { provingService, type SignedStudio, signedStudio, tokenOf } from './harness/player-auth'
import type { Service } from './harness/service'
import { makeQueue } from './harness/studio'

const SECOND = 1_000
let service: Service
let studio: SignedStudio
const keys = () => `/v1/projects/${studio.projectId}/keys`

beforeEach(async () => {
  service = await provingService()
  studio = await signedStudio(service)
  await makeQueue(service, studio)
})

const mint = (body: object) => service.call(`POST ${keys()}`, { token: studio.token, body })
const turn = () => new Promise((resolve) => setImmediate(resolve))
/** Advances the time, and lets readers read in between. */
async function pass(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed++) {
    service.clock.advance(SECOND)
    await turn()
    await turn()
  }
}
const streams = () => service.matchyard.openStreams()

/** Creates a lobby of ann and opens its event stream with this key. */
async function watch(key: string, token?: string) {
  const by = { key: studio.client, token: tokenOf(service, studio, 'ann', { expiresInSeconds: 3_600 }) }
  const { body } = await service.call('POST /v1/lobbies', { ...by, body: { queue_id: 'duel' } })
  return read(`/v1/lobbies/${body.lobby_id}/events`, { key, ...(token === undefined ? { player: 'ann' } : { token }) })
}

async function read(path: string, by: { key: string; token?: string; player?: string }) {
  const response = await service.app.request(path, { headers: headersOf(by) })
  expect(response.status).toBe(200)
  // The text is read from the start: a reader that does not read is cut off.
  return { text: response.text() }
}

it('a key shows when it ends, in the answer and in lists; others show null', async () => {
  const minted = await mint({ type: 'server', name: 'console', expires_in: 60 })
  const expires_at = new Date(service.clock.now() + 60 * SECOND).toISOString()
  expect(minted.status).toBe(201)
  expect(minted.body).toMatchObject({ type: 'server', expires_at, revoked_at: null })
  expect((await mint({ type: 'server' })).body.expires_at).toBe(null)
  const { body } = await service.call(`GET ${keys()}`, { token: studio.token })
  expect(body.data.map((key: { expires_at: string | null }) => key.expires_at)).toEqual([null, null, expires_at, null])
})

it.each([0, 59, 43_201, 60.5, '60', null])('refuses expires_in: %j', async (expires_in) => {
  const { body } = await mint({ type: 'server', expires_in })
  expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: { issues: [{ path: 'expires_in' }] } })
  expect((await service.call(`GET ${keys()}`, { token: studio.token })).body.total).toBe(2)
})

it('a match that is ended with it was ended by an operator, in the words of its lobby', async () => {
  const { key } = (await mint({ type: 'server', expires_in: 60 })).body
  const token = tokenOf(service, studio, 'ann', { expiresInSeconds: 3_600 })
  const ended = async (by: string) => {
    const { body: lobby } = await service.call('POST /v1/lobbies', {
      key: studio.client,
      token,
      body: { queue_id: 'duel' },
    })
    await service.call(`POST /v1/lobbies/${lobby.lobby_id}/start`, { key: studio.client, token })
    await service.settle()
    return (await service.call(`POST /v1/lobbies/${lobby.lobby_id}/end`, { key: by })).body.last_exit
  }
  const reason = 'backend_ended'
  expect(await ended(key)).toMatchObject({ reason, detail: 'an operator ended the match' })
  expect(await ended(studio.server)).toMatchObject({ reason, detail: 'the backend ended the match' })
})
it('what is read with it ends ten seconds after it: a lobby, a feed, a wait', async () => {
  const { key } = (await mint({ type: 'server', expires_in: 60 })).body
  const [lobby, feed] = [await watch(key), await read('/v1/events', { key })]
  await pass(50)
  const { body } = await service.call('GET /v1/lobbies', { key })
  const [{ lobby_id: id, version }] = body.data
  const waiting = service.call(`GET /v1/lobbies/${id}?after_version=${version}&wait=25`, { key })
  await pass(19)
  expect(streams()).toBe(3)
  await pass(1)
  expect(streams()).toBe(0)
  expect(await lobby.text).toContain('event: connected')
  expect(await feed.text).toContain('event: hello')
  expect((await waiting).status).toBe(204)
})

it("of a player's stream the earlier end counts, the key's or the token's", async () => {
  const token = (expiresInSeconds: number) => tokenOf(service, studio, 'ann', { expiresInSeconds })
  const { key } = (await mint({ type: 'client', expires_in: 60 })).body
  const [byKey, byToken] = [await watch(key, token(600)), await watch(key, token(30))]
  await pass(40)
  await byToken.text
  expect(streams()).toBe(1)
  await pass(30)
  await byKey.text
  expect(streams()).toBe(0)
})
