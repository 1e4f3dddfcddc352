import { beforeEach, expect } from 'vitest'
import { type Body, fault, outcome } from '../../src/conformance/client'
import { rule } from '../../src/conformance/rule'
import type { Studio } from '../../src/conformance/studio'
import { World } from '../../src/conformance/world'

const REGIONS = 'ams arn bom cdg dfw ewr fra iad lax lhr nrt ord sin sjc syd yyz'.split(' ')

let world: World
let studio: Studio
beforeEach(async () => {
  world = await World.open()
  studio = await world.studio()
})

const create = (fields: object, player = 'ann') => studio.player(player)('POST /v1/lobbies', fields)
const idsOf = async (query: string, caller = studio.backend): Promise<string[]> =>
  (await caller(`GET /v1/lobbies${query}`)).body.data.map((lobby: Body) => lobby.lobby_id)

rule('S-LOB-01', async () => {
  await studio.queue({ invite_code_config: { enabled: false } })
  const lobby = await studio.lobby()
  const now = world.instant()
  expect(lobby).toEqual({
    lobby_id: expect.stringMatching(/^lob_/),
    queue_id: 'duel',
    status: 'waiting',
    host_player_id: 'ann',
    is_private: false,
    max_players: 10,
    current_players: 1,
    players: [{ player_id: 'ann', is_host: true, joined_at: now, state: {} }],
    invite_code: null,
    settings: {},
    server: null,
    match_id: null,
    last_exit: null,
    banned: [],
    version: 1,
    created_at: now,
    updated_at: now,
  })
})

rule('S-LOB-02', async () => {
  await studio.queue()
  const bare = await studio.lobby()
  expect('name' in bare || 'region' in bare).toBe(false)
  expect(await studio.lobby('ann', { name: 'Mine', region: 'fra' })).toMatchObject({ name: 'Mine', region: 'fra' })
})

rule('S-LOB-03', async () => {
  await studio.queue({ max_players: 100 })
  for (const max of [0, 101, 1.5, '2']) {
    expect(fault(await create({ queue_id: 'duel', max_players: max }))).toBe('max_players')
  }
  const lobby = await studio.lobby('ann', { max_players: 100 })
  for (const player of ['bob', 'cat']) await studio.act(player, lobby, 'POST', '/join')
  expect(await studio.read(lobby)).toMatchObject({ max_players: 100, current_players: 3 })
})

rule('S-LOB-04', async () => {
  await studio.queue()
  for (const region of REGIONS) expect((await studio.lobby('ann', { region })).region).toBe(region)
  for (const region of ['FRA', 'xyz', '', 5]) {
    expect(fault(await create({ queue_id: 'duel', region }))).toBe('region')
  }
})

rule('S-LOB-05', async () => {
  await studio.queue()
  const settings = { Map: 'dust', mode: null, list: [1, { a: [] }], ключ: 'é', nested: { deep: { er: 0.5 } } }
  expect((await studio.lobby('ann', { settings })).settings).toEqual(settings)
  for (const bad of ['text', 7, [], null]) {
    expect(fault(await create({ queue_id: 'duel', settings: bad }))).toBe('settings')
  }
})

rule('S-LOB-06', async () => {
  await studio.queue()
  await studio.lobby('ann', { is_private: true })
  const open = await studio.lobby('bob')
  for (const query of ['', '?include_private=true', '?status=waiting', '?queue_id=duel']) {
    expect(await idsOf(query, studio.player('ann')), query).toEqual([open.lobby_id])
  }
})

rule('S-LOB-07', async () => {
  await studio.queue()
  const lobby = await studio.lobby('ann', { is_private: true })
  expect(outcome(await studio.act('bob', lobby, 'POST', '/join'))).toEqual([409, 'LOBBY_NOT_ACCEPTING'])
  const joined = await studio.player('bob')('POST /v1/lobbies/join', { invite_code: lobby.invite_code })
  expect([joined.status, joined.body.current_players]).toEqual([200, 2])
})

