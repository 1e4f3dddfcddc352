import type { Logger } from '@matchyard/core/ports'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from './harness/service'
import { makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio

beforeAll(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeQueue(service, studio)
})

const create = (raw: string | Uint8Array, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  service.call('POST /v1/lobbies', { key: studio.client, player: 'ann', raw, headers })

const issuesOf = (answer: { body: { details: { issues: { path: string; message: string }[] } } }) =>
  answer.body.details.issues

test('a bug is answered without a word of it, and the log has the request id', async () => {
  const broken = await startService()
  const { token } = await openStudio(broken)
  broken.matchyard.accounts.get = () => Promise.reject(new Error('select secret from table at /srv/x.ts'))
  const { status, body, text, headers } = await broken.call('GET /v1/account', { token })
  expect(status).toBe(500)
  expect(body).toMatchObject({ code: 'INTERNAL', number: 8009, details: {} })
  expect(text).not.toMatch(/select|secret|srv/)
  const line = broken.logger.lines.find(({ level }) => level === 'error')
  expect(line?.fields.request_id).toBe(headers.get('x-request-id'))
  expect(String(line?.fields.error)).toContain('select secret')
})

describe('request ids', () => {
  test.each(['req_01J', 'A'.repeat(128), 'a:b/c@d~e+f=g'])('the caller’s own %s is used', async (id) => {
    expect((await service.call('GET /livez', { headers: { 'x-request-id': id } })).headers.get('x-request-id')).toBe(id)
  })
  test.each(['', 'a b', 'a"b', 'A'.repeat(129), 'é'])('one that is not sane (%j) is replaced', async (id) => {
    const { headers } = await service.call('GET /livez', { headers: { 'x-request-id': id } })
    expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/)
  })
})

describe('routes and methods', () => {
  test.each([
    ['PUT /v1/lobbies', 'POST, GET, HEAD'],
    ['GET /v1/auth/login', 'POST'],
    ['PATCH /v1/lobbies/lob_1/queue', 'POST, DELETE, GET, HEAD'],
    ['POST /livez', 'GET, HEAD'],
    ['HEAD /v1/lobbies/lob_1/events', 'GET'],
    ['DELETE /v1/lobbies/lob_1/events', 'GET'],
    ['OPTIONS /v1/account', 'GET, HEAD'],
    ['BREW /v1/account', 'GET, HEAD'],
  ])('%s is METHOD_NOT_ALLOWED with allow %s, before any credential', async (what, allow) => {
    const { status, headers, body } = await service.call(what)
    expect(status).toBe(405)
    expect(headers.get('allow')?.split(', ').sort()).toEqual(allow.split(', ').sort())
    if (!what.startsWith('HEAD')) expect(body.code).toBe('METHOD_NOT_ALLOWED')
  })
  test('HEAD answers like GET, without a body', async () => {
    const { status, text } = await service.call('HEAD /v1/lobbies', { key: studio.client })
    expect([status, text]).toEqual([200, ''])
  })
})

