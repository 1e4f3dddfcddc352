import { EXIT_REASONS } from '@matchyard/core'
import { beforeEach, expect } from 'vitest'
import { type Body, fault, outcome } from '../../src/conformance/client'
import { rule } from '../../src/conformance/rule'
import type { Studio } from '../../src/conformance/studio'
import { World } from '../../src/conformance/world'

let world: World
let studio: Studio
beforeEach(async () => {
  world = await World.open()
  studio = await world.studio()
})

const create = (fields: object = {}) => studio.backend('POST /v1/queues', { queue_id: 'q', name: 'Q', ...fields })
const patch = (fields: object, id = 'duel') => studio.backend(`PATCH /v1/queues/${id}`, fields)
const codeOf = async (config: object): Promise<string> => {
  const { queue_id: id } = await studio.queue({ queue_id: `q${world.clock.now()}`, invite_code_config: config })
  world.clock.advance(1)
  return (await studio.lobby('ann', { queue_id: id })).invite_code
}

rule('S-QUE-01', async () => {
  for (const id of ['', 'Q', 'a-b', 'a b', 'é', 'x'.repeat(65), 1]) {
    expect(fault(await create({ queue_id: id })), String(id)).toBe('queue_id')
  }
  for (const id of ['a', '0_', 'x'.repeat(64)]) expect((await create({ queue_id: id })).body.queue_id).toBe(id)
  expect(outcome(await create({ queue_id: 'a' }))).toEqual([409, 'QUEUE_EXISTS'])
})

rule('S-QUE-02', async () => {
  await studio.queue({ server_settings: { region: 'fra' } })
  const { body } = await studio.backend('GET /v1/queues/duel')
  const fields =
    'queue_id name enabled max_players created_at updated_at timeout heartbeat heartbeat_timeout host_leave_behavior lobby_ttl match_ttl concurrent_matches presence_timeout in_game_heartbeat_timeout leaver_penalty requeue_on_failure rating rating_field rated_starts invite_code_config server_settings matchmaking'
  expect(Object.keys(body).sort()).toEqual(fields.split(' ').sort())
})

rule('S-QUE-03', async () => {
  await studio.queue({ enabled: false })
  const answer = await studio.player('ann')('POST /v1/lobbies', { queue_id: 'duel' })
  expect(outcome(answer)).toEqual([409, 'QUEUE_DISABLED'])
})

rule('S-QUE-04', async () => {
  for (const max of [0, 101, -1, 1.5, '10']) expect(fault(await create({ max_players: max }))).toBe('max_players')
  for (const max of [1, 100]) {
    expect((await create({ queue_id: `q${max}`, max_players: max })).body.max_players).toBe(max)
  }
})

rule('S-QUE-05', async () => {
  for (const field of ['timeout', 'heartbeat_timeout', 'lobby_ttl']) {
    for (const value of [0, -1, 1.5, '1', null]) expect(fault(await create({ [field]: value }))).toBe(field)
    expect((await create({ queue_id: field, [field]: 1 })).body[field]).toBe(1)
  }
})

rule('S-QUE-11', async () => {
  expect(fault(await create({ invite_code_config: { charset: 'hex' } }))).toBe('invite_code_config.charset')
  for (const [charset, length, pattern] of [
    ['alphanumeric', 6, /^[A-Z0-9]{6}$/],
    ['numeric', 4, /^[0-9]{4}$/],
    ['alphabetic', 8, /^[A-Z]{8}$/],
  ] as const) {
    expect(await codeOf({ charset, length })).toMatch(pattern)
  }
})

rule('S-QUE-12', async () => {
  expect(await codeOf({ prefix: 'GO-', length: 5, charset: 'numeric' })).toMatch(/^GO-[0-9]{5}$/)
})

rule('S-QUE-13', async () => {
  await studio.queue({ invite_code_config: { enabled: false } })
  expect((await studio.lobby()).invite_code).toBeNull()
})

rule('S-QUE-14', async () => {
  const settings = {
    version_tag: 'arena',
    region: 'fra',
    tier: '2x-4g',
    network_ports: [{ name: 'game', protocol: 'udp', internal_port: 7777, tls_enabled: false }],
    startup_args: '-x',
    ttl: 600,
    auto_restart: true,
    custom_data: { Deep: { key: null } },
  }
  const { body } = await create({ server_settings: settings })
  expect(body.server_settings).toEqual(settings)
  expect(fault(await create({ queue_id: 'b', server_settings: { versiontag: 'x' } }))).toBe(
    'server_settings.versiontag',
  )
  for (const [field, value] of Object.entries({ region: 'xyz', tier: '3x', ttl: 59, startup_args: '"' })) {
    expect(fault(await create({ queue_id: 'b', server_settings: { [field]: value } }))).toBe(`server_settings.${field}`)
  }
})

