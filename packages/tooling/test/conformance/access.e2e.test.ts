import { beforeEach, expect } from 'vitest'
import { type Body, outcome } from '../../src/conformance/client'
import { document } from '../../src/conformance/document'
import { rule } from '../../src/conformance/rule'
import type { Studio } from '../../src/conformance/studio'
import { World } from '../../src/conformance/world'

let world: World
let studio: Studio
beforeEach(async () => {
  world = await World.open()
  studio = await world.studio()
})

const CONTROL_PLANE = ['/v1/account', '/v1/projects', '/v1/billing', '/v1/auth/refresh', '/v1/auth/logout']
const PLAYER_FACING = ['/v1/lobbies', '/v1/matches']
const PROJECT = ['/v1/builds', '/v1/servers']
/** Returns the operations below these paths, with a non-existent id for each path parameter. */
const under = (prefixes: readonly string[]) =>
  document
    .operations()
    .filter(({ path }) => prefixes.some((prefix) => path.startsWith(prefix)) && !/\/self(\/|$)/.test(path))
    .map(({ method, path }) => `${method} ${path.replace(/\{[^}]+\}/g, 'none')}`)
const DENIED = [403, 'CREDENTIAL_NOT_ALLOWED']

rule('S-AUT-01', async () => {
  for (const what of [
    'GET /v1/account',
    'GET /v1/projects',
    `GET /v1/projects/${studio.projectId}/keys`,
    'GET /v1/billing/plan',
    'GET /v1/billing/usage',
  ]) {
    expect((await studio.developer(what)).status, what).toBe(200)
  }
  expect(outcome(await world.as({ authorization: studio.token })('GET /v1/account'))[0]).toBe(401)
})

rule('S-AUT-02', async () => {
  const asPlayer = world.as({ authorization: `Bearer ${studio.token}`, 'x-player-id': 'ann' })
  const all = under(PLAYER_FACING)
  expect(all.length).toBeGreaterThan(10)
  for (const what of all) expect(outcome(await asPlayer(what)), what).toEqual(DENIED)
})

rule('S-AUT-03', async () => {
  const build = await studio.build()
  const server = await studio.server()
  const other = await world.studio()
  for (const [path, code] of [
    [`/v1/builds/${build.build_id}`, 'BUILD_NOT_FOUND'],
    [`/v1/servers/${server.instance_id}`, 'SERVER_NOT_FOUND'],
  ]) {
    expect((await studio.developer(`GET ${path}`)).status).toBe(200)
    expect(outcome(await other.developer(`GET ${path}`))).toEqual([404, code])
  }
  for (const list of ['builds', 'servers']) {
    const what = `GET /v1/${list}?project_id=${studio.projectId}`
    expect((await studio.developer(what)).status).toBe(200)
    expect(outcome(await other.developer(what))).toEqual([404, 'PROJECT_NOT_FOUND'])
  }
})

rule('S-AUT-04', async () => {
  expect(studio.clientKey).toMatch(/^ck_live_/)
  const player = studio.player('ann')
  expect((await player('GET /v1/lobbies')).status).toBe(200)
  for (const what of under([...CONTROL_PLANE, ...PROJECT, '/v1/queues'])) {
    expect(outcome(await player(what)), what).toEqual(DENIED)
  }
})

rule('S-AUT-05', async () => {
  expect(studio.serverKey).toMatch(/^sk_live_/)
  for (const path of ['/v1/lobbies', '/v1/queues', '/v1/builds', '/v1/servers']) {
    expect((await studio.backend(`GET ${path}`)).status, path).toBe(200)
  }
  for (const what of under([...PROJECT, ...PLAYER_FACING, '/v1/queues'])) {
    expect((await studio.backend(what)).body?.code, what).not.toBe('CREDENTIAL_NOT_ALLOWED')
  }
})

rule('S-AUT-06', async () => {
  for (const what of under(CONTROL_PLANE)) {
    for (const caller of [studio.player('ann'), studio.backend]) {
      expect(outcome(await caller(what)), what).toEqual(DENIED)
    }
  }
})

rule('S-AUT-07', async () => {
  await studio.queue()
  const lobby = await studio.lobby('Ann the 1st, esq.')
  expect(lobby.host_player_id).toBe('Ann the 1st, esq.')
  expect((await studio.act('Ann the 1st, esq.', lobby, 'PATCH', '/settings', { name: 'x' })).status).toBe(200)
})

rule('S-AUT-08', async () => {
  await studio.queue()
  const create = (player: string) => studio.player(player)('POST /v1/lobbies', { queue_id: 'duel' })
  for (const player of ['', 'x'.repeat(129)]) expect(outcome(await create(player))).toEqual([400, 'INVALID_PLAYER_ID'])
  for (const player of ['x', 'x'.repeat(128)]) expect((await create(player)).body.host_player_id).toBe(player)
  const reading = await studio.player('x'.repeat(129))('GET /v1/lobbies')
  expect(outcome(reading)).toEqual([400, 'INVALID_PLAYER_ID'])
})

