import { beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from './harness/service'
import { makeBuild, makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

// Each call has everything wrong from its step on: the step before decides (docs/http-api.md §1).
let service: Service
let studio: Studio
let free: Studio
let lobbyId: string

beforeAll(async () => {
  service = await startService()
  studio = await openStudio(service)
  free = await openStudio(service, 'free')
  await makeQueue(service, studio)
  await makeQueue(service, studio, { queue_id: 'off', enabled: false })
  lobbyId = (await makeLobby(service, studio, 'ann')).lobby_id
  await service.call(`POST /v1/lobbies/${lobbyId}/join`, { key: studio.client, player: 'bob' })
  await service.call(`POST /v1/lobbies/${lobbyId}/start`, { key: studio.client, player: 'ann' })
  await service.settle()
})

const codeOf = async (...call: Parameters<Service['call']>) => (await service.call(...call)).body?.code

describe('refusals of one call come in the order of docs/http-api.md §1', () => {
  const bad = { raw: 'not json', headers: { 'content-type': 'text/plain' } }
  const settings = (id: string) => `PATCH /v1/lobbies/${id}/settings`

  test('route before everything', async () =>
    expect(await codeOf('PATCH /v1/lobbys/x/settings', bad)).toBe('NOT_FOUND'))
  test('method before the credential', async () =>
    expect(await codeOf('PUT /v1/lobbies/x/settings', bad)).toBe('METHOD_NOT_ALLOWED'))
  test('a missing credential before the player', async () =>
    expect(await codeOf(settings('x'), bad)).toBe('MISSING_CREDENTIALS'))
  test('whether the credential is real before its kind', async () =>
    expect(await codeOf('GET /v1/account', { key: 'ck_live_x' })).toBe('INVALID_API_KEY'))
  test('its kind before the player id', async () =>
    expect(await codeOf(settings('x'), { ...bad, token: studio.token })).toBe('CREDENTIAL_NOT_ALLOWED'))
  test('the player id before the body', async () =>
    expect(await codeOf(settings('x'), { ...bad, key: studio.client })).toBe('PLAYER_ID_REQUIRED'))
  test('the body before the addressed object', async () => {
    expect(await codeOf(settings('x'), { ...bad, key: studio.client, player: 'eve' })).toBe('UNSUPPORTED_MEDIA_TYPE')
    expect(await codeOf(settings('x'), { key: studio.client, player: 'eve', body: { nmae: 1 } })).toBe(
      'VALIDATION_FAILED',
    )
  })
  test('the addressed object before the right to it', async () =>
    expect(await codeOf(settings('x'), { key: studio.client, player: 'eve', body: { queue_id: 'nope' } })).toBe(
      'LOBBY_NOT_FOUND',
    ))
  test('the right before what the body names', async () =>
    expect(await codeOf(settings(lobbyId), { key: studio.client, player: 'eve', body: { queue_id: 'nope' } })).toBe(
      'NOT_HOST',
    ))
  test('what the body names before the state', async () =>
    expect(await codeOf(settings(lobbyId), { key: studio.client, player: 'ann', body: { queue_id: 'nope' } })).toBe(
      'QUEUE_NOT_FOUND',
    ))
  test('the plan before a queue that there is not, where a lobby is to be made', async () => {
    const quick = (body: object, key = free.client) =>
      codeOf('POST /v1/lobbies/quick-join', { key, player: 'ann', body: { queue_id: 'nope', ...body } })
    expect(await quick({})).toBe('PLAN_LIMIT_EXCEEDED')
    expect(await quick({ create: false })).toBe('QUEUE_NOT_FOUND')
    expect(await quick({}, studio.client)).toBe('QUEUE_NOT_FOUND')
  })
  test('one server too many before the state and the version', async () => {
    const own = await startService({ core: { operatorLimits: { maxConcurrentServers: 1 } } })
    const { accountId, client, server } = await openStudio(own)
    await own.matchyard.billing.setPlan({ accountId, plan: 'self_hosted' })
    const theirs = { ...studio, accountId, client, server }
    await makeBuild(own, theirs)
    await makeQueue(own, theirs, {
      server_settings: { version_tag: 'arena' },
      matchmaking: { teams: 2, players_per_team: 1, use_version_from_state: true, allowed_versions: ['2'] },
    })
    const starter = async (player: string, state: object) => {
      const { lobby_id: id } = await makeLobby(own, theirs, player, { state })
      return async () => (await own.call(`POST /v1/lobbies/${id}/start`, { key: client, player })).body
    }
    const [ann, bob] = [await starter('ann', {}), await starter('bob', { game_version: '1' })]
    expect((await bob()).code).toBe('PARTY_CANNOT_MATCH')
    expect((await ann()).status).toBe('starting')
    expect((await bob()).code).toBe('PLAN_LIMIT_EXCEEDED')
    expect((await ann()).code).toBe('PLAN_LIMIT_EXCEEDED')
  })
  test('whether there is registration before the body', async () => {
    const shut = await startService({ app: { registration: 'closed' } })
    expect((await shut.call('POST /v1/auth/register', { body: {} })).body.code).toBe('REGISTRATION_CLOSED')
  })
  test('the state last', async () =>
    expect(await codeOf(settings(lobbyId), { key: studio.client, player: 'ann', body: { name: 'x' } })).toBe(
      'INVALID_LOBBY_STATE',
    ))
  test('the plan before what the body names', async () =>
    expect(await codeOf('POST /v1/lobbies', { key: free.client, player: 'ann', body: { queue_id: 'nope' } })).toBe(
      'PLAN_LIMIT_EXCEEDED',
    ))
  test('the body before the plan', async () => {
    expect(await codeOf('POST /v1/queues', { key: free.server, body: { queue_id: 'Bad Id', name: 'x' } })).toBe(
      'VALIDATION_FAILED',
    )
    expect(await codeOf('POST /v1/queues', { key: free.server, body: { queue_id: 'ok', name: 'x' } })).toBe(
      'PLAN_LIMIT_EXCEEDED',
    )
  })
  test('existence before a queue’s state', async () => {
    const create = (queueId: string) =>
      codeOf('POST /v1/lobbies', { key: studio.client, player: 'ann', body: { queue_id: queueId } })
    expect(await create('nope')).toBe('QUEUE_NOT_FOUND')
    expect(await create('off')).toBe('QUEUE_DISABLED')
  })
  test('a stranger on a host-only call gets NOT_HOST, on a player’s state PLAYER_NOT_IN_LOBBY', async () => {
    for (const what of [
      `POST /v1/lobbies/${lobbyId}/queue`,
      `DELETE /v1/lobbies/${lobbyId}/queue`,
      `DELETE /v1/lobbies/${lobbyId}`,
    ]) {
      expect(await codeOf(what, { key: studio.client, player: 'eve' }), what).toBe('NOT_HOST')
    }
    const state = { key: studio.client, player: 'eve', body: { state: { a: 1 } } }
    const answer = await service.call(`PATCH /v1/lobbies/${lobbyId}/players/ann`, state)
    expect([answer.status, answer.body.code]).toEqual([403, 'PLAYER_NOT_IN_LOBBY'])
    const addressed = await service.call(`PATCH /v1/lobbies/${lobbyId}/players/eve`, { ...state, player: 'ann' })
    expect([addressed.status, addressed.body.code]).toEqual([404, 'PLAYER_NOT_IN_LOBBY'])
  })
  test('another project’s things are not there', async () => {
    const other = await openStudio(service)
    expect(await codeOf(`GET /v1/lobbies/${lobbyId}`, { key: other.server })).toBe('LOBBY_NOT_FOUND')
    expect(await codeOf(`DELETE /v1/lobbies/${lobbyId}`, { key: other.server })).toBe('LOBBY_NOT_FOUND')
    expect(await codeOf(`GET /v1/projects/${studio.projectId}`, { token: other.token })).toBe('PROJECT_NOT_FOUND')
    expect(await codeOf(`GET /v1/builds?project_id=${studio.projectId}`, { token: other.token })).toBe(
      'PROJECT_NOT_FOUND',
    )
    expect(await codeOf(`GET /v1/servers?project_id=${studio.projectId}`, { token: other.token })).toBe(
      'PROJECT_NOT_FOUND',
    )
    expect(await codeOf(`GET /v1/projects/${studio.projectId}/keys`, { token: other.token })).toBe('PROJECT_NOT_FOUND')
  })
  test('a session names its project on lists and creates, after the body', async () => {
    for (const what of ['GET /v1/builds', 'GET /v1/servers']) {
      const { status, body } = await service.call(what, { token: studio.token })
      expect([status, body.details?.issues?.[0]?.path], what).toEqual([400, 'project_id'])
    }
    const create = await service.call('POST /v1/servers', { token: studio.token, body: { version_tag: 'x' } })
    expect([create.status, create.body.details.issues[0].path]).toEqual([400, 'project_id'])
    expect(await codeOf('POST /v1/servers', { token: studio.token, body: {} })).toBe('VALIDATION_FAILED')
    expect(await codeOf('GET /v1/builds?project_id=prj_nope', { token: studio.token })).toBe('PROJECT_NOT_FOUND')
    expect((await service.call('GET /v1/builds?project_id=prj_nope', { key: studio.server })).status).toBe(200)
  })
})
