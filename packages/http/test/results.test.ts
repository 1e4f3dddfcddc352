import { beforeEach, describe, expect, test } from 'vitest'
import type { Body } from './harness/client'
import { lobbyCalls, withServer } from './harness/lobby-calls'
import { provingService, signedStudio, tokenOf } from './harness/player-auth'
import { type Service, startService } from './harness/service'
import { makeBuild, makeMatch, makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio
let match: string
let server: { token: string }

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeBuild(service, studio)
  await makeQueue(service, studio, { ...withServer, matchmaking: { teams: 2, players_per_team: 1 } })
  const [{ match_id: id }] = await makeMatch(service, studio)
  match = `/v1/matches/${id}`
  server = { token: String(service.orchestrator.launches[0]?.config.token) }
})

const { as } = lobbyCalls(() => ({ service, studio }))
const backend = (body?: unknown) => ({ key: studio.server, ...(body === undefined ? {} : { body }) })
const teams = (first: 'team_1' | 'team_2') =>
  ['team_1', 'team_2'].map((name) => ({ name, rank: name === first ? 1 : 2 }))
const players = [{ player_id: 'ann', score: 3, stats: { kills: 3 } }]
const report = (body: unknown) => service.call(`POST ${match}/result`, backend(body))
const SELF = '/v1/servers/self/result'
const codeOf = ({ status, body }: { status: number; body: Body }) => [status, body?.code]

describe('the result of a match over HTTP', () => {
  test('is recorded by a server key and shown in the match; only server keys see the figures', async () => {
    expect((await service.call(`GET ${match}`, backend())).body.result).toBeNull()
    const { status, body } = await report({ teams: teams('team_1'), players })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'running', end_reason: null, started_at: expect.stringMatching(/Z$/) })
    expect(body.result).toEqual({
      teams: teams('team_1').map((team) => ({ ...team, score: null })),
      players: [{ player_id: 'ann', score: 3, stats: { kills: 3 }, left: false }],
      completed: true,
      recorded_by: 'backend',
      recorded_at: expect.stringMatching(/Z$/),
      amended_at: null,
    })
    expect((await service.call(`GET ${match}`, backend())).body).toEqual(body)
    const seen = [{ player_id: 'ann', score: 3, left: false }]
    expect((await service.call(`GET ${match}`, as('ann'))).body.result.players).toEqual(seen)
    for (const by of [as('ann'), { ...backend(), player: 'ann' }]) {
      expect((await service.call('GET /v1/players/me', by)).body.matches[0].result.players).toEqual(seen)
    }
    expect((await service.call('GET /v1/players/ann', backend())).body.matches[0].result).toEqual(body.result)
    expect(codeOf(await report({ teams: teams('team_2') }))).toEqual([409, 'RESULT_EXISTS'])
    expect((await report({ teams: teams('team_2'), amend: true })).body.result.amended_at).toMatch(/Z$/)
  })

  test('is recorded by the game server, which ends its match with it and cannot amend it', async () => {
    const by = (body: unknown) => service.call(`POST ${SELF}`, { ...server, body })
    expect((await by({ teams: teams('team_1'), amend: true })).body.result.recorded_by).toBe('server')
    expect(codeOf(await by({ teams: teams('team_2'), amend: true }))).toEqual([409, 'RESULT_EXISTS'])
    const { status, body } = await by({ teams: teams('team_1'), end: true })
    expect([status, body.status, body.end_reason, body.server.status]).toEqual([
      200,
      'ended',
      'match_ended',
      'stopping',
    ])
    expect((await by({ teams: teams('team_1'), end: true })).body).toEqual(body)
  })

  test('is one result for one idempotency key, also after it was amended', async () => {
    const once = { ...backend({ teams: teams('team_1') }), headers: { 'idempotency-key': 'k' } }
    const first = await service.call(`POST ${match}/result`, once)
    await report({ teams: teams('team_2'), amend: true })
    expect(await service.call(`POST ${match}/result`, once)).toMatchObject({ status: 200, body: first.body })
  })

  test('is refused in the order and in the words of the wire', async () => {
    for (const [by, code] of [
      [as('ann', { teams: [] }), [403, 'CREDENTIAL_NOT_ALLOWED']],
      [{ ...server, body: {} }, [403, 'CREDENTIAL_NOT_ALLOWED']],
      [backend({ teams: 'all' }), [400, 'VALIDATION_FAILED']],
      [backend({ teams: [{ name: 'team_1', rank: 1 }], wins: 1 }), [400, 'VALIDATION_FAILED']],
    ] as const) {
      expect(codeOf(await service.call('POST /v1/matches/mat_none/result', by))).toEqual(code)
    }
    const fine = backend({ teams: teams('team_1') })
    expect(codeOf(await service.call('POST /v1/matches/mat_none/result', fine))).toEqual([404, 'MATCH_NOT_FOUND'])
    for (const [body, path] of [
      [{ teams: [{ name: 'team_1', rank: 1 }, { name: 'team_2' }] }, 'teams.1.rank'],
      [{ teams: [...teams('team_1'), { name: 'team_3', rank: 3 }] }, 'teams.2.name'],
      [{ teams: teams('team_1'), players: [{ player_id: 'eve' }] }, 'players.0.player_id'],
      [{ teams: teams('team_1'), players: [{ player_id: 'ann', stats: { a: 'x'.repeat(2_048) } }] }, 'players.0.stats'],
    ] as const) {
      const refused = await report(body)
      expect([refused.status, refused.body.details.issues[0].path]).toEqual([400, path])
    }
    expect((await service.call(`GET ${match}`, backend())).body.result).toBeNull()
  })
})

