import { ERROR_CATALOGUE, type ErrorCode } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { beforeAll, describe, expect, test } from 'vitest'
import { HTTP_ERRORS } from '../src/index'
import type { Answer } from './harness/client'
import { signedStudio } from './harness/player-auth'
import { type Service, startService } from './harness/service'
import { makeBuild, makeLobby, makeMatch, makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio

beforeAll(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeQueue(service, studio)
})

const DAY = 86_400_000
const player = (name: string, body?: unknown) => ({
  key: studio.client,
  player: name,
  ...(body === undefined ? {} : { body }),
})
const lobby = async (name = 'ann', fields = {}) =>
  `/v1/lobbies/${(await makeLobby(service, studio, name, fields)).lobby_id}`
const rule = (fields: Record<string, unknown>) => ({ teams: 2, players_per_team: 1, rules: [fields] })
const server = async (of: Studio = studio) => {
  await makeBuild(service, of, 'arena')
  return (await service.call('POST /v1/servers', { key: of.server, body: { version_tag: 'arena' } })).body
}

/** Of ann, who is proposed a match with bob in a queue of its own. */
const proposed = async (queue: string, check: object = {}) => {
  const matchmaking = { teams: 2, players_per_team: 1, ready_check: { timeout: 15, ...check } }
  await makeQueue(service, studio, { queue_id: queue, matchmaking })
  const [{ lobby_id: id }] = await makeMatch(service, studio, queue)
  return `/v1/lobbies/${id}`
}

/** Only a reason in events and logs (docs/http-api.md §1); the lobby goes back to waiting instead. */
type Answered = Exclude<ErrorCode, 'SERVER_LAUNCH_FAILED'>

