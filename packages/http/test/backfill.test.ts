import { beforeEach, describe, expect, test } from 'vitest'
import type { Body } from './harness/client'
import { lobbyCalls, on, withServer } from './harness/lobby-calls'
import { type Service, startService } from './harness/service'
import { makeBuild, makeLobby, makeMatch, makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio
let lobbies: readonly [Body, Body]
let match: string
let gameServer: { token: string }

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeBuild(service, studio)
  await makeQueue(service, studio, withServer)
  lobbies = await makeMatch(service, studio)
  match = `/v1/matches/${lobbies[0].match_id}`
  gameServer = { token: String(service.orchestrator.launches[0]?.config.token) }
})

const { as, read } = lobbyCalls(() => ({ service, studio }))
const backend = (body?: unknown) => ({ key: studio.server, ...(body === undefined ? {} : { body }) })
const call = (what: string, options: Parameters<Service['call']>[1]) => service.call(what, options)
const bobLeaves = () => call(`POST ${on(lobbies[1], '/leave')}`, as('bob'))
const queue = async (player: string) => {
  const lobby = await makeLobby(service, studio, player)
  await call(`POST ${on(lobby, '/queue')}`, as(player))
  return lobby
}
const tick = () => service.matchyard.matchmaking.runQueue(`${studio.projectId}/duel`)

describe('backfill over HTTP', () => {
  test('a backend asks, reads what it asked for, and is answered that nobody is asked for once the seat is taken', async () => {
    await bobLeaves()
    const { status, body } = await call(`POST ${match}/backfill`, backend())
    expect(status).toBe(201)
    expect(body).toEqual({
      match_id: lobbies[0].match_id,
      status: 'searching',
      teams: [{ name: 'team_2', open: 1 }],
      expires_at: expect.stringMatching(/Z$/),
      created_at: expect.stringMatching(/Z$/),
    })
    expect((await call(`GET ${match}/backfill`, backend())).body).toEqual(body)
    // The match shows the request too, but only to backends.
    const asked = { teams: body.teams, expires_at: body.expires_at }
    expect((await call(`GET ${match}`, backend())).body.backfill).toEqual(asked)
    expect((await call(`GET ${match}`, as('ann'))).body).not.toHaveProperty('backfill')
    const cat = await queue('cat')
    await tick()
    expect(await read(cat)).toMatchObject({ status: 'matched', match_id: body.match_id, server: { status: 'running' } })
    await service.settle()
    expect(await read(cat)).toMatchObject({ status: 'in_game', server: { status: 'running' } })
    const { status: gone, body: problem } = await call(`GET ${match}/backfill`, backend())
    expect([gone, problem.code]).toEqual([404, 'BACKFILL_NOT_FOUND'])
    const { teams } = (await call(`GET ${match}`, as('ann'))).body
    expect(teams[1].players).toMatchObject([{ player_id: 'bob', left_at: expect.any(String) }, { player_id: 'cat' }])
  })

  test('a second request replaces the first and keeps its age; a cancelled one is gone', async () => {
    await bobLeaves()
    const { body: first } = await call(`POST ${match}/backfill`, backend({ timeout: 5 }))
    service.clock.advance(2_000)
    const wish = {
      teams: [{ name: 'team_2', open: 1 }],
      players: [{ player_id: 'ann', state: { mmr: 7 } }],
      timeout: 60,
    }
    const { body: second } = await call(`POST ${match}/backfill`, backend(wish))
    expect(second.created_at).toBe(first.created_at)
    expect(Date.parse(second.expires_at) - Date.parse(first.created_at)).toBe(62_000)
    expect((await call(`DELETE ${match}/backfill`, backend())).status).toBe(204)
    expect((await call(`DELETE ${match}/backfill`, backend())).body.code).toBe('BACKFILL_NOT_FOUND')
  })

  test('refuses what cannot be, in the words of the wire', async () => {
    const code = async (body?: unknown, path = match) => (await call(`POST ${path}/backfill`, backend(body))).body
    expect((await code()).code).toBe('INVALID_MATCH_STATE')
    expect((await code({}, '/v1/matches/mat_none')).code).toBe('MATCH_NOT_FOUND')
    await bobLeaves()
    const issue = async (body: unknown) => {
      const { code: refused, details } = await code(body)
      return [refused, details?.issues?.[0]?.path]
    }
    expect(await issue({ timeout: 4 })).toEqual(['VALIDATION_FAILED', 'timeout'])
    expect(await issue({ timeout: 3_601 })).toEqual(['VALIDATION_FAILED', 'timeout'])
    expect(await issue({ teams: [{ name: 'team_2', open: 2 }] })).toEqual(['VALIDATION_FAILED', 'teams.0.open'])
    expect(await issue({ teams: [{ name: 'team_9', open: 1 }] })).toEqual(['VALIDATION_FAILED', 'teams.0.name'])
    expect(await issue({ players: [{ player_id: 'bob', state: {} }] })).toEqual([
      ...['VALIDATION_FAILED', 'players.0.player_id'],
    ])
    expect(await issue({ players: [{ player_id: 'ann', state: [] }] })).toEqual([
      'VALIDATION_FAILED',
      'players.0.state',
    ])
    expect(await issue({ seats: 1 })).toEqual(['VALIDATION_FAILED', 'seats'])
    expect((await call(`POST ${match}/backfill`, { key: studio.client })).body.code).toBe('CREDENTIAL_NOT_ALLOWED')
    await call(`POST ${on(lobbies[0], '/end')}`, backend())
    expect((await code()).code).toBe('INVALID_MATCH_STATE')
  })
})

