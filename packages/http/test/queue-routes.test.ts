import { EXIT_REASONS } from '@matchyard/core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Body } from './harness/client'
import { type Service, startService } from './harness/service'
import { makeBuild, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service)
})

describe('queues', () => {
  test('have the defaults of docs/http-api.md §5; what was left out is absent', async () => {
    const { status, body } = await service.call('POST /v1/queues', {
      key: studio.server,
      body: { queue_id: 'q', name: 'Q' },
    })
    const now = new Date(service.clock.now()).toISOString()
    expect(status).toBe(201)
    expect(body).toEqual({
      queue_id: 'q',
      name: 'Q',
      enabled: true,
      max_players: 10,
      timeout: 300,
      heartbeat: false,
      heartbeat_timeout: 60,
      host_leave_behavior: 'promote',
      lobby_ttl: 3600,
      match_ttl: 86400,
      invite_code_config: { enabled: true, length: 6, charset: 'alphanumeric', prefix: '' },
      created_at: now,
      updated_at: now,
    })
  })

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

  test('with every field there is come back as they were sent', async () => {
    await makeBuild(service, studio, 'arena')
    const { status, body } = await service.call('POST /v1/queues', { key: studio.server, body: everything })
    expect([status, body]).toEqual([
      201,
      { ...everything, created_at: expect.any(String), updated_at: expect.any(String) },
    ])
    const read = await service.call('GET /v1/queues/all', { key: studio.server })
    expect(read.body).toEqual(body)
    // What is read can be sent again.
    const { created_at: _, updated_at: __, queue_id: ___, ...again } = read.body
    const patched = await service.call('PATCH /v1/queues/all', { key: studio.server, body: again })
    expect([patched.status, patched.body]).toEqual([200, read.body])
  })

  test('with team_composition keep the developer’s names', async () => {
    const team_composition = { RedTeam: { MainTank: 1, 'damage dealer': 3 }, blue: { MainTank: 2 } }
    const { body } = await service.call('POST /v1/queues', {
      key: studio.server,
      body: { queue_id: 'roles', name: 'R', matchmaking: { team_composition } },
    })
    expect(body.matchmaking).toEqual({ team_composition })
  })

  test('are patched field by field, nested objects replaced whole, queue_id unknown', async () => {
    await service.call('POST /v1/queues', { key: studio.server, body: everything })
    const patch = (body: object) => service.call('PATCH /v1/queues/all', { key: studio.server, body })
    const { body } = await patch({ name: 'New', invite_code_config: { length: 8 }, server_settings: { region: 'syd' } })
    expect(body).toMatchObject({ name: 'New', max_players: 7, matchmaking: everything.matchmaking })
    expect(body.invite_code_config).toEqual({ enabled: true, length: 8, charset: 'alphanumeric', prefix: '' })
    expect(body.server_settings).toEqual({ region: 'syd' })
    const refused = await patch({ queue_id: 'other' })
    expect(refused.body.details.issues).toEqual([{ path: 'queue_id', message: 'is not a known field' }])
  })

  test('are listed, measured and removed', async () => {
    for (const queueId of ['b', 'a'])
      await service.call('POST /v1/queues', { key: studio.server, body: { queue_id: queueId, name: queueId } })
    const { body } = await service.call('GET /v1/queues', { key: studio.server })
    expect(body.data.map(({ queue_id: id }: Body) => id)).toEqual(['a', 'b'])
    const stats = await service.call('GET /v1/queues/a/stats', { key: studio.server })
    expect(stats.body).toEqual({
      players_searching: 0,
      lobbies_searching: 0,
      matches_last_hour: 0,
      wait_seconds: { p50: null, p90: null, p99: null },
      recent_wait_seconds: { p50: null, p90: null, p99: null },
      estimated_wait_seconds: null,
      waiting_for_room: { servers: 0, oldest_seconds: null },
      warm: { ready: 0, allocated: 0 },
      proposals_last_hour: { made: 0, accepted: 0, declined: 0, expired: 0 },
      exits_last_hour: Object.fromEntries(EXIT_REASONS.map((reason) => [reason, 0])),
    })
    expect((await service.call('DELETE /v1/queues/a', { key: studio.server })).status).toBe(204)
    expect((await service.call('GET /v1/queues/a', { key: studio.server })).body.code).toBe('QUEUE_NOT_FOUND')
  })
})