rule('S-LOB-08', async () => {
  await studio.queueWithServer()
  const lobby = await studio.inGame()
  expect(lobby.server).toMatchObject({ status: 'running', network_ports: [{ host: expect.any(String) }] })
})

rule('S-LOB-09', async () => {
  await studio.queue()
  const state = { mmr: 1_500, game_version: '1', regions: ['fra'], team: 'red', Extra: null }
  const lobby = await studio.lobby('ann', { state })
  world.clock.advance(5_000)
  const { body } = await studio.act('bob', lobby, 'POST', '/join')
  expect(body.players).toEqual([
    { player_id: 'ann', is_host: true, joined_at: lobby.created_at, state },
    { player_id: 'bob', is_host: false, joined_at: world.instant(), state: {} },
  ])
})

rule('S-LEP-01', async () => {
  await studio.queue()
  const { state, ...fields } = {
    queue_id: 'duel',
    name: 'Mine',
    region: 'fra',
    is_private: true,
    max_players: 4,
    settings: { map: 'A' },
    state: { mmr: 5 },
  }
  const answer = await create({ ...fields, state })
  expect([answer.status, answer.body.players[0].state]).toEqual([201, state])
  expect(answer.body).toMatchObject({ ...fields, host_player_id: 'ann', status: 'waiting' })
})

rule('S-LEP-02', async () => {
  await studio.queue({ max_players: 6 })
  expect((await studio.lobby()).max_players).toBe(6)
  expect((await studio.lobby('ann', { max_players: 6 })).max_players).toBe(6)
  for (const max of [7, 101]) expect(fault(await create({ queue_id: 'duel', max_players: max }))).toBe('max_players')
})

rule('S-LEP-12', async () => {
  await studio.queueWithServer()
  const lobby = await studio.lobby()
  const ann = studio.player('ann')
  const before = (await ann(`GET /v1/lobbies/${lobby.lobby_id}`)).body
  expect([before.players.length, before.server]).toEqual([1, null])
  await studio.act('ann', lobby, 'POST', '/start')
  await world.settle()
  const after = (await ann(`GET /v1/lobbies/${lobby.lobby_id}`)).body
  expect(after.server.network_ports[0]).toMatchObject({ host: expect.any(String), external_port: expect.any(Number) })
})

rule('S-LEP-13', async () => {
  await studio.queue()
  await studio.queue({ queue_id: 'other' })
  const queued = await studio.queued('ann', { region: 'fra' })
  const other = await studio.lobby('bob', { queue_id: 'other', region: 'nrt' })
  expect(await idsOf('?queue_id=other')).toEqual([other.lobby_id])
  expect(await idsOf('?status=in_queue')).toEqual([queued.lobby_id])
  expect(await idsOf('?region=nrt')).toEqual([other.lobby_id])
  expect(await idsOf('?region=fra&status=waiting')).toEqual([])
  expect(await idsOf('?queue_id=none')).toEqual([])
  for (const status of ['waiting', 'in_queue', 'matched', 'starting', 'in_game']) {
    expect((await studio.backend(`GET /v1/lobbies?status=${status}`)).status).toBe(200)
  }
})

rule('S-LEP-14', async () => {
  await studio.queue()
  const lobbies = []
  for (const host of ['a', 'b', 'c']) {
    lobbies.push(await studio.lobby(host))
    world.clock.advance(1_000)
  }
  const [a, b, c] = lobbies.map((lobby) => lobby.lobby_id)
  await studio.act('x', lobbies[1], 'POST', '/join')
  expect(await idsOf('')).toEqual([c, b, a])
  expect(await idsOf('?sort=created_at_desc')).toEqual([c, b, a])
  expect(await idsOf('?sort=created_at_asc')).toEqual([a, b, c])
  expect((await idsOf('?sort=player_count_desc'))[0]).toBe(b)
})