rule('S-AUT-09', async () => {
  const { data } = (await studio.developer(`GET /v1/projects/${studio.projectId}/keys`)).body
  for (const key of data as Body[]) {
    await studio.developer(`DELETE /v1/projects/${studio.projectId}/keys/${key.key_id}`)
  }
  for (const caller of [studio.player('ann'), studio.backend]) {
    expect(outcome(await caller('GET /v1/lobbies'))).toEqual([401, 'INVALID_API_KEY'])
  }
})

const LISTS = [
  '/v1/projects',
  '/v1/projects/{id}/keys',
  '/v1/builds',
  '/v1/servers',
  '/v1/queues',
  '/v1/queues/{queue}/history',
  '/v1/lobbies',
  '/v1/players/me/lobbies',
  '/v1/bans',
  '/v1/ratings',
  '/v1/ratings/{rating}/seasons',
  '/v1/players/{player}/ratings',
  '/v1/webhooks',
  '/v1/webhooks/{webhook}/deliveries',
]
let queues = 0
const list = async (path: string, query = '') => {
  const webhook = path.includes('{webhook}')
    ? (await studio.backend('POST /v1/webhooks', { url: 'https://studio.example/hooks' })).body.webhook_id
    : ''
  const queue = path.includes('{queue}') ? (await studio.queue({ queue_id: `queue_${++queues}` })).queue_id : ''
  if (path.includes('{rating}')) await studio.backend('PUT /v1/ratings/ranked', { name: 'Ranked' })
  const named = path.replace('{rating}', 'ranked').replace('{player}', 'ann')
  const what = `GET ${named.replace('{id}', studio.projectId).replace('{webhook}', webhook).replace('{queue}', queue)}${query}`
  if (path.startsWith('/v1/players')) return studio.player('ann')(what)
  return path.startsWith('/v1/projects') ? studio.developer(what) : studio.backend(what)
}

rule('S-LIS-01', async () => {
  for (const path of LISTS) {
    const { status, body } = await list(path)
    expect(status, path).toBe(200)
    expect(Object.keys(body).sort(), path).toEqual(['data', 'has_more', 'limit', 'offset', 'total'])
  }
  // No other operation of the document returns a list.
  const documented = document
    .operations()
    .filter(({ operation }) => JSON.stringify(operation.responses).includes('has_more'))
  const [paged, walked] = [true, false].map((hasOffset) =>
    documented.filter(({ operation }) => JSON.stringify(operation.responses).includes('"offset"') === hasOffset),
  )
  expect(paged).toHaveLength(LISTS.length)
  // These lists continue from a cursor or return only the first entries (docs/http-api.md, "For dashboards").
  expect(walked?.map(({ path }) => path).sort()).toEqual([
    '/v1/account/sessions',
    '/v1/audit',
    '/v1/billing/usage',
    '/v1/matches',
    '/v1/players/me',
    '/v1/players/{player_id}',
    '/v1/queues/{queue_id}/arrivals',
    '/v1/ratings/{rating_id}/leaderboard',
    '/v1/servers/{instance_id}/logs',
  ])
})

rule('S-LIS-02', async () => {
  for (const path of LISTS) {
    for (const query of ['limit=0', 'limit=101', 'limit=-1', 'offset=-1', 'limit=1.5', 'limit=ten']) {
      expect(outcome(await list(path, `?${query}`)), `${path}?${query}`).toEqual([400, 'VALIDATION_FAILED'])
    }
    expect((await list(path, '?limit=100&offset=1')).body).toMatchObject({ limit: 100, offset: 1 })
    expect((await list(path, '?limit=1&offset=0')).status).toBe(200)
  }
})

rule('C-1-23', async () => {
  for (const path of LISTS) expect((await list(path)).body, path).toMatchObject({ limit: 50, offset: 0 })
})

rule('S-LIM-01', async () => {
  await studio.queue()
  const lobby = await studio.queued()
  const cancel = (player: string) => studio.act(player, lobby, 'DELETE', '/queue')
  expect((await cancel('ann')).status).toBe(200)
  // The rate limit counts a call before the lobby's state is checked.
  for (let n = 0; n < 4; n++) expect(outcome(await cancel('ann'))).toEqual([409, 'INVALID_LOBBY_STATE'])
  expect(outcome(await cancel('ann'))).toEqual([429, 'RATE_LIMITED'])
  expect(outcome(await cancel('bob'))).toEqual([403, 'NOT_HOST'])
  world.clock.advance(1_000)
  expect(outcome(await cancel('ann'))).toEqual([409, 'INVALID_LOBBY_STATE'])
})

rule('S-VER-01', () => {
  const system = [
    '/',
    '/livez',
    '/readyz',
    '/metrics',
    '/top',
    '/openapi.json',
    '/reference',
    '/errors',
    '/errors/{code}',
  ]
  const others = document.operations().filter(({ path }) => !path.startsWith('/v1/'))
  expect(others.map(({ path }) => path).sort()).toEqual(system.sort())
})