describe('the matches of a player', () => {
  const of = (player: string, by: object = backend()) => service.call(`GET /v1/matches?player_id=${player}`, by)

  test('are paged for a server key', async () => {
    const { body } = await of('ann')
    expect(body.data.map(({ match_id: id }: Body) => `/v1/matches/${id}`)).toEqual([match])
    expect((await of('eve')).body.data).toEqual([])
    await report({ teams: teams('team_1'), end: true })
    await makeMatch(service, studio)
    const page = await service.call('GET /v1/matches?player_id=bob&limit=1', backend())
    const next = `GET /v1/matches?player_id=bob&limit=1&cursor=${page.body.next_cursor}`
    const rest = await service.call(next, backend())
    expect([...page.body.data, ...rest.body.data]).toHaveLength(2)
  })

  test('are for server keys in a project that trusts its clients', async () => {
    for (const path of ['/v1/matches?player_id=ann', '/v1/matches']) {
      expect(codeOf(await service.call(`GET ${path}`, as('ann')))).toEqual([403, 'CREDENTIAL_NOT_ALLOWED'])
    }
  })

  test('are listed for a client whose token proves that the player asks, and for nobody else', async () => {
    const own = await provingService()
    const signed = await signedStudio(own)
    await makeQueue(own, signed)
    const { id } = await matchOf(own, signed)
    const call = async (path: string, options: object) => own.call(`GET ${path}`, { key: signed.client, ...options })
    const ann = { headers: { authorization: `Bearer ${tokenOf(own, signed, 'ann')}` } }
    const { status, body } = await call('/v1/matches?player_id=ann', ann)
    expect([status, body.data.map(({ match_id }: Body) => match_id)]).toEqual([200, [id]])
    expect(body.data[0].result.players).toEqual([{ player_id: 'ann', score: null, left: false }])
    for (const [path, options] of [
      ['/v1/matches?player_id=bob', ann],
      ['/v1/matches', ann],
      ['/v1/matches?player_id=ann', {}],
    ] as const) {
      expect(codeOf(await call(path, options))).toEqual([403, 'CREDENTIAL_NOT_ALLOWED'])
    }
  })
})

/** Makes a match of ann and bob, with a result that has figures about ann. */
async function matchOf(own: Service, { server: key, projectId }: Studio): Promise<{ id: string }> {
  for (const player of ['ann', 'bob']) {
    const { body: lobby } = await own.call('POST /v1/lobbies', { key, player, body: { queue_id: 'duel' } })
    await own.call(`POST /v1/lobbies/${lobby.lobby_id}/queue`, { key, player })
  }
  await own.matchyard.matchmaking.runQueue(`${projectId}/duel`)
  await own.settle()
  const { body } = await own.call('GET /v1/matches', { key })
  const id: string = body.data[0].match_id
  const result = { teams: teams('team_1'), players: [{ player_id: 'ann', stats: { kills: 3 } }] }
  await own.call(`POST /v1/matches/${id}/result`, { key, body: result })
  return { id }
}
