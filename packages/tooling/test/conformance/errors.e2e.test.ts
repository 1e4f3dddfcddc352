import { StorageUnavailable } from '@matchyard/core/ports'
import { HTTP_ERRORS } from '@matchyard/http'
import { beforeEach, expect } from 'vitest'
import { fault, outcome } from '../../src/conformance/client'
import { CONTRACT_ERRORS } from '../../src/conformance/contract-errors'
import { rule } from '../../src/conformance/rule'
import type { Studio } from '../../src/conformance/studio'
import { World } from '../../src/conformance/world'

let world: World
let studio: Studio
beforeEach(async () => {
  world = await World.open()
  studio = await world.studio()
})

const numbered = ({ body }: Awaited<ReturnType<Studio['backend']>>) => [body.code, body.number]

rule('S-ERR-01', async () => {
  for (const key of ['sk_live_unknown', 'nonsense', `${studio.serverKey}x`]) {
    expect(numbered(await world.as({ 'api-key': key })('GET /v1/queues'))).toEqual(['INVALID_API_KEY', 1001])
  }
})

rule('S-ERR-02', async () => {
  await studio.queue()
  const lobby = await studio.lobby()
  await studio.act('bob', lobby, 'POST', '/join')
  expect(numbered(await studio.act('bob', lobby, 'PATCH', '/settings', { name: 'x' }))).toEqual(['NOT_HOST', 4004])
})

rule('S-ERR-03', async () => {
  await studio.queue()
  for (const status of ['in_queue', 'matched', 'starting']) {
    const lobby = await studio.inStatus(status)
    const answer = await studio.act('ann', lobby, 'PATCH', '/settings', { settings: {} })
    expect(numbered(answer), status).toEqual(['INVALID_LOBBY_STATE', 4007])
    await studio.backend(`DELETE /v1/lobbies/${lobby.lobby_id}`)
  }
})

rule('S-ERR-04', async () => {
  await studio.queue()
  for (const lobby of [await studio.lobby('ann', { is_private: true }), await studio.inGame()]) {
    expect((await studio.act('bob', lobby, 'POST', '/join')).body.code).toBe('LOBBY_NOT_ACCEPTING')
  }
})

rule('S-ERR-05', async () => {
  await studio.queue({ enabled: false })
  expect((await studio.player('ann')('POST /v1/lobbies', { queue_id: 'duel' })).body.code).toBe('QUEUE_DISABLED')
})

rule('S-ERR-06', async () => {
  const other = await world.studio()
  const answer = await studio.developer(`GET /v1/builds?project_id=${other.projectId}`)
  expect([answer.status, ...numbered(answer)]).toEqual([404, 'PROJECT_NOT_FOUND', 7001])
})

rule('S-ERR-07', async () => {
  await studio.build()
  await studio.server()
  await world.settle()
  const answer = await studio.developer(`DELETE /v1/projects/${studio.projectId}`)
  expect(numbered(answer)).toEqual(['PROJECT_HAS_RUNNING_SERVERS', 7002])
})

rule('S-ERR-08', async () => {
  const path = `DELETE /v1/projects/${studio.projectId}/keys/${studio.project.keys[0].key_id}`
  await studio.developer(path)
  expect(numbered(await studio.developer(path))).toEqual(['KEY_REVOKED', 9002])
})

rule('C-E-01', async () => {
  const answer = await studio.backend('GET /v1/queues/nope')
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(answer.body).toEqual({
    type: '/errors/QUEUE_NOT_FOUND',
    title: expect.any(String),
    status: 404,
    code: 'QUEUE_NOT_FOUND',
    number: 5001,
    detail: expect.stringContaining('nope'),
    request_id: answer.headers.get('x-request-id'),
    details: {},
  })
})

rule('C-E-02', () => {
  const rows = Object.entries(HTTP_ERRORS).map(([code, { number, status }]) => [code, number, status])
  const contract = Object.entries(CONTRACT_ERRORS).map(([code, [number, status]]) => [code, number, status])
  expect(rows).toEqual(expect.arrayContaining(contract))
})

rule('C-E-03', async () => {
  for (const what of ['GET /v1/account', 'GET /v1/queues', 'GET /v1/lobbies', 'GET /v1/builds']) {
    expect(outcome(await world.nobody(what)), what).toEqual([401, 'MISSING_CREDENTIALS'])
  }
})

rule('C-E-04', async () => {
  const { body } = await studio.backend('POST /v1/queues', { queue_id: 'Bad Id', timeout: 0 })
  const issues: { path: string; message: string }[] = body.details.issues
  expect(issues.map(({ path }) => path).sort()).toEqual(['name', 'queue_id', 'timeout'])
  for (const issue of issues) expect(Object.keys(issue).sort()).toEqual(['message', 'path'])
})

rule('C-E-05', async () => {
  for (const what of ['GET /v1/nothing', 'GET /v2/lobbies', 'GET /v1', 'GET /v1/lobbies/a/b/c']) {
    expect(outcome(await studio.backend(what)), what).toEqual([404, 'NOT_FOUND'])
  }
})

rule('C-E-06', async () => {
  const answer = await studio.backend('PUT /v1/queues/duel')
  expect(outcome(answer)).toEqual([405, 'METHOD_NOT_ALLOWED'])
  const allowed = (answer.headers.get('allow') ?? '').split(', ')
  expect(allowed).toEqual(expect.arrayContaining(['GET', 'PATCH', 'DELETE']))
})

