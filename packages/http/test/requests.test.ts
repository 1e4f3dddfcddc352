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

describe('problems', () => {
  test('have exactly the fields of the interface', async () => {
    const lobby = await makeLobby(service, studio)
    const { status, headers, body } = await service.call(`POST /v1/lobbies/${lobby.lobby_id}/start`, {
      key: studio.client,
      player: 'bob',
      headers: { 'x-request-id': 'abc-1' },
    })
    expect(status).toBe(403)
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(headers.get('x-request-id')).toBe('abc-1')
    expect(body).toEqual({
      type: '/errors/NOT_HOST',
      title: 'Only the lobby host may do this.',
      status: 403,
      code: 'NOT_HOST',
      number: 4004,
      detail: `player "bob" is not the host of ${lobby.lobby_id}`,
      request_id: 'abc-1',
      details: {},
    })
  })

  test('of a bug say nothing, and the log has the request id', async () => {
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

  test('of a storage that is down are UNAVAILABLE and say when to try again', async () => {
    const down = await startService()
    const { client } = await openStudio(down)
    await down.storage.close()
    const { status, body, headers } = await down.call('GET /v1/lobbies', { key: client })
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await down.call('GET /readyz')).status).toBe(503)
    expect((await down.call('GET /livez')).status).toBe(200)
  })
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
  test.each(['GET /nothing', 'GET /v1', 'POST /v1/nothing', 'GET /v1/lobbies/', 'GET /v2/lobbies', 'OPTIONS /nothing'])(
    '%s is NOT_FOUND',
    async (what) => {
      const { status, body } = await service.call(what)
      expect([status, body.code]).toEqual([404, 'NOT_FOUND'])
    },
  )
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

describe('caching', () => {
  test.each(['GET /v1/account', 'GET /v1/projects', 'GET /v1/billing/plan', 'POST /v1/auth/refresh'])(
    '%s is not stored',
    async (what) => {
      const other = await openStudio(service)
      const { status, headers } = await service.call(what, { token: other.token })
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toBe('no-store')
    },
  )
  test('nor is a refusal', async () => {
    expect((await service.call('GET /v1/account')).headers.get('cache-control')).toBe('no-store')
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

  test.each([
    ['settings 16 levels deep', `{"queue_id":"duel","settings":${nested(16)}}`],
    ['settings of 16 kB', `{"queue_id":"duel","settings":{"a":"${'x'.repeat(16_384 - 8)}"}}`],
    ['a name of 128 characters beyond the first plane', `{"queue_id":"duel","name":"${'😀'.repeat(128)}"}`],
    ['keys that only look forbidden', '{"queue_id":"duel","settings":{"Constructor":1,"proto":2,"__proto":3}}'],
  ])('%s is taken', async (_what, raw) => {
    expect((await create(raw)).status).toBe(201)
  })

  test('invalid UTF-8 is VALIDATION_FAILED', async () => {
    const raw = Buffer.concat([
      Buffer.from('{"queue_id":"duel","name":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ])
    const answer = await create(raw)
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  test('a key given twice counts as JSON.parse counts it: the last one wins', async () => {
    const { status, body } = await create('{"queue_id":"nope","settings":{"a":1,"b":2,"a":3},"queue_id":"duel"}')
    expect([status, body.settings]).toEqual([201, { a: 3, b: 2 }])
  })

  test('free-form objects are carried through untouched: case, order, nulls', async () => {
    const settings = '{"Zeta":null,"alpha":[{"camelCase":1,"snake_case":{"MiXed":[null,[],{}]}}],"1":true,"":""}'
    const { body, text } = await create(`{"queue_id":"duel","settings":${settings},"state":${settings}}`)
    const asParsed = JSON.stringify(JSON.parse(settings))
    expect(text).toContain(`"settings":${asParsed}`)
    expect(text).toContain(`"state":${asParsed}`)
    const read = await service.call(`GET /v1/lobbies/${body.lobby_id}`, { key: studio.client })
    expect(read.text).toContain(`"settings":${asParsed}`)
  })

  test.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/jsonp', 415],
    ['application/json; charset=latin1', 415],
    ['application/json', 201],
    ['application/json; charset=utf-8', 201],
    ['Application/JSON;charset="UTF-8"', 201],
  ])('content-type %s answers %i', async (type, status) => {
    const answer = await create('{"queue_id":"duel"}', { 'content-type': type })
    expect(answer.status).toBe(status)
    if (status === 415) expect(answer.body.code).toBe('UNSUPPORTED_MEDIA_TYPE')
  })

  test('a body without a content type, or with an encoding, is UNSUPPORTED_MEDIA_TYPE', async () => {
    const bytes = Buffer.from('{"queue_id":"duel"}')
    expect((await create(bytes, {})).body.code).toBe('UNSUPPORTED_MEDIA_TYPE')
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    expect((await create(bytes, headers)).body.code).toBe('UNSUPPORTED_MEDIA_TYPE')
  })

  test('64 kB are taken, a byte more is PAYLOAD_TOO_LARGE', async () => {
    const padded = (bytes: number) => '{"queue_id":"duel"}'.padEnd(bytes, ' ')
    expect((await create(padded(65_536))).status).toBe(201)
    const answer = await create(padded(65_537))
    expect([answer.status, answer.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  test.each(['', '{}', ' { } '])('a route without a body takes %j', async (raw) => {
    const lobby = await makeLobby(service, studio)
    const options = { key: studio.client, player: 'ann', raw, headers: { 'content-type': 'application/json' } }
    expect((await service.call(`POST /v1/lobbies/${lobby.lobby_id}/heartbeat`, options)).status).toBe(204)
  })
  test('and refuses anything else, naming it', async () => {
    const lobby = await makeLobby(service, studio)
    const options = { key: studio.client, player: 'ann', body: { why: 1 } }
    const answer = await service.call(`POST /v1/lobbies/${lobby.lobby_id}/leave`, options)
    expect([answer.status, issuesOf(answer)[0]?.path]).toEqual([400, 'why'])
  })
})

describe('queries', () => {
  test.each(['limit=0', 'limit=101', 'limit=abc', 'limit=1.5', 'limit=-1', 'limit=', 'offset=-1', 'offset=x'])(
    '%s is refused, never clamped',
    async (query) => {
      const answer = await service.call(`GET /v1/lobbies?${query}`, { key: studio.client })
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED'])
      expect(issuesOf(answer)[0]?.path).toBe(query.split('=')[0])
    },
  )
  test.each(['status=sleeping', 'region=mars', 'sort=random', 'status='])('%s is refused', async (query) => {
    expect((await service.call(`GET /v1/lobbies?${query}`, { key: studio.client })).body.code).toBe('VALIDATION_FAILED')
  })
  test('unknown parameters are ignored', async () => {
    expect((await service.call('GET /v1/lobbies?limit=1&foo=bar', { key: studio.client })).status).toBe(200)
  })
  test('include_private is ignored for client keys, whatever it says, and judged for server keys', async () => {
    const ask = (key: string, value: string) => service.call(`GET /v1/lobbies?include_private=${value}`, { key })
    expect((await ask(studio.client, 'banana')).status).toBe(200)
    expect((await ask(studio.server, 'banana')).status).toBe(400)
  })
  test.each(['/v1/projects', '/v1/servers', '/v1/builds', '/v1/queues', '/v1/lobbies'])(
    'the envelope of %s has the defaults of the interface',
    async (path) => {
      const control = path === '/v1/projects'
      const { body } = await service.call(`GET ${path}`, control ? { token: studio.token } : { key: studio.server })
      expect(Object.keys(body)).toEqual(['total', 'limit', 'offset', 'has_more', 'data'])
      expect(body).toMatchObject({ limit: 50, offset: 0 })
      expect(body.has_more).toBe(body.total > body.data.length)
    },
  )
})
