import type { Commit, Storage } from '@matchyard/core/ports'
import { ENDPOINTS } from '@matchyard/http'
import { memoryStorage } from '@matchyard/storage-memory'
import { describe, expect, it } from 'vitest'
import type { Answer, Body, Caller } from '../src/conformance/client'
import type { Studio } from '../src/conformance/studio'
import { World } from '../src/conformance/world'

/** One POST, ready to be sent: by whom, where, with which body, and with which other one. */
interface Prepared {
  readonly call: Caller
  readonly path: string
  readonly body?: Body
  readonly other?: Body
}

const duel = (studio: Studio) => studio.queue()
const inDuel = async (studio: Studio) => {
  await duel(studio)
  return studio.lobby()
}
const onLobby = async (
  studio: Studio,
  lobby: Body,
  rest: string,
  player = 'ann',
  body?: Body,
  other?: Body,
): Promise<Prepared> => ({
  call: studio.player(player),
  path: `/v1/lobbies/${lobby.lobby_id}${rest}`,
  body,
  other,
})

async function gameServer(studio: Studio, what: string): Promise<Prepared> {
  await studio.build()
  const { instance_id: id } = await studio.server()
  await studio.world.settle()
  const token = studio.world.orchestrator.launches.find(({ instanceId }) => instanceId === id)?.config.token
  return { call: studio.world.as({ authorization: `Bearer ${token}` }), path: `/v1/servers/self/${what}` }
}

/** Between ann and bob, who have not answered yet. */
async function proposed(studio: Studio): Promise<Body> {
  const matchmaking = { teams: 2, players_per_team: 1, ready_check: { timeout: 30 } }
  await studio.queue({ matchmaking })
  const [lobby] = await studio.match()
  return lobby
}

/** A running match on a game server, whose bob has left: a seat is open. */
async function withOpenSeat(studio: Studio): Promise<{ readonly match: string; readonly server: Caller }> {
  const { world } = studio
  await studio.queueWithServer()
  const [lobby, left] = await studio.match()
  await studio.act('bob', left, 'POST', '/leave')
  const token = world.orchestrator.launches.at(-1)?.config.token
  return { match: `/v1/matches/${lobby.match_id}`, server: world.as({ authorization: `Bearer ${token}` }) }
}
const anyone = { body: { timeout: 60 }, other: { timeout: 61 } }