/** How each code is met over HTTP. */
const PROVOKED: Record<Answered, () => Promise<Answer>> = {
  INVALID_API_KEY: () => service.call('GET /v1/queues', { key: 'sk_live_x' }),
  MISSING_CREDENTIALS: () => service.call('GET /v1/queues'),
  INVALID_SESSION_TOKEN: async () => {
    const { token } = await openStudio(service, 'free')
    await service.call('POST /v1/auth/logout', { token })
    return service.call('GET /v1/account', { token })
  },
  SESSION_EXPIRED: async () => {
    const own = await startService()
    const { token } = await openStudio(own, 'free')
    own.clock.advance(7 * DAY)
    return own.call('GET /v1/account', { token })
  },
  CREDENTIAL_NOT_ALLOWED: () => service.call('GET /v1/queues', { key: studio.client }),
  PLAYER_ID_REQUIRED: () => service.call('POST /v1/lobbies', { key: studio.client, body: { queue_id: 'duel' } }),
  INVALID_PLAYER_ID: () => service.call('POST /v1/lobbies', player('x'.repeat(129), { queue_id: 'duel' })),
  INVALID_LOGIN: () => service.call('POST /v1/auth/login', { body: { email: 'no@example.com', password: 'wrong' } }),
  EMAIL_TAKEN: async () => {
    const register = (email: string) =>
      service.call('POST /v1/auth/register', { body: { email, password: 'long enough', name: 'A' } })
    await register('taken@example.com')
    return register('TAKEN@example.com')
  },
  PLAYER_TOKEN_REQUIRED: async () => {
    const own = await signedStudio(service)
    return service.call('POST /v1/lobbies', { key: own.client, player: 'ann', body: { queue_id: 'duel' } })
  },
  INVALID_PLAYER_TOKEN: async () => {
    const own = await signedStudio(service)
    return service.call('POST /v1/lobbies', { key: own.client, token: 'x', body: { queue_id: 'duel' } })
  },
  REGISTRATION_CLOSED: async () => {
    const own = await startService({ app: { registration: 'closed' } })
    return own.call('POST /v1/auth/register', { body: { email: 'a@b.example', password: 'long enough', name: 'A' } })
  },
  SERVER_NOT_FOUND: () => service.call('GET /v1/servers/srv_none', { key: studio.server }),
  INVALID_SERVER_STATE: async () => {
    const { instance_id: id } = await server()
    return service.call(`POST /v1/servers/${id}/restart`, { key: studio.server })
  },
  BUILD_NOT_FOUND: () => service.call('GET /v1/builds/bld_none', { key: studio.server }),
  BUILD_NOT_READY: () => service.call('POST /v1/servers', { key: studio.server, body: { version_tag: 'nope' } }),
  BUILD_IN_USE: async () => {
    const { instance_id: id } = await server()
    await service.settle()
    const { body } = await service.call(`GET /v1/servers/${id}`, { key: studio.server })
    return service.call(`DELETE /v1/builds/${body.build_id}`, { key: studio.server })
  },
  UPLOAD_REJECTED: () => service.call('PUT /v1/uploads/bld_none?expires=1&signature=x', { raw: 'PK' }),
  LOBBY_NOT_FOUND: () => service.call('GET /v1/lobbies/lob_none', { key: studio.client }),
  LOBBY_FULL: async () => service.call(`POST ${await lobby('ann', { max_players: 1 })}/join`, player('bob')),
  PLAYER_NOT_IN_LOBBY: async () => service.call(`POST ${await lobby()}/leave`, player('eve')),
  NOT_HOST: async () => service.call(`POST ${await lobby()}/start`, player('eve')),
  INVALID_INVITE_CODE: () => service.call('POST /v1/lobbies/join', player('bob', { invite_code: 'NOPE' })),
  PLAYER_STATE_FORBIDDEN: async () => {
    const path = await lobby()
    await service.call(`POST ${path}/join`, player('bob'))
    return service.call(`PATCH ${path}/players/ann`, player('bob', { state: { a: 1 } }))
  },
  INVALID_LOBBY_STATE: async () => service.call(`DELETE ${await lobby('zoe')}/queue`, player('zoe')),
  LOBBY_NOT_ACCEPTING: async () => service.call(`POST ${await lobby('ann', { is_private: true })}/join`, player('bob')),
  INVITE_CODES_EXHAUSTED: async () => {
    const stuck = await startService({ core: { random: { int: () => 0 } } })
    const own = await openStudio(stuck)
    await makeQueue(stuck, own)
    await makeLobby(stuck, own)
    return stuck.call('POST /v1/lobbies', { key: own.client, player: 'bob', body: { queue_id: 'duel' } })
  },
  QUEUE_NOT_FOUND: () => service.call('POST /v1/lobbies', player('ann', { queue_id: 'nope' })),
  QUEUE_DISABLED: async () => {
    await makeQueue(service, studio, { queue_id: 'off', enabled: false })
    return service.call('POST /v1/lobbies', player('ann', { queue_id: 'off' }))
  },
  QUEUE_EXISTS: () =>
    service.call('POST /v1/queues', { key: studio.server, body: { queue_id: 'duel', name: 'Again' } }),
  QUEUE_IN_USE: async () => {
    await lobby()
    return service.call('DELETE /v1/queues/duel', { key: studio.server })
  },
  QUEUE_VERSION_NOT_FOUND: () =>
    service.call('POST /v1/queues/duel/restore', { key: studio.server, body: { version: 99 } }),
  MATCHMAKING_NOT_CONFIGURED: async () => {
    await makeQueue(service, studio, { queue_id: 'plain', matchmaking: undefined })
    return service.call(`POST ${await lobby('ann', { queue_id: 'plain' })}/queue`, player('ann'))
  },
  PARTY_TOO_LARGE: async () => {
    const path = await lobby()
    await service.call(`POST ${path}/join`, player('bob'))
    return service.call(`POST ${path}/queue`, player('ann'))
  },
  PARTY_CANNOT_MATCH: async () => {
    const matchmaking = rule({ type: 'equals', field: 'mode', required: true })
    await makeQueue(service, studio, { queue_id: 'strict', matchmaking })
    return service.call(`POST ${await lobby('ann', { queue_id: 'strict' })}/queue`, player('ann'))
  },
  INVALID_MATCH_STATE: async () => {
    const path = await lobby()
    const { match_id } = (await service.call(`POST ${path}/start`, player('ann'))).body
    return service.call(`POST /v1/matches/${match_id}/server`, { key: studio.server, body: { host: 'x', ports: [] } })
  },
  BACKFILL_NOT_FOUND: async () => {
    const { match_id } = (await service.call(`POST ${await lobby()}/start`, player('ann'))).body
    return service.call(`GET /v1/matches/${match_id}/backfill`, { key: studio.server })
  },
  MATCH_NOT_FOUND: () => service.call('GET /v1/matches/mat_none', { key: studio.client }),
  NO_PROPOSAL: async () => service.call(`POST ${await lobby()}/proposal/accept`, player('ann')),
  PROPOSAL_CHANGED: async () => {
    const path = await proposed('changed')
    return service.call(`POST ${path}/proposal/accept`, player('ann', { match_id: 'mat_before' }))
  },
  PLAYER_COOLING_DOWN: async () => {
    const path = await proposed('cooling', { penalty: 60 })
    await service.call(`POST ${path}/proposal/decline`, player('ann'))
    return service.call(`POST ${path}/queue`, player('ann'))
  },
  PLAN_LIMIT_EXCEEDED: async () => {
    const { server: key } = await openStudio(service, 'free')
    return service.call('POST /v1/queues', { key, body: { queue_id: 'duel', name: 'Duel' } })
  },
  PAYMENT_METHOD_REQUIRED: async () => {
    const { token } = await openStudio(service, 'free')
    return service.call('POST /v1/billing/upgrade', { token, body: { plan: 'pro' } })
  },
  INVALID_PLAN_CHANGE: () => service.call('POST /v1/billing/upgrade', { token: studio.token, body: { plan: 'pro' } }),
  PROJECT_NOT_FOUND: () => service.call('GET /v1/projects/prj_none', { token: studio.token }),
  PROJECT_HAS_RUNNING_SERVERS: async () => {
    const own = await openStudio(service)
    await server(own)
    return service.call(`DELETE /v1/projects/${own.projectId}`, { token: own.token })
  },
  VALIDATION_FAILED: () => service.call('POST /v1/lobbies', player('ann', {})),
  NOT_FOUND: () => service.call('GET /nothing'),
  METHOD_NOT_ALLOWED: () => service.call('PUT /v1/lobbies'),
  RATE_LIMITED: async () => {
    for (let n = 0; n < 5; n++) await service.call('DELETE /v1/lobbies/x/queue', player('hasty'))
    return service.call('DELETE /v1/lobbies/x/queue', player('hasty'))
  },
  PAYLOAD_TOO_LARGE: () =>
    service.call('POST /v1/lobbies', {
      ...player('ann'),
      raw: ' '.repeat(65_537),
      headers: { 'content-type': 'application/json' },
    }),
  UNSUPPORTED_MEDIA_TYPE: () =>
    service.call('POST /v1/lobbies', { ...player('ann'), raw: 'a=b', headers: { 'content-type': 'text/plain' } }),
  UNAVAILABLE: async () => {
    const down = await startService()
    const { client } = await openStudio(down)
    await down.storage.close()
    return down.call('GET /v1/lobbies', { key: client })
  },
  CONFLICT: async () => {
    let held: <T>(work: () => Promise<T>) => Promise<T> = (work) => work()
    const storage = memoryStorage()
    const own = await startService({
      core: { storage: { ...storage, commit: (commit) => held(() => storage.commit(commit)) } },
    })
    const there = await openStudio(own)
    await makeQueue(own, there)
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const call = () =>
      own.call('POST /v1/lobbies', {
        key: there.client,
        player: 'ann',
        body: { queue_id: 'duel' },
        headers: { 'idempotency-key': 'race' },
      })
    const reached = new Promise<void>((resolve) => {
      held = async (work) => {
        resolve()
        await gate
        return work()
      }
    })
    const first = call()
    await reached
    const second = await call()
    release()
    expect((await first).status).toBe(201)
    return second
  },
  IDEMPOTENCY_MISMATCH: async () => {
    const call = (fields: object) =>
      service.call('POST /v1/lobbies', {
        ...player('ann', { queue_id: 'duel', ...fields }),
        headers: { 'idempotency-key': 'mismatch' },
      })
    await call({})
    return call({ name: 'Other' })
  },
  INTERNAL: async () => {
    const broken = await startService()
    const { client } = await openStudio(broken)
    broken.matchyard.lobbies.browse = () => Promise.reject(new TypeError('x is not a function'))
    return broken.call('GET /v1/lobbies', { key: client })
  },
  KEY_NOT_FOUND: () => service.call(`DELETE /v1/projects/${studio.projectId}/keys/key_none`, { token: studio.token }),
  WEBHOOK_NOT_FOUND: () => service.call('GET /v1/webhooks/whk_none', { key: studio.server }),
  WEBHOOK_ADDRESS_REFUSED: () =>
    service.call('POST /v1/webhooks', { key: studio.server, body: { url: 'http://example.com/hook' } }),
  WEBHOOK_LIMIT: async () => {
    const own = await openStudio(service)
    const make = () => service.call('POST /v1/webhooks', { key: own.server, body: { url: 'https://example.com/hook' } })
    for (let made = 0; made < 10; made++) await make()
    return make()
  },
  KEY_REVOKED: async () => {
    const keys = `/v1/projects/${studio.projectId}/keys`
    const { body: key } = await service.call(`POST ${keys}`, { token: studio.token, body: { type: 'client' } })
    await service.call(`DELETE ${keys}/${key.key_id}`, { token: studio.token })
    return service.call(`DELETE ${keys}/${key.key_id}`, { token: studio.token })
  },
}