rule('S-QUE-15', async () => {
  await studio.queueWithServer({
    region: 'nrt',
    tier: '2x-4g',
    startup_args: '-x',
    ttl: 600,
    auto_restart: true,
    custom_data: { a: 1 },
  })
  const [lobby] = await studio.match()
  const { body } = await studio.backend(`GET /v1/servers/${lobby.server.instance_id}`)
  expect(body).toMatchObject({
    version_tag: 'arena',
    region: 'nrt',
    tier: '2x-4g',
    startup_args: '-x',
    ttl: 600,
    auto_restart: true,
    custom_data: { a: 1 },
    match_id: lobby.match_id,
  })
  expect(body.network_ports).toMatchObject([{ name: 'game', protocol: 'udp', internal_port: 7777 }])
})

rule('S-QUE-22', async () => {
  await studio.queue()
  for (const what of ['GET /v1/queues', 'GET /v1/queues/duel', 'GET /v1/queues/duel/stats', 'DELETE /v1/queues/duel']) {
    for (const caller of [studio.player('ann'), studio.developer]) {
      expect(outcome(await caller(what)), what).toEqual([403, 'CREDENTIAL_NOT_ALLOWED'])
    }
  }
})

rule('C-5-01', async () => {
  expect((await create()).status).toBe(201)
  expect(fault(await studio.backend('POST /v1/queues', { name: 'Q' }))).toBe('queue_id')
  expect(fault(await studio.backend('POST /v1/queues', { queue_id: 'r' }))).toBe('name')
})

rule('C-5-02', async () => {
  const now = world.instant()
  expect((await create()).body).toEqual({
    queue_id: 'q',
    name: 'Q',
    enabled: true,
    max_players: 10,
    timeout: 300,
    heartbeat: false,
    heartbeat_timeout: 60,
    host_leave_behavior: 'promote',
    lobby_ttl: 3_600,
    match_ttl: 86_400,
    concurrent_matches: false,
    presence_timeout: 30,
    in_game_heartbeat_timeout: null,
    leaver_penalty: 0,
    requeue_on_failure: false,
    rating: null,
    rating_field: 'mmr',
    rated_starts: false,
    invite_code_config: { enabled: true, length: 6, charset: 'alphanumeric', prefix: '' },
    created_at: now,
    updated_at: now,
  })
})

rule('C-5-03', async () => {
  await create()
  expect(outcome(await create({ name: 'Other' }))).toEqual([409, 'QUEUE_EXISTS'])
  const other = await world.studio()
  expect((await other.backend('POST /v1/queues', { queue_id: 'q', name: 'Q' })).status).toBe(201)
})

rule('C-5-04', async () => {
  const queue = await studio.queue()
  const { body } = await studio.backend('GET /v1/queues')
  expect(body).toEqual({ total: 1, limit: 50, offset: 0, has_more: false, data: [queue] })
  for (const what of ['GET /v1/queues/nope', 'DELETE /v1/queues/nope', 'GET /v1/queues/nope/stats']) {
    expect(outcome(await studio.backend(what))).toEqual([404, 'QUEUE_NOT_FOUND'])
  }
  expect(outcome(await patch({}, 'nope'))).toEqual([404, 'QUEUE_NOT_FOUND'])
})

rule('C-5-05', async () => {
  const before = await studio.queue({
    timeout: 7,
    invite_code_config: { length: 8, prefix: 'A' },
    server_settings: { region: 'fra', tier: '2x-4g' },
  })
  world.clock.advance(1_000)
  const { status, body } = await patch({
    max_players: 4,
    invite_code_config: { prefix: 'B' },
    server_settings: { region: 'syd' },
  })
  expect(status).toBe(200)
  expect(body).toEqual({
    ...before,
    max_players: 4,
    invite_code_config: { enabled: true, length: 6, charset: 'alphanumeric', prefix: 'B' },
    server_settings: { region: 'syd' },
    updated_at: world.instant(),
  })
  expect((await studio.backend('GET /v1/queues/duel')).body).toEqual(body)
})

rule('C-5-06', async () => {
  const before = await studio.queue()
  expect(fault(await patch({ queue_id: 'duel' }))).toBe('queue_id')
  world.clock.advance(1_000)
  for (const fields of [{}, { name: before.name }]) {
    const { status, body } = await patch(fields)
    expect([status, body]).toEqual([200, before])
  }
})

rule('C-5-07', async () => {
  await studio.queue()
  const lobby = await studio.lobby()
  expect(outcome(await studio.backend('DELETE /v1/queues/duel'))).toEqual([409, 'QUEUE_IN_USE'])
  await studio.act('ann', lobby, 'DELETE')
  expect((await studio.backend('DELETE /v1/queues/duel')).status).toBe(204)
  expect(outcome(await studio.backend('GET /v1/queues/duel'))).toEqual([404, 'QUEUE_NOT_FOUND'])
})

