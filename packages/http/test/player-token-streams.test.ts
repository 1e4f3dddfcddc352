import { beforeEach, expect, it } from 'vitest'
import { headersOf } from './harness/client'
import { provingService, type SignedStudio, signedStudio, tokenOf } from './harness/player-auth'
import type { Service } from './harness/service'
import { makeQueue } from './harness/studio'

const SECOND = 1_000
let service: Service
let studio: SignedStudio
let path: string

beforeEach(async () => {
  service = await provingService()
  studio = await signedStudio(service)
  await makeQueue(service, studio)
  const options = { key: studio.client, token: token(3_600), body: { queue_id: 'duel' } }
  path = `/v1/lobbies/${(await service.call('POST /v1/lobbies', options)).body.lobby_id}`
})

const token = (expiresInSeconds: number) => tokenOf(service, studio, 'ann', { expiresInSeconds })
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

async function open(by: string, lastEventId?: string) {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const response = await service.app.request(`${path}/events`, {
    headers: headersOf({ key: studio.client, token: by, headers }),
  })
  expect(response.status).toBe(200)
  // The text is read from the start: a reader that does not read is cut off.
  return { text: response.text() }
}
const rename = (name: string) =>
  service.call(`PATCH ${path}/settings`, { key: studio.client, token: token(3_600), body: { name } })

it('a stream ends ten seconds after its token, and is resumed with a new one without a gap', async () => {
  const first = await open(token(60))
  await pass(60)
  await rename('A')
  await turn()
  expect(streams()).toBe(1)
  await pass(9)
  expect(streams()).toBe(1)
  await pass(1)
  const text = await first.text
  expect(streams()).toBe(0)
  expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id)).toEqual(['1', '2'])
  await rename('B')
  const second = await open(token(60), '2')
  await pass(70)
  expect([...(await second.text).matchAll(/^id: (\d+)$/gm)].map(([, id]) => id)).toEqual(['3'])
})

it('a token in its leeway is good for a call, and neither for a stream nor for a wait', async () => {
  const late = token(5)
  service.clock.advance(16 * SECOND)
  const ask = (query: string) => service.call(`GET ${path}${query}`, { key: studio.client, token: late })
  expect((await ask('')).status).toBe(200)
  expect((await ask('?after_version=1')).status).toBe(204)
  expect((await ask('?after_version=0&wait=25')).status).toBe(200)
  // A stream or a wait would end at once, and clients would repeat it until the leeway is over. So both are refused.
  for (const query of ['?after_version=1&wait=25', '/events']) {
    expect((await ask(query)).body).toMatchObject({ status: 401, code: 'INVALID_PLAYER_TOKEN' })
  }
  expect(streams()).toBe(0)
})

it('a stream of a backend goes on', async () => {
  const response = await service.app.request(`${path}/events`, {
    headers: headersOf({ key: studio.server, player: 'x' }),
  })
  const text = response.text()
  await pass(200)
  expect(streams()).toBe(1)
  service.app.closeStreams()
  expect(await text).toContain('event: connected')
})

it('a wait for a change ends ten seconds after its token', async () => {
  const waiting = service.call(`GET ${path}?after_version=1&wait=25`, { key: studio.client, token: token(5) })
  while (streams() !== 1) await turn()
  service.clock.advance(14 * SECOND)
  await turn()
  expect(streams()).toBe(1)
  service.clock.advance(1 * SECOND)
  expect((await waiting).status).toBe(204)
})