/** Every POST of the service, by its operation. */
const POSTS: Readonly<Record<string, (studio: Studio) => Promise<Prepared>>> = {
  'auth.register': async ({ world }) => ({
    call: world.nobody,
    path: '/v1/auth/register',
    body: { email: 'new@example.com', password: 'correct horse', name: 'New' },
    other: { email: 'new@example.com', password: 'correct horse', name: 'Newer' },
  }),
  'auth.login': async ({ world, account }) => ({
    call: world.nobody,
    path: '/v1/auth/login',
    body: { email: account.email, password: account.password },
    other: { email: account.email, password: 'another one' },
  }),
  'auth.refresh': async ({ developer }) => ({ call: developer, path: '/v1/auth/refresh' }),
  'auth.logout': async ({ developer }) => ({ call: developer, path: '/v1/auth/logout' }),
  'projects.create': async ({ developer }) => ({
    call: developer,
    path: '/v1/projects',
    body: { name: 'A' },
    other: { name: 'B' },
  }),
  'keys.mint': async ({ developer, projectId }) => ({
    call: developer,
    path: `/v1/projects/${projectId}/keys`,
    body: { type: 'client' },
    other: { type: 'server' },
  }),
  'billing.upgrade': async ({ world }) => ({
    call: (await world.studio('free')).developer,
    path: '/v1/billing/upgrade',
    body: { plan: 'payg', payment_method_token: 'pm_test_visa' },
    other: { plan: 'pro', payment_method_token: 'pm_test_visa' },
  }),
  'billing.downgrade': async ({ developer }) => ({
    call: developer,
    path: '/v1/billing/downgrade',
    body: { plan: 'free' },
    other: { plan: 'payg' },
  }),
  'builds.createUpload': async ({ backend }) => ({
    call: backend,
    path: '/v1/builds/upload-url',
    body: { name: 'arena', executable_path: 'server' },
    other: { name: 'arena', executable_path: 'other' },
  }),
  'builds.registerImage': async ({ backend }) => ({
    call: backend,
    path: '/v1/builds/docker-image',
    body: { name: 'arena', image_url: 'example.com/arena:1' },
    other: { name: 'arena', image_url: 'example.com/arena:2' },
  }),
  'servers.create': async (studio) => {
    await studio.build()
    const body = { version_tag: 'arena' }
    return { call: studio.backend, path: '/v1/servers', body, other: { ...body, name: 'other' } }
  },
  'servers.restart': async (studio) => {
    await studio.build()
    const { instance_id: id } = await studio.server()
    await studio.world.settle()
    return { call: studio.backend, path: `/v1/servers/${id}/restart` }
  },
  'servers.selfReady': (studio) => gameServer(studio, 'ready'),
  'servers.selfHeartbeat': (studio) => gameServer(studio, 'heartbeat'),
  'servers.selfShutdown': (studio) => gameServer(studio, 'shutdown'),
  'servers.selfBackfill': async (studio) => ({
    call: (await withOpenSeat(studio)).server,
    path: '/v1/servers/self/backfill',
    ...anyone,
  }),
  'servers.selfClose': async (studio) => ({
    call: (await withOpenSeat(studio)).server,
    path: '/v1/servers/self/close',
  }),
  'queues.create': async ({ backend }) => ({
    call: backend,
    path: '/v1/queues',
    body: { queue_id: 'a', name: 'A' },
    other: { queue_id: 'b', name: 'B' },
  }),
  'lobbies.create': async (studio) => {
    await duel(studio)
    return {
      call: studio.player('ann'),
      path: '/v1/lobbies',
      body: { queue_id: 'duel' },
      other: { queue_id: 'duel', name: 'Other' },
    }
  },
  'lobbies.join': async (studio) =>
    onLobby(studio, await inDuel(studio), '/join', 'bob', { state: { mmr: 1 } }, { state: { mmr: 2 } }),
  'lobbies.quickJoin': async (studio) => {
    await inDuel(studio)
    const body = { queue_id: 'duel' }
    return { call: studio.player('bob'), path: '/v1/lobbies/quick-join', body, other: { ...body, create: false } }
  },
  'lobbies.joinByCode': async (studio) => {
    const { invite_code: code } = await inDuel(studio)
    const body = { invite_code: code }
    return { call: studio.player('bob'), path: '/v1/lobbies/join', body, other: { ...body, state: {} } }
  },
  'lobbies.leave': async (studio) => onLobby(studio, await inDuel(studio), '/leave'),
  'lobbies.heartbeat': async (studio) => onLobby(studio, await inDuel(studio), '/heartbeat'),
  'lobbies.enqueue': async (studio) => onLobby(studio, await inDuel(studio), '/queue'),
  'lobbies.start': async (studio) => onLobby(studio, await inDuel(studio), '/start'),
  'lobbies.end': async (studio) => {
    await duel(studio)
    return onLobby(studio, await studio.inGame(), '/end')
  },
  'lobbies.accept': async (studio) => onLobby(studio, await proposed(studio), '/proposal/accept'),
  'lobbies.decline': async (studio) => onLobby(studio, await proposed(studio), '/proposal/decline'),
  'matches.backfill': async (studio) => ({
    call: studio.backend,
    path: `${(await withOpenSeat(studio)).match}/backfill`,
    ...anyone,
  }),
  'matches.joinToken': async (studio) => {
    await duel(studio)
    const [lobby] = await studio.match()
    return { call: studio.player('ann'), path: `/v1/matches/${lobby.match_id}/join-token` }
  },
  'matches.assign': async (studio) => {
    await studio.queue({ server_settings: { source: 'external' } })
    const { match_id: id } = await studio.inStatus('starting')
    const body = { host: '192.0.2.1', ports: [{ name: 'game', protocol: 'udp', port: 7_777 }] }
    return { call: studio.backend, path: `/v1/matches/${id}/server`, body, other: { ...body, host: '192.0.2.2' } }
  },
  'webhooks.create': async ({ backend }) => ({
    call: backend,
    path: '/v1/webhooks',
    body: { url: 'https://studio.example/hooks' },
    other: { url: 'https://studio.example/others' },
  }),
  'webhooks.rotateSecret': async (studio) => {
    const { call, path } = await onWebhook(studio)
    return { call, path: `${path}/rotate-secret` }
  },
  'webhooks.test': async (studio) => {
    const { call, path } = await onWebhook(studio)
    return { call, path: `${path}/test` }
  },
  'webhooks.redeliver': async (studio) => {
    const { call, path } = await onWebhook(studio)
    const { body } = await call(`POST ${path}/test`)
    return { call, path: `${path}/deliveries/${body.delivery_id}/redeliver` }
  },
}

