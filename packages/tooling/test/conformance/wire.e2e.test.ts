import { beforeEach, expect } from 'vitest'
import { type Body, fault, outcome } from '../../src/conformance/client'
import { schemas } from '../../src/conformance/document'
import { rule } from '../../src/conformance/rule'
import type { Studio } from '../../src/conformance/studio'
import { World } from '../../src/conformance/world'

const KB = 1_024

let world: World
let studio: Studio
beforeEach(async () => {
  world = await World.open()
  studio = await world.studio()
})

const json = { 'content-type': 'application/json' }
/** Sends POST /v1/lobbies with a body that is not encoded further. */
const raw = (body: string | Uint8Array, headers: Record<string, string> = json) =>
  world.send('POST /v1/lobbies', {
    raw: body,
    headers: { 'api-key': studio.clientKey, 'x-player-id': 'ann', ...headers },
  })
const create = (fields: object) => studio.player('ann')('POST /v1/lobbies', { queue_id: 'duel', ...fields })
const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) })
const ofBytes = (bytes: number) => ({ a: 'x'.repeat(bytes - Buffer.byteLength('{"a":""}')) })

rule('C-1-01', () => {
  const names: string[] = []
  const collect = (schema: Body): void => {
    if (typeof schema !== 'object' || schema === null) return
    names.push(...Object.keys(schema.properties ?? {}))
    for (const value of Object.values(schema)) collect(value)
  }
  collect(schemas())
  expect(names.length).toBeGreaterThan(100)
  expect(names.filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([])
})

rule('C-1-02', async () => {
  await studio.queue({ server_settings: { custom_data: { CamelCase: null, snake_case: 1, 'a-b': [] } } })
  const freeForm = { Zed: null, aBc: 1, a_b: { Inner: [null, { Deep: true }] }, '': '' }
  const lobby = await studio.lobby('ann', { settings: freeForm, state: freeForm })
  expect(JSON.stringify(lobby.settings)).toBe(JSON.stringify(freeForm))
  expect(JSON.stringify((await studio.read(lobby)).players[0].state)).toBe(JSON.stringify(freeForm))
  const { body } = await studio.backend('GET /v1/queues/duel')
  expect(JSON.stringify(body.server_settings.custom_data)).toBe('{"CamelCase":null,"snake_case":1,"a-b":[]}')
})

rule('C-1-03', async () => {
  await studio.queue()
  world.clock.advance(7)
  const lobby = await studio.lobby()
  expect([lobby.created_at, lobby.created_at.slice(-5)]).toEqual([world.instant(), '.007Z'])
})

rule('C-1-04', async () => {
  await studio.queueWithServer()
  const [lobby] = await studio.match()
  const { key_id: keyId } = studio.project.keys[0]
  const { build_id: buildId } = (await studio.backend(`GET /v1/servers/${lobby.server.instance_id}`)).body
  for (const [id, prefix] of [
    [studio.accountId, 'acc'],
    [studio.projectId, 'prj'],
    [keyId, 'key'],
    [buildId, 'bld'],
    [lobby.lobby_id, 'lob'],
    [lobby.match_id, 'mat'],
    [lobby.server.instance_id, 'srv'],
  ]) {
    expect(id).toMatch(new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`))
  }
})

rule('C-1-05', async () => {
  await studio.queue()
  const lobby = await studio.lobby()
  expect(fault(await create({ nmae: 'x' }))).toBe('nmae')
  expect(fault(await studio.act('ann', lobby, 'PATCH', '/settings', { maxPlayers: 3 }))).toBe('maxPlayers')
  expect(fault(await studio.act('ann', lobby, 'POST', '/queue', { now: true }))).toBe('now')
  const config = { queue_id: 'q', name: 'Q', invite_code_config: { lenght: 6 } }
  expect(fault(await studio.backend('POST /v1/queues', config))).toBe('invite_code_config.lenght')
  expect(fault(await studio.developer('POST /v1/projects', { name: 'x', slug: 'y' }))).toBe('slug')
})

rule('C-1-06', async () => {
  await studio.queue()
  for (const path of ['/v1/lobbies', '/v1/queues', '/v1/queues/duel', '/v1/builds', '/v1/servers']) {
    expect((await studio.backend(`GET ${path}?utm=1&project_id=x`)).status, path).toBe(200)
  }
})

rule('C-1-07', async () => {
  await studio.queue()
  const lobby = await studio.lobby('ann', { settings: ofBytes(16 * KB), state: ofBytes(8 * KB) })
  for (const field of ['settings', 'state']) {
    expect(fault(await create({ [field]: ofBytes(16 * KB + 1) }))).toBe(field)
    // The limit counts bytes of UTF-8, not characters.
    expect(fault(await create({ [field]: { a: 'é'.repeat(8 * KB) } }))).toBe(field)
  }
  const merge = await studio.act('ann', lobby, 'PATCH', '/players/ann', { state: { b: 'x'.repeat(9 * KB) } })
  expect(outcome(merge)).toEqual([400, 'VALIDATION_FAILED'])
  const queue = { queue_id: 'q', name: 'Q', server_settings: { custom_data: ofBytes(16 * KB + 1) } }
  expect(fault(await studio.backend('POST /v1/queues', queue))).toBe('server_settings.custom_data')
})

rule('C-1-08', async () => {
  await studio.queue()
  expect((await create({ settings: nested(16) })).status).toBe(201)
  expect(fault(await create({ settings: nested(17) }))).toBe('settings')
  expect(outcome(await raw(`{"queue_id":"duel","settings":${'['.repeat(20_000)}${']'.repeat(20_000)}}`))).toEqual([
    400,
    'VALIDATION_FAILED',
  ])
})

rule('C-1-09', async () => {
  await studio.queue()
  for (const key of ['__proto__', 'constructor', 'prototype']) {
    for (const settings of [`{"${key}":1}`, `{"a":[{"${key}":{}}]}`]) {
      const answer = await raw(`{"queue_id":"duel","settings":${settings}}`)
      expect(outcome(answer), settings).toEqual([400, 'VALIDATION_FAILED'])
    }
  }
  expect((await create({ settings: { proto: 1, toString: 1, Constructor: 1, __proto: 1 } })).status).toBe(201)
})

rule('C-1-10', async () => {
  await studio.queue()
  const padded = (bytes: number) => '{"queue_id":"duel"}'.padEnd(bytes, ' ')
  expect((await raw(padded(64 * KB))).status).toBe(201)
  expect(outcome(await raw(padded(64 * KB + 1)))).toEqual([413, 'PAYLOAD_TOO_LARGE'])
})

rule('C-1-11', async () => {
  for (const body of ['{', 'null', '[]', '"text"', 'undefined', '{"queue_id":NaN}', '']) {
    expect(outcome(await raw(body)), body).toEqual([400, 'VALIDATION_FAILED'])
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
    expect(outcome(await raw('{}', { 'content-type': type }))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  }
  await studio.queue()
  expect((await raw('{"queue_id":"duel"}', { 'content-type': 'application/json; charset=utf-8' })).status).toBe(201)
})

rule('C-1-12', async () => {
  const own = async (id: string) =>
    (await studio.backend('GET /v1/queues', undefined, { 'x-request-id': id })).headers.get('x-request-id')
  expect(await own('my-request.1')).toBe('my-request.1')
  for (const id of ['x'.repeat(5_000), 'a b', '<script>']) expect(await own(id)).not.toBe(id)
  const ids = await Promise.all(
    [1, 2].map(async () => (await studio.backend('GET /v1/queues')).headers.get('x-request-id')),
  )
  expect(new Set(ids).size).toBe(2)
  expect((await world.nobody('GET /nowhere')).headers.get('x-request-id')).toMatch(/^req_/)
})

rule('C-1-13', async () => {
  const register = (await world.register()).answer
  const keys = await studio.developer(`POST /v1/projects/${studio.projectId}/keys`, { type: 'client' })
  const upload = await studio.backend('POST /v1/builds/upload-url', { name: 'a', executable_path: 'b' })
  const refused = await world.nobody('GET /v1/account')
  for (const answer of [register, keys, upload, refused, await studio.developer('GET /v1/billing/plan')]) {
    expect(answer.headers.get('cache-control')).toBe('no-store')
  }
})

rule('C-1-14', async () => {
  const both = { authorization: `Bearer ${studio.token}` }
  expect((await studio.backend('GET /v1/queues', undefined, both)).status).toBe(200)
  expect(outcome(await studio.backend('GET /v1/account', undefined, both))).toEqual([403, 'CREDENTIAL_NOT_ALLOWED'])
  const bad = { ...both, 'api-key': 'sk_live_nothing' }
  expect(outcome(await world.as(bad)('GET /v1/account'))).toEqual([401, 'INVALID_API_KEY'])
})

rule('C-1-15', async () => {
  await studio.queue()
  await studio.build()
  const keys = `POST /v1/projects/${studio.projectId}/keys`
  for (const [name, ok] of [
    ['', false],
    ['x'.repeat(129), false],
    ['x'.repeat(128), true],
    ['\u{1F3AE}'.repeat(128), true],
  ] as const) {
    const answers = [
      (await world.register({ name })).answer,
      await create({ name }),
      await studio.backend('POST /v1/servers', { version_tag: 'arena', name }),
      await studio.backend('POST /v1/queues', { queue_id: `q${name.length}`, name }),
      await studio.developer(keys, { type: 'client', name }),
    ]
    for (const answer of answers) {
      if (ok) expect(answer.status).toBe(201)
      else expect(fault(answer)).toBe('name')
    }
  }
})

rule('C-1-16', async () => {
  await studio.queue()
  for (const player of ['Zoë', 'a, b', '名前', 'ANN']) {
    const lobby = await studio.lobby(player)
    expect(lobby.host_player_id).toBe(player)
    const path = `/players/${encodeURIComponent(player)}`
    const { status, body } = await studio.act(player, lobby, 'PATCH', path, { state: { a: 1 } })
    expect([status, body.player_id]).toEqual([200, player])
  }
  const lobby = await studio.lobby('ann')
  expect(outcome(await studio.act('Ann', lobby, 'PATCH', '/settings', {}))).toEqual([403, 'NOT_HOST'])
})

rule('C-1-17', async () => {
  const origin = { origin: 'https://game.example' }
  const player = await studio.player('ann')('GET /v1/lobbies', undefined, origin)
  expect(player.headers.get('access-control-allow-origin')).toBe('*')
  const exposed = player.headers.get('access-control-expose-headers') ?? ''
  for (const header of ['retry-after', 'x-request-id', 'ratelimit']) expect(exposed).toContain(header)
  const ask = { ...origin, 'access-control-request-method': 'POST' }
  const preflight = await world.nobody('OPTIONS /v1/lobbies', undefined, ask)
  expect(preflight.status).toBe(204)
  const allowed = preflight.headers.get('access-control-allow-headers') ?? ''
  for (const header of ['api-key', 'content-type', 'idempotency-key', 'last-event-id', 'x-player-id']) {
    expect(allowed).toContain(header)
  }
  for (const what of ['GET /v1/account', 'GET /v1/queues', 'GET /v1/billing/plan']) {
    const answer = await studio.developer(what, undefined, origin)
    expect(answer.headers.get('access-control-allow-origin'), what).toBeNull()
  }
})

rule('C-1-27', async () => {
  await studio.queue()
  for (const player of ['a\tb', 'a\u007fb', 'a\u0085b']) {
    const answer = await studio.player(player)('POST /v1/lobbies', { queue_id: 'duel' })
    expect(outcome(answer), JSON.stringify(player)).toEqual([400, 'INVALID_PLAYER_ID'])
  }
  const latin1 = { 'api-key': studio.clientKey, 'x-player-id': 'Zo\u00eb' }
  const invalid = await world.as(latin1)('POST /v1/lobbies', { queue_id: 'duel' })
  expect(outcome(invalid)).toEqual([400, 'INVALID_PLAYER_ID'])
  expect((await studio.player('\u{1F3AE}'.repeat(128))('POST /v1/lobbies', { queue_id: 'duel' })).status).toBe(201)
  expect(outcome(await raw('{"queue_id":"duel","settings":{"a":"\\ud800"}}'))).toEqual([400, 'VALIDATION_FAILED'])
  const bytes = Buffer.concat([Buffer.from('{"queue_id":"duel","name":"'), Buffer.from([0xff]), Buffer.from('"}')])
  expect(outcome(await raw(bytes))).toEqual([400, 'VALIDATION_FAILED'])
})

rule('C-1-28', async () => {
  await studio.queue()
  const { body } = await raw('{"queue_id":"duel","settings":{"b":1,"2":2,"a":3,"1":4}}')
  expect(Object.keys(body.settings)).toEqual(['1', '2', 'b', 'a'])
  expect(Object.keys((await studio.read(body)).settings)).toEqual(['1', '2', 'b', 'a'])
})

rule('C-1-26', async () => {
  await studio.queue()
  const lobby = await studio.lobby('ann', { name: 'x', settings: { a: 1 }, state: { b: 2 } })
  world.clock.advance(1_000)
  for (const fields of [{}, { name: 'x' }, { settings: { a: 1 }, is_private: false, queue_id: 'duel' }]) {
    const { status, body } = await studio.act('ann', lobby, 'PATCH', '/settings', fields)
    expect([status, body]).toEqual([200, lobby])
  }
  for (const fields of [{}, { state: {} }, { state: { b: 2 } }, { state: { b: 2 }, merge: false }, { merge: false }]) {
    expect((await studio.act('ann', lobby, 'PATCH', '/players/ann', fields)).status).toBe(200)
  }
  expect(await studio.read(lobby)).toEqual(lobby)
})

rule('C-1-29', async () => {
  await studio.queueWithServer()
  const lobby = await studio.lobby()
  const on = `/v1/lobbies/${lobby.lobby_id}`
  const ann = studio.player('ann')
  const statuses = [
    (await studio.developer('POST /v1/projects', { name: 'x' })).status,
    (await ann('POST /v1/lobbies', { queue_id: 'duel' })).status,
    (await ann(`GET ${on}`)).status,
    (await ann(`PATCH ${on}/settings`, { name: 'x' })).status,
    (await ann(`POST ${on}/queue`)).status,
    (await ann(`POST ${on}/heartbeat`)).status,
    (await ann(`POST ${on}/leave`)).status,
  ]
  expect(statuses).toEqual([201, 201, 200, 200, 200, 204, 204])
})