rule('S-LEP-15', async () => {
  await studio.queue()
  for (const host of ['a', 'b', 'c']) await studio.lobby(host)
  const all = await idsOf('?sort=created_at_asc')
  const { body } = await studio.backend('GET /v1/lobbies?sort=created_at_asc&limit=2&offset=1')
  expect(body).toMatchObject({ total: 3, limit: 2, offset: 1, has_more: false })
  expect(body.data.map((lobby: Body) => lobby.lobby_id)).toEqual(all.slice(1))
  expect((await studio.backend('GET /v1/lobbies?limit=2')).body.has_more).toBe(true)
  for (const query of ['limit=0', 'limit=101', 'offset=-1', 'limit=x', 'offset=1.5', 'limit=']) {
    expect(fault(await studio.backend(`GET /v1/lobbies?${query}`)), query).toBe(query.split('=')[0])
  }
})

rule('S-LEP-16', async () => {
  await studio.queue()
  const hidden = await studio.lobby('ann', { is_private: true })
  expect(await idsOf('?include_private=true')).toEqual([hidden.lobby_id])
  for (const query of ['', '?include_private=false']) expect(await idsOf(query)).toEqual([])
  for (const value of ['true', 'nonsense']) {
    expect(await idsOf(`?include_private=${value}`, studio.player('ann'))).toEqual([])
  }
  expect(fault(await studio.backend('GET /v1/lobbies?include_private=nonsense'))).toBe('include_private')
})

rule('C-6-01', async () => {
  await studio.queue()
  expect((await create({ queue_id: 'duel' })).status).toBe(201)
  expect(fault(await create({}))).toBe('queue_id')
  expect(outcome(await create({ queue_id: 'none' }))).toEqual([404, 'QUEUE_NOT_FOUND'])
})

rule('C-6-02', async () => {
  await studio.queue()
  const lobby = await studio.lobby()
  expect([lobby.settings, lobby.players[0].state]).toEqual([{}, {}])
})

rule('C-6-37', async () => {
  await studio.queue()
  const lobby = await studio.lobby('ann', { is_private: true })
  const path = `GET /v1/lobbies/${lobby.lobby_id}`
  const players = lobby.players.map((player: Body) => ({ ...player, state: {} }))
  for (const caller of [studio.player('stranger'), world.as({ 'api-key': studio.clientKey })]) {
    expect((await caller(path)).body).toEqual({ ...lobby, invite_code: null, settings: {}, banned: undefined, players })
  }
  for (const caller of [studio.player('ann'), studio.backend]) expect((await caller(path)).body).toEqual(lobby)
})

rule('C-6-38', async () => {
  await studio.queue({ max_players: 100 })
  const state = { filler: 'x'.repeat(15 * 1_024) }
  const lobby = await studio.lobby('p0', { state })
  let refused: [number, string | undefined] | undefined
  for (let n = 1; n < 20 && refused === undefined; n++) {
    const answer = await studio.act(`p${n}`, lobby, 'POST', '/join', { state })
    if (answer.status !== 200) refused = outcome(answer)
    else expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(256 * 1_024)
  }
  expect(refused).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  // One more player of the same size would make the lobby larger than 256 KiB.
  const kept = await studio.read(lobby)
  const [bytes, another] = [kept, kept.players[0]].map((value) => Buffer.byteLength(JSON.stringify(value)))
  expect((bytes ?? 0) + (another ?? 0)).toBeGreaterThan(256 * 1_024)
})

rule('C-6-45', async () => {
  for (const query of ['status=gone', 'status=', 'region=xyz', 'sort=name']) {
    expect(fault(await studio.backend(`GET /v1/lobbies?${query}`)), query).toBe(query.split('=')[0])
  }
  expect((await studio.backend('GET /v1/lobbies?colour=red')).status).toBe(200)
})