rule('C-E-07', async () => {
  let answer = await studio.player('ann')('DELETE /v1/lobbies/lob_none/queue')
  for (let n = 0; n < 5; n++) answer = await studio.player('ann')('DELETE /v1/lobbies/lob_none/queue')
  expect(outcome(answer)).toEqual([429, 'RATE_LIMITED'])
  expect(answer.headers.get('retry-after')).toBe('1')
  expect(answer.headers.get('ratelimit')).toBe('"cancel-matchmaking";r=0;t=1')
  expect(answer.headers.get('ratelimit-policy')).toBe('"cancel-matchmaking";q=5;w=1')
})

rule('C-E-08', async () => {
  let down = false
  world = await World.open({
    through: (storage) =>
      new Proxy(storage, {
        get(target, name) {
          const value = Reflect.get(target, name)
          if (!down || (name !== 'get' && name !== 'commit')) return value
          return async () => {
            throw new StorageUnavailable('the disk is gone')
          }
        },
      }),
  })
  studio = await world.studio()
  down = true
  for (const what of ['GET /v1/account', 'GET /v1/billing/plan']) {
    const answer = await studio.developer(what)
    expect(outcome(answer)).toEqual([503, 'UNAVAILABLE'])
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(answer.text).not.toContain('disk')
  }
})

rule('C-E-09', async () => {
  world = await World.open({
    through: (storage) =>
      new Proxy(storage, {
        get(target, name) {
          if (name !== 'queues') return Reflect.get(target, name)
          throw new Error('select * from secrets at /home/user/x.ts:1')
        },
      }),
  })
  studio = await world.studio()
  const answer = await studio.backend('GET /v1/queues')
  expect(outcome(answer)).toEqual([500, 'INTERNAL'])
  expect(answer.text).not.toMatch(/secrets|select|\.ts/)
})

rule('C-E-10', async () => {
  await studio.queue()
  const lobby = await studio.lobby()
  const other = await world.studio()
  const on = `/v1/lobbies/${lobby.lobby_id}`
  for (const [what, body] of [
    [`GET ${on}`, undefined],
    [`POST ${on}/join`, {}],
    [`PATCH ${on}/settings`, { name: 'x' }],
    [`POST ${on}/queue`, undefined],
    [`DELETE ${on}/queue`, undefined],
    [`POST ${on}/start`, undefined],
    [`PATCH ${on}/players/ann`, { state: {} }],
    [`GET ${on}/events`, undefined],
    [`DELETE ${on}`, undefined],
  ] as const) {
    expect(outcome(await other.player('ann')(what, body)), what).toEqual([404, 'LOBBY_NOT_FOUND'])
  }
})

rule('C-1-24', async () => {
  await studio.queue()
  const lobby = await studio.inStatus('starting')
  const free = await world.studio('free')
  const bad = { raw: 'no json', headers: { 'content-type': 'text/plain' } }
  const settings = (id: string) => `PATCH /v1/lobbies/${id}/settings`
  const codes = []
  codes.push((await world.send('PATCH /v1/lobbys/x/settings', bad)).body.code)
  codes.push((await world.send('PUT /v1/lobbies/x/settings', bad)).body.code)
  codes.push((await world.send(settings('x'), bad)).body.code)
  const withKind = (headers: Record<string, string>) => ({ ...bad, headers: { ...bad.headers, ...headers } })
  codes.push((await world.send(settings('x'), withKind({ authorization: `Bearer ${studio.token}` }))).body.code)
  codes.push((await world.send(settings('x'), withKind({ 'api-key': studio.clientKey }))).body.code)
  const asEve = { 'api-key': studio.clientKey, 'x-player-id': 'eve' }
  codes.push((await world.send(settings('x'), withKind(asEve))).body.code)
  codes.push((await studio.player('eve')(settings('x'), { nmae: 1 })).body.code)
  codes.push((await studio.player('eve')(settings('x'), { queue_id: 'none' })).body.code)
  codes.push((await studio.player('eve')(settings(lobby.lobby_id), { queue_id: 'none' })).body.code)
  codes.push((await free.player('eve')('POST /v1/lobbies', { queue_id: 'none' })).body.code)
  codes.push((await studio.player('ann')(settings(lobby.lobby_id), { queue_id: 'none' })).body.code)
  codes.push((await studio.player('ann')(settings(lobby.lobby_id), { name: 'x' })).body.code)
  expect(codes).toEqual([
    'NOT_FOUND',
    'METHOD_NOT_ALLOWED',
    'MISSING_CREDENTIALS',
    'CREDENTIAL_NOT_ALLOWED',
    'PLAYER_ID_REQUIRED',
    'UNSUPPORTED_MEDIA_TYPE',
    'VALIDATION_FAILED',
    'LOBBY_NOT_FOUND',
    'NOT_HOST',
    'PLAN_LIMIT_EXCEEDED',
    'QUEUE_NOT_FOUND',
    'INVALID_LOBBY_STATE',
  ])
  expect(fault(await free.backend('POST /v1/queues', { queue_id: 'Bad', name: 'Q' }))).toBe('queue_id')
})

rule('C-1-25', async () => {
  await studio.queue()
  const lobby = await studio.lobby()
  for (const [method, rest] of [
    ['PATCH', '/settings'],
    ['POST', '/queue'],
    ['DELETE', '/queue'],
    ['POST', '/start'],
    ['DELETE', ''],
    ['DELETE', '/players/ann'],
  ] as const) {
    const answer = await studio.act('eve', lobby, method, rest, method === 'PATCH' ? { name: 'x' } : undefined)
    expect(outcome(answer), `${method} ${rest}`).toEqual([403, 'NOT_HOST'])
  }
  const state = await studio.act('eve', lobby, 'PATCH', '/players/ann', { state: {} })
  expect(outcome(state)).toEqual([403, 'PLAYER_NOT_IN_LOBBY'])
})
