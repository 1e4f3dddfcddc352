import { generateSync } from 'otplib/functional'
import type { Body } from '../harness/client'
import { type Service, startService } from '../harness/service'
import { makeBuild, openStudio, type Studio } from '../harness/studio'
import { type Perform, type Recorded, recording } from './recorder'

const QUEUE = 'demo'
const PLAYERS = { ann: 1500, bob: 1540, cat: 1480, dan: 1600 } as const
type Player = keyof typeof PLAYERS

const METRICS_TOKEN = 'a-token-of-the-operator'
const BEACON = { host: 'fra-1.example.com', udpPort: 7000, url: 'https://fra-1.example.com/ping' }
const PAGES = {
  referenceScript: async () => '',
  metrics: { render: async () => 'up 1\n', contentType: 'text/plain', token: METRICS_TOKEN },
  top: { render: async () => '{}', contentType: 'application/json', token: METRICS_TOKEN },
}

/**
 * Records one example for each operation, from the life of a studio: its account, its project, its lobbies, its
 * matches. The first answer of each operation is its example. `performedOn` may return another way to make the recorded
 * calls on this service.
 */
export async function recordExamples(
  performedOn: (service: Service) => Promise<Perform | undefined> = async () => undefined,
): Promise<Readonly<Record<string, Recorded>>> {
  const signInCodes = { use: () => account }
  let account: string | undefined
  const real = await startService({
    app: { signInCodes, ...PAGES },
    core: { regions: ['iad', 'fra', 'ams'], machine: { beacons: [BEACON] } },
  })
  const { call, kept } = recording(real, await performedOn(real))
  const service: Service = { ...real, call }
  const studio = await openStudio(service, 'pro', 'dev1@example.com')
  account = studio.accountId
  const told = { service, studio }
  await accounts(told)
  await builds(told)
  await queues(told)
  await lobbies(told)
  await proposals(told)
  await matches(told)
  await webhooks(told)
  await secrets(told)
  await machines(told)
  await regions(told)
  await ends(told)
  return Object.fromEntries(kept)
}

interface Told {
  readonly service: Service
  readonly studio: Studio
}

const stateOf = (player: Player) => ({ mmr: PLAYERS[player], regions: ['fra', 'ams'] })

async function accounts({ service: { call }, studio: { token, projectId } }: Told): Promise<void> {
  const { body: account } = await call('GET /v1/account', { token })
  const login = { email: account.email, password: 'correct horse' }
  const { body: session } = await call('POST /v1/auth/login', { body: login })
  const { body: next } = await call('POST /v1/auth/refresh', { token: session.token })
  const { body: open } = await call('GET /v1/account/sessions', { token: next.token })
  await call(`DELETE /v1/account/sessions/${open.data[0].session_id}`, { token })
  const { body: factor } = await call('POST /v1/account/second-factor', { token, body: { password: login.password } })
  const code = (steps: number) =>
    generateSync({ secret: factor.secret, epoch: Date.parse('2026-03-01T00:00:00Z') / 1_000 + 30 * steps })
  await call('PUT /v1/account/second-factor', { token, body: { code: code(0) } })
  await call('GET /v1/account/second-factor', { token })
  await call('POST /v1/account/second-factor/remove', { token, body: { code: code(1) } })
  const { body: last } = await call('POST /v1/auth/login', { body: login })
  await call('POST /v1/auth/logout', { token: last.token })
  await call('POST /v1/auth/code', { body: { code: 'Q1c2n3bU0Yw5n9JmX4aR7sT6vZ8kL2pD' } })
  await call('GET /v1/billing/plan', { token })
  await call('PUT /v1/billing/payment-method', { token, body: { payment_method_token: 'pm_test_visa' } })
  await call('GET /v1/projects', { token })
  const project = `/v1/projects/${projectId}`
  await call(`GET ${project}`, { token })
  const issuer = {
    issuer: 'https://login.studio.example',
    audience: 'arena',
    jwks_url: 'https://login.studio.example/jwks',
  }
  const proof = { mode: 'trusted', issuers: [issuer] }
  await call(`PUT ${project}/player-auth`, { token, body: proof })
  await call(`GET ${project}/player-auth`, { token })
  await call(`PUT ${project}/budget`, { token, body: { monthly_usd: 100 } })
  await call(`GET ${project}/budget`, { token })
  const { body: key } = await call(`POST ${project}/keys`, {
    token,
    body: { type: 'server', name: 'Nightly', expires_in: 3_600 },
  })
  const { body: invitation } = await call(`POST ${project}/members`, {
    token,
    body: { role: 'developer', email: 'eve@example.com' },
  })
  const eve = { email: 'eve@example.com', password: 'correct horse', name: 'Eve' }
  const { body: joined } = await call('POST /v1/auth/join', { body: { token: invitation.token, ...eve } })
  const { body: other } = await call(`POST ${project}/members`, { token, body: { role: 'viewer' } })
  await call(`GET ${project}/members`, { token })
  await call(`DELETE ${project}/invitations/${other.invitation_id}`, { token })
  await call(`PATCH ${project}/members/${joined.account_id}`, { token, body: { role: 'support' } })
  await call(`DELETE ${project}/members/${joined.account_id}`, { token })
  await call(`GET ${project}/keys`, { token })
  await call(`DELETE ${project}/keys/${key.key_id}`, { token })
}