rule('C-5-08', async () => {
  await studio.queue()
  const stats = async () => (await studio.backend('GET /v1/queues/duel/stats')).body
  expect(await stats()).toEqual({
    players_searching: 0,
    lobbies_searching: 0,
    matches_last_hour: 0,
    wait_seconds: { p50: null, p90: null, p99: null },
    recent_wait_seconds: { p50: null, p90: null, p99: null },
    estimated_wait_seconds: null,
    waiting_for_room: { servers: 0, oldest_seconds: null },
    warm: { ready: 0, allocated: 0 },
    proposals_last_hour: { made: 0, accepted: 0, declined: 0, expired: 0 },
    exits_last_hour: Object.fromEntries(EXIT_REASONS.map((reason) => [reason, 0])),
  })
  await studio.queued('zoe')
  expect(await stats()).toMatchObject({ players_searching: 1, lobbies_searching: 1 })
  world.clock.advance(10_000)
  await studio.queued('bob')
  await studio.tick()
  await world.settle()
  expect(await stats()).toMatchObject({ players_searching: 0, lobbies_searching: 0, matches_last_hour: 1 })
  expect((await stats()).wait_seconds.p99).toBe(10)
})

rule('C-5-09', async () => {
  for (const [field, value] of [
    ['length', 3],
    ['length', 33],
    ['prefix', 'x'.repeat(17)],
  ] as const) {
    expect(fault(await create({ invite_code_config: { [field]: value } }))).toBe(`invite_code_config.${field}`)
  }
  expect(await codeOf({ length: 32, prefix: 'x'.repeat(16), charset: 'numeric' })).toMatch(/^x{16}[0-9]{32}$/)
})

rule('C-5-10', async () => {
  for (const charset of ['alphanumeric', 'alphabetic']) {
    const code = await codeOf({ charset, length: 32 })
    expect(code).toBe(code.toUpperCase())
  }
})

rule('C-5-11', async () => {
  await studio.queue({ invite_code_config: { prefix: 'Go-', length: 6, charset: 'alphabetic' } })
  const lobby = await studio.lobby()
  for (const [player, code] of [
    ['bob', lobby.invite_code.toLowerCase()],
    ['cat', lobby.invite_code.toUpperCase()],
  ]) {
    expect((await studio.player(player)('POST /v1/lobbies/join', { invite_code: code })).status).toBe(200)
  }
  const other = await world.studio()
  const foreign = await other.player('bob')('POST /v1/lobbies/join', { invite_code: lobby.invite_code })
  expect(outcome(foreign)).toEqual([404, 'INVALID_INVITE_CODE'])
})

rule('C-5-12', async () => {
  const random = { int: () => 0 }
  world = await World.open({ core: { random } })
  // A random source that always returns 0 creates equal keys in each project, so the test uses one project only.
  const { answer } = await world.register()
  const developer = world.as({ authorization: `Bearer ${answer.body.token}` })
  await developer('POST /v1/billing/upgrade', { plan: 'pro', payment_method_token: 'pm_test_visa' })
  const keys = (await developer('POST /v1/projects', { name: 'P' })).body.keys
  const [client, server] = keys.map(({ key }: Body) => key)
  await world.as({ 'api-key': server })('POST /v1/queues', { queue_id: 'q', name: 'Q' })
  const ann = world.as({ 'api-key': client, 'x-player-id': 'ann' })
  expect((await ann('POST /v1/lobbies', { queue_id: 'q' })).status).toBe(201)
  expect(outcome(await ann('POST /v1/lobbies', { queue_id: 'q' }))).toEqual([409, 'INVITE_CODES_EXHAUSTED'])
})

rule('C-5-13', async () => {
  for (const [field, value] of [
    ['host', '127.0.0.1'],
    ['external_port', 80],
  ] as const) {
    const ports = [{ name: 'game', protocol: 'udp', internal_port: 1, [field]: value }]
    expect(fault(await create({ server_settings: { network_ports: ports } }))).toBe(
      `server_settings.network_ports.0.${field}`,
    )
  }
})

rule('C-5-14', async () => {
  let draw = 0
  world = await World.open({ core: { random: { int: (below: number) => draw++ % below } } })
  studio = await world.studio()
  await studio.queue({ invite_code_config: { length: 4, charset: 'numeric' } })
  const again = async () => {
    draw = 0
    return studio.lobby()
  }
  const first = await again()
  await studio.act('ann', first, 'DELETE')
  world.clock.advance(600_000 - 1)
  const early = await again()
  expect(early.invite_code).not.toBe(first.invite_code)
  await studio.act('ann', early, 'DELETE')
  world.clock.advance(1)
  await world.settle()
  expect((await again()).invite_code).toBe(first.invite_code)
})

rule('C-5-16', async () => {
  await studio.queue({ max_players: 10 })
  const lobby = await studio.lobby()
  await patch({ max_players: 4 })
  expect((await studio.read(lobby)).max_players).toBe(10)
  for (const player of ['bob', 'cat', 'dan', 'eve']) {
    expect((await studio.act(player, lobby, 'POST', '/join')).status).toBe(200)
  }
  const other = await studio.lobby('zoe', { max_players: 4 })
  expect(fault(await studio.act('zoe', other, 'PATCH', '/settings', { max_players: 5 }))).toBe('max_players')
  // Only `max_players` is checked against the queue's limit: a new name is accepted, and the lobby keeps its size.
  expect((await studio.act('ann', lobby, 'PATCH', '/settings', { name: 'x' })).body.max_players).toBe(10)
})

rule('C-5-17', async () => {
  const { body } = await create()
  expect('server_settings' in body || 'matchmaking' in body).toBe(false)
})