describe('bodies', () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`

  test.each([
    ['not JSON', '{"queue_id":', ''],
    ['empty', '', ''],
    ['null', 'null', ''],
    ['an array', '[]', ''],
    ['a number', '1', ''],
    ['a wrong type', '{"queue_id":1}', 'queue_id'],
    ['a missing field', '{}', 'queue_id'],
    ['an unknown field', '{"queue_id":"duel","qeue":1}', 'qeue'],
    ['an unknown field that is an object’s own name', '{"queue_id":"duel","__proto__":{}}', ''],
    ['settings that are an array', '{"queue_id":"duel","settings":[]}', 'settings'],
    ['settings that are null', '{"queue_id":"duel","settings":null}', 'settings'],
    ['a lone surrogate', '{"queue_id":"duel","settings":{"a":"\\ud800"}}', 'settings.a'],
    ['a lone surrogate in a key', '{"queue_id":"duel","settings":{"\\udc00":1}}', 'settings'],
    ['a number too large', '{"queue_id":"duel","settings":{"a":1e999}}', 'settings.a'],
    ['the key __proto__', '{"queue_id":"duel","settings":{"a":{"__proto__":1}}}', 'settings.a'],
    ['the key constructor', '{"queue_id":"duel","state":{"constructor":1}}', 'state'],
    ['the key prototype', '{"queue_id":"duel","state":{"a":[{"prototype":1}]}}', 'state.a.0'],
    ['an escaped key __proto__', '{"queue_id":"duel","state":{"\\u005f_proto__":1}}', 'state'],
    ['settings 17 levels deep', `{"queue_id":"duel","settings":${nested(17)}}`, 'settings'],
    ['arrays 5,000 levels deep', `{"queue_id":"duel","settings":{"a":${deep(5_000)}}}`, 'settings.a'],
    ['settings over 16 kB', `{"queue_id":"duel","settings":{"a":"${'x'.repeat(16_384)}"}}`, 'settings'],
    ['an empty name', '{"queue_id":"duel","name":""}', 'name'],
    ['a name of 129 characters', `{"queue_id":"duel","name":"${'😀'.repeat(129)}"}`, 'name'],
    ['too many players', '{"queue_id":"duel","max_players":101}', 'max_players'],
    ['more players than the queue allows', '{"queue_id":"duel","max_players":11}', 'max_players'],
    ['a fraction of a player', '{"queue_id":"duel","max_players":1.5}', 'max_players'],
    ['an unknown region', '{"queue_id":"duel","region":"mars"}', 'region'],
  ])('%s is VALIDATION_FAILED and names the place', async (_what, raw, path) => {
    const answer = await create(raw)
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(issuesOf(answer).map((issue) => issue.path.slice(0, path.length || undefined))).toContain(path)
  })

  test('a key given twice counts as JSON.parse counts it: the last one wins', async () => {
    const { status, body } = await create('{"queue_id":"nope","settings":{"a":1,"b":2,"a":3},"queue_id":"duel"}')
    expect([status, body.settings]).toEqual([201, { a: 3, b: 2 }])
  })

  test('a body without a content type, or with an encoding, is UNSUPPORTED_MEDIA_TYPE', async () => {
    const bytes = Buffer.from('{"queue_id":"duel"}')
    expect((await create(bytes, {})).body.code).toBe('UNSUPPORTED_MEDIA_TYPE')
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    expect((await create(bytes, headers)).body.code).toBe('UNSUPPORTED_MEDIA_TYPE')
  })

  test.each(['', '{}', ' { } '])('a route without a body takes %j', async (raw) => {
    const lobby = await makeLobby(service, studio)
    const options = { key: studio.client, player: 'ann', raw, headers: { 'content-type': 'application/json' } }
    expect((await service.call(`POST /v1/lobbies/${lobby.lobby_id}/heartbeat`, options)).status).toBe(204)
  })
})

const fault = (): never => {
  throw new Error('the disk of the log is full')
}
const BROKEN_LOGGER: Logger = { debug: fault, info: fault, warn: fault, error: fault }

test('done work is answered as done although telling of it fails', async () => {
  const service = await startService({
    app: { onAnswer: fault, logger: BROKEN_LOGGER },
    core: { logger: BROKEN_LOGGER },
  })
  const studio = await openStudio(service)
  await makeQueue(service, studio)
  const body = { queue_id: 'duel' }
  const made = await service.call('POST /v1/lobbies', { key: studio.client, player: 'ann', body })
  expect(made.status).toBe(201)
  expect((await service.call('GET /no/such/route')).status).toBe(404)
})

test('a bug whose line cannot be written is still a problem with its request id', async () => {
  const service = await startService({ app: { logger: BROKEN_LOGGER } })
  const { token } = await openStudio(service)
  service.matchyard.accounts.get = () => Promise.reject(new Error('a bug'))
  const answer = await service.call('GET /v1/account', { token, headers: { 'x-request-id': 'abc-1' } })
  expect(answer).toMatchObject({ status: 500, body: { code: 'INTERNAL', request_id: 'abc-1' } })
})