async function machines({ service: { call, matchyard } }: Told): Promise<void> {
  const wish = { email: 'operator@example.com', password: 'long enough', name: 'Operator', operator: true }
  const { id: accountId } = await matchyard.accounts.create(wish)
  const { token } = await matchyard.accounts.signIn({ accountId })
  await matchyard.worker.watchNodes()
  const { body } = await call('GET /v1/machines', { token })
  const [{ machine_id: id }] = body.machines
  await call(`POST /v1/machines/${id}/cordon`, { token })
  await call(`POST /v1/machines/${id}/drain`, { token, body: { deadline: 1_800 } })
  await call(`POST /v1/machines/${id}/uncordon`, { token })
  await call('POST /v1/machines/fra-2/token', { token })
  await call('DELETE /v1/machines/fra-2/token', { token })
}

async function regions({ service: { call }, studio: { client: key } }: Told): Promise<void> {
  await call('GET /v1/regions', { key })
}

async function builds({ service, studio }: Told): Promise<void> {
  const { call } = service
  const { server: key } = studio
  const build = await makeBuild(service, studio, 'arena')
  await call(`GET /v1/builds/${build.build_id}/logs`, { key })
  await call('GET /v1/builds', { key })
  const image = { name: 'arena-image', image_url: 'registry.studio.example/arena:1.4.0' }
  const { body: other } = await call('POST /v1/builds/docker-image', { key, body: image })
  await service.settle()
  await call(`PATCH /v1/builds/${other.build_id}`, { key, body: { disabled: true } })
  await call(`POST /v1/builds/${other.build_id}/stop`, { key })
  await call(`DELETE /v1/builds/${other.build_id}`, { key })
}

async function queues({ service: { call }, studio: { server: key } }: Told): Promise<void> {
  const body = {
    queue_id: QUEUE,
    name: 'Duel',
    max_players: 4,
    server_settings: { version_tag: 'arena', region: 'fra', network_ports: [{ name: 'game', internal_port: 7777 }] },
    matchmaking: {
      teams: 2,
      players_per_team: 1,
      rules: [
        {
          type: 'difference',
          field: 'mmr',
          max_difference: 75,
          expansions: [{ after_seconds: 15, max_difference: 200 }],
        },
      ],
    },
  }
  await call('POST /v1/queues', { key, body })
  await call(`PATCH /v1/queues/${QUEUE}`, { key, body: { timeout: 120 } })
  await call(`GET /v1/queues/${QUEUE}/history`, { key })
  await call(`POST /v1/queues/${QUEUE}/restore`, { key, body: { version: 1 } })
  await call('GET /v1/queues', { key })
  await call(`GET /v1/queues/${QUEUE}`, { key })
}

const hosted = async (
  { service: { call }, studio: { client: key } }: Told,
  player: Player,
  queue = QUEUE,
): Promise<Body> => {
  const body = { queue_id: queue, settings: { mode: 'duel' }, state: stateOf(player) }
  return (await call('POST /v1/lobbies', { key, player, body })).body
}