/** A webhook of the studio, and where its calls are. */
async function onWebhook({ backend }: Studio): Promise<{ readonly call: Caller; readonly path: string }> {
  const { body } = await backend('POST /v1/webhooks', { url: 'https://studio.example/hooks' })
  return { call: backend, path: `/v1/webhooks/${body.webhook_id}` }
}

/** The effects: commits that changed something beside the record of an answer. */
function countingStorage(): { storage: Storage; effects: () => number } {
  const storage = memoryStorage()
  const { commit } = storage
  let effects = 0
  const counted = async (value: Commit) => {
    const result = await commit.call(storage, value)
    if (result.ok && value.writes.some(({ kind }) => kind !== 'idempotency')) effects++
    return result
  }
  return { storage: Object.assign(storage, { commit: counted }), effects: () => effects }
}

async function prepared(operation: string) {
  const { storage, effects } = countingStorage()
  const world = await World.open({ core: { storage } })
  const { call, path, body, other } = await (POSTS[operation] as (studio: Studio) => Promise<Prepared>)(
    await world.studio(),
  )
  const before = effects()
  const post = (sent: Body = body) => call(`POST ${path}`, sent, { 'idempotency-key': 'once' })
  return { post, other, effects: () => effects() - before }
}

/** What a repeated call may answer: the same, or, for a credential that the first call used up, that it is dead. */
const USED_UP = ['auth.refresh', 'auth.logout']
/** Those whose request is their address alone. */
const BODYLESS = [
  'auth.refresh',
  'auth.logout',
  'servers.restart',
  'servers.selfReady',
  'servers.selfHeartbeat',
  'servers.selfShutdown',
  'lobbies.leave',
  'lobbies.heartbeat',
  'lobbies.enqueue',
  'lobbies.start',
  'lobbies.end',
  'lobbies.accept',
  'lobbies.decline',
  'matches.joinToken',
  'servers.selfClose',
  'webhooks.rotateSecret',
  'webhooks.test',
  'webhooks.redeliver',
]
const SECRETS = ['key', 'keys', 'token', 'secret', 'expires_at', 'upload_url']
const withoutSecrets = ({ status, body }: Answer) => {
  const shown =
    typeof body === 'object' && body !== null ? Object.entries(body).filter(([name]) => !SECRETS.includes(name)) : []
  return { status, body: Object.fromEntries(shown) }
}

it('knows every POST of the service', () => {
  const posts = ENDPOINTS.filter(({ method }) => method === 'post').map(({ operation }) => operation as string)
  expect(Object.keys(POSTS).sort()).toEqual(posts.sort())
})

describe.each(Object.keys(POSTS))('POST %s with an idempotency key', (operation) => {
  it('repeated after its answer has no second effect and the same answer', async () => {
    const { post, effects } = await prepared(operation)
    const first = await post()
    expect(first.status).toBeLessThan(300)
    const once = effects()
    const again = await post()
    expect(effects()).toBe(once)
    if (USED_UP.includes(operation)) expect(again.body.code).toBe('INVALID_SESSION_TOKEN')
    else expect(withoutSecrets(again)).toEqual(withoutSecrets(first))
  })

  it('repeated before its answer, at once with it, is told so or answered alike, with one effect', async () => {
    const alone = await prepared(operation)
    await alone.post()
    const { post, effects } = await prepared(operation)
    const answers = await Promise.all([post(), post(), post()])
    expect(effects()).toBe(alone.effects())
    const succeeded = answers.filter(({ status }) => status < 300)
    expect(succeeded.length).toBeGreaterThanOrEqual(1)
    for (const { status, body } of answers)
      if (status >= 300) expect(['CONFLICT', 'INVALID_SESSION_TOKEN']).toContain(body.code)
  })

  if (BODYLESS.includes(operation)) return
  it('refuses another body under the same key', async () => {
    const { post, other, effects } = await prepared(operation)
    await post()
    const once = effects()
    // A wrong password is told before anything is looked up under the key.
    const code = operation === 'auth.login' ? 'INVALID_LOGIN' : 'IDEMPOTENCY_MISMATCH'
    expect((await post(other)).body).toMatchObject({ code })
    expect(effects()).toBe(once)
  })
})
