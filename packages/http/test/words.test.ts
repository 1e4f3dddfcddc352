import { beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../src/index'
import { type Service, startService } from './harness/service'
import { makeBuild, makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio

beforeAll(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeQueue(service, studio)
})

const by = (player: string, body?: unknown) => ({
  key: studio.client,
  player,
  ...(body === undefined ? {} : { body }),
})

describe('the sentence of a refusal', () => {
  test('names the field as it is on the wire, also where a use case refuses it', async () => {
    const body = { queue_id: 'duel', max_players: 50 }
    const { body: problem } = await service.call('POST /v1/lobbies', by('ann', body))
    expect(problem.detail).toMatch(/^max_players: must be from 1 to /)
    expect(problem.details.issues[0].path).toBe('max_players')
  })

  test('names a nested field as it is on the wire, and counts the other issues', async () => {
    const server_settings = {
      network_ports: [
        { name: 'a b', internal_port: 1 },
        { name: 'a-b', internal_port: 2 },
      ],
      startup_args: '"open',
    }
    const body = { queue_id: 'bad', name: 'Bad', server_settings }
    const { body: problem } = await service.call('POST /v1/queues', { key: studio.server, body })
    expect(problem.details.issues).toHaveLength(2)
    expect(problem.detail).toMatch(/^server_settings\.network_ports\.1\.name: .* \(and 1 more\)$/)
  })

  test('says nothing of more where there is one', async () => {
    const { body } = await service.call('POST /v1/lobbies', by('ann', {}))
    expect(body.detail).toBe('queue_id: is required')
  })
})

describe('/metrics', () => {
  const metrics = { render: async () => 'figures 1', contentType: 'text/plain', token: 'a-long-token' }
  const ask = async (authorization?: string) => {
    const own = await startService({ app: { metrics } })
    const { status } = await own.call('GET /metrics', authorization === undefined ? {} : { headers: { authorization } })
    return status
  }

  test.each([
    ['nothing', undefined, 401],
    ['a wrong token', 'Bearer wrong', 401],
    ['no bearer token', 'Basic YTpi', 401],
    ['the token', 'Bearer a-long-token', 200],
    ['the token of a "bearer" in lower case', 'bearer a-long-token', 200],
    ['the token of a "BEARER" in upper case, and two spaces', 'BEARER  a-long-token', 200],
  ])('with %s', async (_, authorization, status) => {
    expect(await ask(authorization)).toBe(status)
  })
})

describe('an idempotency key', () => {
  test('is taken by a heartbeat as by every POST: another request under it is a mismatch', async () => {
    const one = (await makeLobby(service, studio)).lobby_id
    const other = (await makeLobby(service, studio)).lobby_id
    const headers = { 'idempotency-key': 'beat' }
    const beat = (id: string) => service.call(`POST /v1/lobbies/${id}/heartbeat`, { ...by('ann'), headers })
    expect([(await beat(one)).status, (await beat(one)).status]).toEqual([204, 204])
    expect((await beat(other)).body.code).toBe('IDEMPOTENCY_MISMATCH')
  })

  test("is taken by a game server's own heartbeat", async () => {
    await makeBuild(service, studio, 'arena')
    const made = await service.call('POST /v1/servers', { key: studio.server, body: { version_tag: 'arena' } })
    await service.settle()
    const launch = service.orchestrator.launches.find(({ instanceId }) => instanceId === made.body.instance_id)
    const token = String(launch?.config.token)
    const headers = { 'idempotency-key': 'beat' }
    const beat = (query = '') => service.call(`POST /v1/servers/self/heartbeat${query}`, { token, headers })
    expect([(await beat()).status, (await beat()).status]).toEqual([204, 204])
    expect((await beat('?another=request')).body.code).toBe('IDEMPOTENCY_MISMATCH')
  })
})

test('a resume after lobby_deleted with its own id is 204, so that clients stop', async () => {
  const { lobby_id: id, version } = await makeLobby(service, studio)
  await service.call(`DELETE /v1/lobbies/${id}`, by('ann'))
  const resume = (after: number, key: string) =>
    service.call(`GET /v1/lobbies/${id}/events`, { key, player: 'ann', headers: { 'last-event-id': String(after) } })
  for (const key of [studio.client, studio.server]) {
    const { status, text, headers } = await resume(version + 1, key)
    expect([status, text, headers.get('content-type')]).toEqual([204, '', null])
  }
  expect((await resume(version, studio.client)).text).toContain('event: lobby_deleted')
  expect(service.matchyard.openStreams()).toBe(0)
})

describe('an unknown field', () => {
  test.each([
    ['at the top', { maxplayers: 3 }, 'maxplayers: is not a known field; did you mean max_players?'],
    [
      'in an object',
      { server_settings: { versiontag: 'a' } },
      'server_settings.versiontag: is not a known field; did you mean version_tag?',
    ],
    [
      'in a list',
      { server_settings: { network_ports: [{ name: 'a', internal_port: 1, protocl: 'udp' }] } },
      'server_settings.network_ports.0.protocl: is not a known field; did you mean protocol?',
    ],
    [
      'in one of several shapes',
      { matchmaking: { rules: [{ type: 'difference', field: 'mmr', max_diference: 1, max_difference: 1 }] } },
      'matchmaking.rules.0.max_diference: is not a known field; did you mean max_difference?',
    ],
    ['that is near nothing', { whatsoever_else: 1 }, 'whatsoever_else: is not a known field'],
    [
      'in a part of the body to which it does not belong',
      { matchmaking: { teams: 2, players_per_team: 1, rating: 'ranked' } },
      'matchmaking.rating: is a field of the body itself, not of matchmaking',
    ],
  ])('%s is refused with the nearest name', async (_, fields, detail) => {
    const body = { queue_id: 'near', name: 'Near', ...fields }
    expect((await service.call('POST /v1/queues', { key: studio.server, body })).body.detail).toBe(detail)
  })
})

test.each([
  [{ registration: 'close' }, 'createApp: registration is open or closed, not "close"'],
  [{ registration: false }, 'createApp: registration is open or closed, not false'],
  [{ brakes: { creation: 3 } }, 'createApp, brakes: there is no option "creation"; did you mean creations?'],
  [{ brakes: { creations: '3' } }, 'createApp, brakes: creations must be a whole number of at least 0, not "3"'],
  [{ brakes: { writes: Number.NaN } }, 'createApp, brakes: writes must be a whole number of at least 0'],
  [{ trustProxy: 'yes' }, 'createApp: trustProxy must be a whole number of at least 0, not "yes"'],
  [{ controlPlaneOrigins: 'https://dash.example' }, 'createApp: controlPlaneOrigins is an array of origins'],
])('createApp refuses an option that would open access: %j', (options: object, message) => {
  expect(() => createApp(service.matchyard, options)).toThrow(message)
})

test('createApp refuses an unknown option with the nearest name', () => {
  const options: object = { trustProxies: 1 }
  expect(() => createApp(service.matchyard, options)).toThrow(
    'createApp: there is no option "trustProxies"; did you mean trustProxy?',
  )
})