async function lobbies(told: Told): Promise<void> {
  const { service, studio } = told
  const { call } = service
  const { client: key } = studio
  const lobby = await hosted(told, 'ann')
  const on = `/v1/lobbies/${lobby.lobby_id}`
  await call(`POST ${on}/join`, { key, player: 'bob', body: { state: stateOf('bob') } })
  await call('POST /v1/lobbies/join', {
    key,
    player: 'cat',
    body: { invite_code: lobby.invite_code, state: stateOf('cat') },
  })
  const wanted = { queue_id: QUEUE, filter: { mode: 'duel' }, state: stateOf('dan') }
  await call('POST /v1/lobbies/quick-join', { key, player: 'dan', body: wanted })
  await call(`PATCH ${on}/settings`, {
    key,
    player: 'ann',
    body: { name: 'Late evening', settings: { mode: 'duel', map: 'docks' } },
  })
  await call(`PATCH ${on}/players/bob`, { key, player: 'bob', body: { state: { mmr: 1545 } } })
  await call(`POST ${on}/heartbeat`, { key, player: 'bob' })
  await call('GET /v1/lobbies', { key })
  await call(`GET ${on}`, { key })
  await call(`GET ${on}/events`, { key, player: 'ann' })
  await call('GET /v1/events', { key: studio.server })
  await call('GET /v1/players/me/lobbies', { key, player: 'bob' })
  await call(`DELETE ${on}/players/dan`, { key, player: 'ann' })
  await call(`POST ${on}/bans`, { key, player: 'ann', body: { player_id: 'dan' } })
  await call(`DELETE ${on}/bans/dan`, { key, player: 'ann' })
  await call(`POST ${on}/invite-code`, { key, player: 'ann' })
  await call(`POST ${on}/leave`, { key, player: 'cat' })
  await call(`POST ${on}/leave`, { key, player: 'bob' })
  await call(`POST ${on}/queue`, { key, player: 'ann' })
  await call(`GET ${on}/queue`, { key })
  await call(`GET /v1/queues/${QUEUE}/stats`, { key: studio.server })
  await call(`DELETE ${on}/queue`, { key, player: 'ann' })
  await call(`GET /v1/queues/${QUEUE}/arrivals`, { key: studio.server })
  await call(`POST ${on}/start`, { key, player: 'ann', body: { teams: 'even' } })
  await service.settle()
  await call(`POST ${on}/end`, { key: studio.server })
  await service.settle()
  await call(`DELETE ${on}`, { key, player: 'ann' })
}

async function searching(told: Told, queue = QUEUE): Promise<readonly Body[]> {
  const { service, studio } = told
  const both: Body[] = []
  for (const player of ['ann', 'bob'] as const) {
    const lobby = await hosted(told, player, queue)
    await service.call(`POST /v1/lobbies/${lobby.lobby_id}/queue`, { key: studio.client, player })
    both.push(lobby)
  }
  await service.matchyard.matchmaking.runQueue(`${studio.projectId}/${queue}`)
  return both
}

async function proposals(told: Told): Promise<void> {
  const { service, studio } = told
  const matchmaking = { teams: 2, players_per_team: 1, ready_check: { timeout: 15 } }
  await service.call('POST /v1/queues', { key: studio.server, body: { queue_id: 'asked', name: 'Asked', matchmaking } })
  const [first, second] = await searching(told, 'asked')
  const read = await service.call(`GET /v1/lobbies/${first.lobby_id}`, { key: studio.server })
  const body = { match_id: read.body.proposal.match_id }
  await service.call(`POST /v1/lobbies/${first.lobby_id}/proposal/accept`, { key: studio.client, player: 'ann', body })
  await service.call(`POST /v1/lobbies/${second.lobby_id}/proposal/decline`, {
    key: studio.client,
    player: 'bob',
    body,
  })
  for (const [lobby, player] of [
    [first, 'ann'],
    [second, 'bob'],
  ] as const) {
    await service.call(`DELETE /v1/lobbies/${lobby.lobby_id}`, { key: studio.client, player })
  }
  await service.settle()
  await service.call('DELETE /v1/queues/asked', { key: studio.server })
}

