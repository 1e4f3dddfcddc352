import { beforeEach, expect, test } from 'vitest'
import { type Service, startService } from './harness/service'
import { makeBuild, makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service)
})

const create = (body: object) => service.call('POST /v1/queues', { key: studio.server, body })

const everything = {
  queue_id: 'all',
  name: 'All',
  enabled: false,
  max_players: 7,
  timeout: 30,
  heartbeat: true,
  heartbeat_timeout: 15,
  host_leave_behavior: 'delete',
  lobby_ttl: 120,
  match_ttl: null,
  concurrent_matches: true,
  presence_timeout: 0,
  in_game_heartbeat_timeout: 600,
  leaver_penalty: 600,
  requeue_on_failure: true,
  rating: 'ranked',
  rating_field: 'skill',
  rated_starts: true,
  invite_code_config: { enabled: true, length: 4, charset: 'numeric', prefix: 'X-' },
  server_settings: {
    version_tag: 'arena',
    region: 'fra',
    tier: '2x-4g',
    network_ports: [{ name: 'game', protocol: 'tcp', internal_port: 7777, tls_enabled: true }],
    startup_args: '--a',
    ttl: 60,
    auto_restart: true,
    custom_data: { camelCase: { __x: null }, b: [1] },
  },
  matchmaking: {
    teams: 3,
    players_per_team: 2,
    min_players_per_team: 1,
    min_teams: 2,
    use_version_from_state: true,
    allowed_versions: ['arena'],
    timeout: 20,
    max_party_size: 2,
    partial_after: 1.5,
    expansion_age: 'newest',
    rules: [
      {
        type: 'difference',
        field: 'mmr',
        max_difference: 10,
        required: true,
        expansions: [
          { after_seconds: 5, max_difference: 20 },
          { after_seconds: 9, off: true },
        ],
      },
      { type: 'equals', field: 'mode' },
      { type: 'region', min_overlap: 2, expansions: [{ after_seconds: 5, min_overlap: 1 }] },
      { type: 'not_equals', field: 'clan' },
      { type: 'min', field: 'level', value: 1 },
      { type: 'max', field: 'level', value: 9 },
      { type: 'intersection', field: 'maps', min_overlap: 1 },
      { type: 'team_difference', field: 'mmr', max_difference: 5 },
      { type: 'latency', field: 'ping', max_ms: 80, expansions: [{ after_seconds: 5, max_ms: 120 }] },
    ],
  },
}

test('a queue with every field there is comes back as it was sent', async () => {
  await makeBuild(service, studio, 'arena')
  await service.call('PUT /v1/ratings/ranked', { key: studio.server, body: { name: 'Ranked' } })
  const { status, body } = await create(everything)
  expect([status, body]).toEqual([
    201,
    { ...everything, created_at: expect.any(String), updated_at: expect.any(String) },
  ])
  const read = await service.call('GET /v1/queues/all', { key: studio.server })
  expect(read.body).toEqual(body)
  // The answer of GET is a valid body of PATCH.
  const { created_at: _, updated_at: __, queue_id: ___, ...again } = read.body
  const patched = await service.call('PATCH /v1/queues/all', { key: studio.server, body: again })
  expect([patched.status, patched.body]).toEqual([200, read.body])
})

test('a queue says how its matches are backfilled', async () => {
  const settings = { automatic: true, priority: 'before', timeout: 30 }
  const own = (matchmaking: object) => ({ queue_id: 'auto', name: 'Auto', matchmaking })
  const made = await makeQueue(service, studio, own({ teams: 2, backfill: settings }))
  expect(made.matchmaking.backfill).toEqual(settings)
  const wrong = async (backfill: object) =>
    (await create({ ...own({ backfill }), queue_id: 'bad' })).body.details.issues[0].path
  expect(await wrong({ timeout: 4 })).toBe('matchmaking.backfill.timeout')
  expect(await wrong({ priority: 'first' })).toBe('matchmaking.backfill.priority')
  expect(await wrong({ auto: true })).toBe('matchmaking.backfill.auto')
})

test('a queue whose build is not ready is taken and says so; otherwise it has no warnings', async () => {
  await makeQueue(service, studio)
  const early = await create({ queue_id: 'early', name: 'Early', server_settings: { version_tag: 'boat' } })
  expect([early.status, early.body.warnings]).toEqual([201, [expect.stringContaining('named boat')]])
  expect((await service.call('GET /v1/queues/early', { key: studio.server })).body.warnings).toHaveLength(1)
  await makeBuild(service, studio, 'boat')
  expect((await service.call('GET /v1/queues/early', { key: studio.server })).body).not.toHaveProperty('warnings')
  expect((await service.call('GET /v1/queues/duel', { key: studio.server })).body).not.toHaveProperty('warnings')
})