describe('every error code is met over HTTP, with its own row', () => {
  test.each(Object.entries(PROVOKED))('%s', async (code, provoke) => {
    const { status, headers, body } = await provoke()
    const row = HTTP_ERRORS[code as ErrorCode]
    expect(body).toMatchObject({
      code,
      number: row.number,
      title: row.title,
      status: row.status,
      type: `/errors/${code}`,
    })
    expect(status).toBe(row.status)
    expect(Object.keys(body)).toEqual(['type', 'title', 'status', 'code', 'number', 'detail', 'request_id', 'details'])
    expect(body.request_id).toBe(headers.get('x-request-id'))
    expect(body.detail.length).toBeGreaterThan(10)
  })

  test('none is forgotten', () => {
    expect([...Object.keys(PROVOKED), 'SERVER_LAUNCH_FAILED'].sort()).toEqual(Object.keys(ERROR_CATALOGUE).sort())
  })
})

describe('details that clients need', () => {
  test('of a plan limit: which, on what plan, what it allows, what was asked', async () => {
    const own = await openStudio(service, 'free')
    await makeBuild(service, own)
    const create = async (fields: object) =>
      (await service.call('POST /v1/servers', { key: own.server, body: { version_tag: 'arena', ...fields } })).body
        .details
    expect(await create({ tier: '2x-2g' })).toEqual({
      limit: 'max_tier',
      plan: 'free',
      allowed: '1x-1g',
      requested: '2x-2g',
    })
    expect(await create({ region: 'fra' })).toEqual({
      limit: 'regions',
      plan: 'free',
      allowed: ['iad'],
      requested: 'fra',
    })
    expect(await create({ ttl: 1_801 })).toEqual({
      limit: 'max_server_ttl',
      plan: 'free',
      allowed: 1_800,
      requested: 1_801,
    })
    await create({})
    expect(await create({})).toEqual({ limit: 'max_concurrent_servers', plan: 'free', allowed: 1, requested: 2 })
    const queue = await service.call('POST /v1/queues', { key: own.server, body: { queue_id: 'duel', name: 'Duel' } })
    expect(queue.body.details).toMatchObject({ limit: 'queues_enabled', plan: 'free', allowed: false })
  })

  test('of a party that cannot match: the rule', async () => {
    const matchmaking = rule({ type: 'min', field: 'level', value: 10 })
    await makeQueue(service, studio, { queue_id: 'grown', matchmaking })
    const path = await lobby('ann', { queue_id: 'grown', state: { level: 9 } })
    const { body } = await service.call(`POST ${path}/queue`, player('ann'))
    expect([body.code, body.details]).toEqual(['PARTY_CANNOT_MATCH', { rule: 'min' }])
  })

  test('issues name fields as the wire spells them', async () => {
    const issues = async (fields: object) => {
      const body = { queue_id: 'q', name: 'Q', ...fields }
      const answer = await service.call('POST /v1/queues', { key: studio.server, body })
      return (answer.body.details?.issues ?? []).map(({ path }: { path: string }) => path)
    }
    expect(await issues({ matchmaking: { teams: 2, min_teams: 3 } })).toEqual(['matchmaking.min_teams'])
    expect(await issues({ matchmaking: { team_composition: { RedTeam: { MainTank: 0 } } } })).toEqual([
      'matchmaking.team_composition.RedTeam.MainTank',
    ])
    const ports = [
      { name: 'a b', protocol: 'udp', internal_port: 1 },
      { name: 'a-b', protocol: 'udp', internal_port: 2, tls_enabled: true },
    ]
    expect(await issues({ server_settings: { network_ports: ports } })).toEqual([
      'server_settings.network_ports.1.name',
      'server_settings.network_ports.1.tls_enabled',
    ])
    expect(await issues({ server_settings: { startup_args: '"unclosed' } })).toEqual(['server_settings.startup_args'])
    const rules = [
      { type: 'difference', field: 'mmr', max_difference: 10, expansions: [{ after_seconds: 5, max_difference: 1 }] },
    ]
    expect(await issues({ matchmaking: { rules } })).toEqual(['matchmaking.rules.0.expansions.0'])
    expect(await issues({ timeout: 0, lobby_ttl: 0, heartbeat_timeout: 0 })).toEqual([
      'timeout',
      'heartbeat_timeout',
      'lobby_ttl',
    ])
    const host = [{ name: 'a', protocol: 'udp', internal_port: 1, host: 'h', external_port: 2 }]
    expect(await issues({ server_settings: { network_ports: host } })).toEqual([
      'server_settings.network_ports.0.host',
      'server_settings.network_ports.0.external_port',
    ])
  })
})