async function matches(told: Told): Promise<void> {
  const { service, studio } = told
  const { call } = service
  const { server: key } = studio
  const [, second] = await searching(told)
  await service.settle()
  const { body: lobby } = await call(`GET /v1/lobbies/${second.lobby_id}`, { key: studio.client })
  const on = `/v1/matches/${lobby.match_id}`
  await call('GET /v1/matches', { key })
  await call(`GET ${on}`, { key: studio.client })
  await call(`POST ${on}/join-token`, { key: studio.client, player: 'ann' })
  const instance = `/v1/servers/${lobby.server.instance_id}`
  await call('GET /v1/servers', { key })
  await call(`GET ${instance}`, { key })
  await call(`GET ${instance}/logs`, { key })
  const ban = { reason: 'Cheated in ranked games.', note: 'Report 4711', until: '2026-03-08T00:00:00Z' }
  await call('PUT /v1/players/ann/ban', { key, body: ban })
  await call('GET /v1/players/ann/ban', { key })
  await call('GET /v1/bans', { key })
  await call('GET /v1/audit', { key })
  await call('GET /v1/players/ann', { key })
  await call('GET /v1/players/me', { key: studio.client, player: 'ann' })
  await call('DELETE /v1/players/ann/ban', { key })
  await call('PUT /v1/ratings/ranked', { key, body: { name: 'Ranked', placement_matches: 5 } })
  await call('GET /v1/ratings', { key })
  await call('GET /v1/ratings/ranked', { key })
  await call('POST /v1/ratings/ranked/seasons', { key, body: { name: 'Spring', keep: 0.5 } })
  await call('GET /v1/ratings/ranked/seasons', { key })
  await call('GET /v1/ratings/ranked/leaderboard', { key: studio.client })
  await call('GET /v1/ratings/ranked/calibration', { key })
  await call('GET /v1/players/ann/ratings', { key: studio.client })
  await call('DELETE /v1/ratings/ranked', { key })
  await service.matchyard.queues.create({
    ...{ projectId: studio.projectId, queueId: 'beta', name: 'Beta' },
    serverSettings: { versionTag: 'missing' },
  })
  const { body: found } = await call('GET /v1/problems', { key })
  const problem = `/v1/problems/${found.problems[0].id}`
  await call(`POST ${problem}/acknowledge`, { key, body: { note: 'Looking into it' } })
  await call(`POST ${problem}/mute`, { key, body: { minutes: 60, reason: 'Known until the next build' } })
  await call('GET /v1/metrics', { key })
  const token = String(service.orchestrator.launches.at(-1)?.config.token)
  const self = '/v1/servers/self'
  await call(`GET ${self}`, { token })
  await call(`GET ${self}/events`, { token })
  await call(`POST ${self}/ready`, { token })
  await call(`POST ${self}/heartbeat`, { token })
  await call(`DELETE ${self}/players/bob`, { token })
  const asked = { teams: [{ name: 'team_2', open: 1 }], players: [{ player_id: 'ann', state: stateOf('ann') }] }
  await call(`POST ${on}/backfill`, { key, body: asked })
  await call(`GET ${on}/backfill`, { key })
  await call(`DELETE ${on}/backfill`, { key })
  await call(`POST ${self}/backfill`, { token, body: asked })
  await call(`GET ${self}/backfill`, { token })
  await call(`DELETE ${self}/backfill`, { token })
  await call('PATCH /v1/queues/demo', { key, body: { matchmaking: { late_join: true } } })
  await late(told, on, token)
  await call(`POST ${self}/close`, { token })
  const teams = [
    { name: 'team_1', rank: 1, score: 16 },
    { name: 'team_2', rank: 2, score: 9 },
  ]
  const players = [{ player_id: 'ann', score: 21, stats: { kills: 21 } }]
  await call(`POST ${self}/result`, { token, body: { teams, players: [...players, { player_id: 'bob', left: true }] } })
  await call(`POST ${on}/result`, { key, body: { teams, players, amend: true } })
  await call(`POST ${self}/shutdown`, { token })
  await service.settle()
  const { body: alone } = await call('POST /v1/servers', {
    key,
    body: { version_tag: 'arena', name: 'Practice', ttl: 1_800 },
  })
  await service.settle()
  await call(`POST /v1/servers/${alone.instance_id}/restart`, { key })
  await service.settle()
  await call(`DELETE /v1/servers/${alone.instance_id}`, { key })
  await own(told)
}