describe('a game server over HTTP', () => {
  test('reports who left, asks, and closes', async () => {
    const say = (what: string, body?: unknown) =>
      call(what.replace(' ', ' /v1/servers/self'), { ...gameServer, ...(body === undefined ? {} : { body }) })
    expect((await say('DELETE /players/bob')).status).toBe(204)
    expect((await say('DELETE /players/bob')).status).toBe(204)
    expect((await call(`GET ${on(lobbies[1])}`, backend())).body.code).toBe('LOBBY_NOT_FOUND')
    const { status, body } = await say('DELETE /players/nobody')
    expect([status, body.code]).toEqual([404, 'PLAYER_NOT_IN_LOBBY'])
    expect((await say('POST /backfill', {})).status).toBe(201)
    expect((await say('GET /backfill')).body).toMatchObject({ teams: [{ name: 'team_2', open: 1 }] })
    expect((await say('DELETE /backfill')).status).toBe(204)
    expect((await say('POST /close')).status).toBe(204)
    expect((await say('POST /backfill')).body.code).toBe('INVALID_MATCH_STATE')
  })

  test('is told of its roster and of its stop as events', async () => {
    const abort = new AbortController()
    const headers = { authorization: `Bearer ${gameServer.token}` }
    const response = await service.app.request('/v1/servers/self/events', { headers, signal: abort.signal })
    const { status, headers: told } = response
    expect([status, told.get('content-type'), told.get('x-accel-buffering')]).toEqual([200, 'text/event-stream', 'no'])
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const until = async (part: string) => {
      while (!text.includes(part)) text += (await reader?.read())?.value ?? ''
    }
    await until('"bob"')
    expect(text).toMatch(/event: match_updated\nid: \d+\ndata: \{"match_version":\d+,"teams":\[/)
    text = ''
    await bobLeaves()
    await until('\n\n')
    expect(text).not.toContain('bob')
    await call(`DELETE /v1/servers/${lobbies[0].server.instance_id}`, backend())
    await until('event: stopping')
    await until('deadline')
    expect(text).toMatch(/event: stopping\ndata: \{"deadline":"[^"]+Z"\}/)
    abort.abort()
    await reader?.cancel()
  })

  test('that was launched by itself has no match', async () => {
    await call('POST /v1/servers', backend({ version_tag: 'arena' }))
    await service.settle()
    const { config } = service.orchestrator.launches[1] ?? {}
    const alone = { token: String(config?.token) }
    expect((await call('GET /v1/servers/self', alone)).body).toEqual(config)
    expect(config).toMatchObject({ match_id: null, match_version: null, teams: [] })
    expect((await call('POST /v1/servers/self/backfill', alone)).body.code).toBe('MATCH_NOT_FOUND')
    expect((await call('POST /v1/servers/self/close', alone)).body.code).toBe('MATCH_NOT_FOUND')
  })
})