/** Keeps the open seat of a match for cat, who joins by it. */
async function late(told: Told, on: string, token: string): Promise<void> {
  const { call } = told.service
  const { client: key } = told.studio
  const self = '/v1/servers/self'
  const body = { player_id: 'cat', hold: 60 }
  await call(`POST ${self}/seats`, { token, body })
  await call(`DELETE ${self}/seats/cat`, { token })
  await call(`POST ${on}/seats`, { key, player: 'ann', body })
  await call(`DELETE ${on}/seats/cat`, { key, player: 'ann' })
  await call(`POST ${on}/seats`, { key, player: 'ann', body })
  const { lobby_id } = await hosted(told, 'cat')
  await call(`POST ${on}/join`, { key, player: 'cat', body: { lobby_id } })
}

/** Makes a match on a server that the studio runs itself. */
async function own(told: Told): Promise<void> {
  const { service, studio } = told
  const settings = { server_settings: { source: 'external' }, matchmaking: { teams: 2, players_per_team: 1 } }
  await service.call('POST /v1/queues', { key: studio.server, body: { queue_id: 'own', name: 'Own', ...settings } })
  const [first] = await searching(told, 'own')
  const { body: lobby } = await service.call(`GET /v1/lobbies/${first.lobby_id}`, { key: studio.server })
  const body = { host: 'fra-3.studio.example', ports: [{ name: 'game', port: 27_015 }], region: 'fra' }
  await service.call(`POST /v1/matches/${lobby.match_id}/server`, { key: studio.server, body })
}

async function secrets({ service, studio: { server: key } }: Told): Promise<void> {
  const { call } = service
  await call('PUT /v1/secrets/API_TOKEN', { key, body: { value: 'what the game server signs in with' } })
  await call('GET /v1/secrets', { key })
  await call('DELETE /v1/secrets/API_TOKEN', { key })
}

async function webhooks({ service, studio: { server: key } }: Told): Promise<void> {
  const { call } = service
  const body = { url: 'https://studio.example/hooks/matchyard', types: ['match.ended', 'server.failed'] }
  const { body: webhook } = await call('POST /v1/webhooks', { key, body })
  const on = `/v1/webhooks/${webhook.webhook_id}`
  await call('GET /v1/webhooks', { key })
  await call(`GET ${on}`, { key })
  await call(`POST ${on}/test`, { key })
  await service.settle()
  const { body: page } = await call(`GET ${on}/deliveries`, { key })
  await call(`POST ${on}/deliveries/${page.data[0].delivery_id}/redeliver`, { key })
  await call(`POST ${on}/rotate-secret`, { key })
  await call(`PATCH ${on}`, { key, body: { description: 'Ratings' } })
  await call(`DELETE ${on}`, { key })
}

async function ends({ service, studio }: Told): Promise<void> {
  const { call } = service
  await call('POST /v1/players/me/leave-match', { key: studio.client, player: 'ann' })
  await call('DELETE /v1/players/ann', { key: studio.server })
  await call('GET /v1/billing/usage', { token: studio.token })
  await call('POST /v1/billing/downgrade', { token: studio.token, body: { plan: 'payg' } })
  const { body: project } = await call('POST /v1/projects', { token: studio.token, body: { name: 'Prototype' } })
  await call(`DELETE /v1/projects/${project.project_id}`, { token: studio.token })
  for (const page of ['/', '/livez', '/readyz', '/openapi.json', '/reference', '/errors', '/errors/LOBBY_FULL']) {
    await call(`GET ${page}`)
  }
  await call('GET /metrics', { token: METRICS_TOKEN })
  await call('GET /top', { token: METRICS_TOKEN })
}
