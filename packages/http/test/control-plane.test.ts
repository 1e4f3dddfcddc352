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

const WEEK = 7 * 86_400_000
const asDeveloper = (body?: unknown) => ({ token: studio.token, ...(body === undefined ? {} : { body }) })

describe('sessions', () => {
  test('register answers 201 with a session for seven days, on free', async () => {
    const { status, body } = await service.call('POST /v1/auth/register', {
      body: { email: 'Ann@Example.com', password: 'correct horse', name: 'Ann' },
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      token: expect.any(String),
      token_type: 'Bearer',
      expires_at: new Date(service.clock.now() + WEEK).toISOString(),
      account: {
        id: expect.stringMatching(/^acc_/),
        email: 'ann@example.com',
        name: 'Ann',
        plan: 'free',
        created_at: new Date(service.clock.now()).toISOString(),
        updated_at: new Date(service.clock.now()).toISOString(),
      },
    })
    expect((await service.call('GET /v1/account', { token: body.token })).body).toEqual(body.account)
    const login = await service.call('POST /v1/auth/login', {
      body: { email: 'ANN@example.com', password: 'correct horse' },
    })
    expect([login.status, login.body.account.id]).toEqual([200, body.account.id])
    // A login does not end other chains.
    expect((await service.call('GET /v1/account', { token: body.token })).status).toBe(200)
  })

  test.each([
    ['a short password', { password: '1234567' }, 'password'],
    ['a long one', { password: 'x'.repeat(257) }, 'password'],
    ['no address', { email: 'ann' }, 'email'],
    ['no name', { name: '' }, 'name'],
  ])('%s is refused', async (_what, fields, path) => {
    const body = { email: 'bob@example.com', password: 'correct horse', name: 'Bob', ...fields }
    const answer = await service.call('POST /v1/auth/register', { body })
    expect([answer.status, answer.body.details.issues[0].path]).toEqual([400, path])
  })

  test('refresh kills the token used; of many at once exactly one wins', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => service.call('POST /v1/auth/refresh', asDeveloper())),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    for (const { status, body } of answers) if (status !== 200) expect(body.code).toBe('INVALID_SESSION_TOKEN')
    expect((await service.call('GET /v1/account', asDeveloper())).body.code).toBe('INVALID_SESSION_TOKEN')
    expect((await service.call('GET /v1/account', { token: won[0]?.body.token })).status).toBe(200)
  })

  test('logout answers 204 and ends the token', async () => {
    expect((await service.call('POST /v1/auth/logout', asDeveloper())).status).toBe(204)
    expect((await service.call('GET /v1/account', asDeveloper())).body.code).toBe('INVALID_SESSION_TOKEN')
  })
})

describe('projects and keys', () => {
  test('one call gives a usable project with both keys', async () => {
    const { status, body } = await service.call('POST /v1/projects', asDeveloper({ name: 'My Arena!' }))
    expect(status).toBe(201)
    expect(body).toMatchObject({ account_id: studio.accountId, name: 'My Arena!', slug: 'my-arena' })
    expect(body.keys.map(({ type }: Body) => type)).toEqual(['client', 'server'])
    const [client] = body.keys
    expect(client).toEqual({
      key_id: expect.stringMatching(/^key_/),
      project_id: body.project_id,
      type: 'client',
      name: expect.any(String),
      last4: client.key.slice(-4),
      created_at: body.created_at,
      revoked_at: null,
      key: expect.stringMatching(/^ck_live_[0-9A-Za-z]{36}$/),
    })
    const { keys: _, ...project } = body
    expect((await service.call(`GET /v1/projects/${body.project_id}`, asDeveloper())).body).toEqual(project)
  })

  test('key values are shown once, and lists never hold them', async () => {
    const keys = `/v1/projects/${studio.projectId}/keys`
    const minted = await service.call(`POST ${keys}`, asDeveloper({ type: 'server', name: 'CI' }))
    expect([minted.status, minted.body.name]).toEqual([201, 'CI'])
    expect((await service.call('GET /v1/queues', { key: minted.body.key })).status).toBe(200)
    const { body, text } = await service.call(`GET ${keys}`, asDeveloper())
    expect(body.total).toBe(3)
    expect(text).not.toContain(minted.body.key)
    expect(body.data.every((key: Body) => !('key' in key) && !('hash' in key))).toBe(true)
    expect((await service.call(`DELETE ${keys}/${minted.body.key_id}`, asDeveloper())).status).toBe(204)
    expect((await service.call('GET /v1/queues', { key: minted.body.key })).body.code).toBe('INVALID_API_KEY')
    const revoked = (await service.call(`GET ${keys}`, asDeveloper())).body.data[2]
    expect(revoked.revoked_at).toBe(new Date(service.clock.now()).toISOString())
  })

  test('a deleted project is gone with its keys', async () => {
    expect((await service.call(`DELETE /v1/projects/${studio.projectId}`, asDeveloper())).status).toBe(204)
    expect((await service.call('GET /v1/queues', { key: studio.server })).body.code).toBe('INVALID_API_KEY')
    expect((await service.call('GET /v1/projects', asDeveloper())).body).toMatchObject({ total: 0, data: [] })
    expect((await service.call(`DELETE /v1/projects/${studio.projectId}`, asDeveloper())).body.code).toBe(
      'PROJECT_NOT_FOUND',
    )
  })

  test('lists page', async () => {
    for (const name of ['B', 'C']) await service.call('POST /v1/projects', asDeveloper({ name }))
    const page = await service.call('GET /v1/projects?limit=2&offset=1', asDeveloper())
    expect(page.body).toMatchObject({ total: 3, limit: 2, offset: 1, has_more: false })
    expect(page.body.data.map(({ name }: Body) => name)).toEqual(['B', 'C'])
    expect((await service.call('GET /v1/projects?limit=1', asDeveloper())).body.has_more).toBe(true)
  })
})

describe('billing', () => {
  test('the plan says what the account may do, unlimited as -1', async () => {
    const { body } = await service.call('GET /v1/billing/plan', asDeveloper())
    expect(body).toEqual({
      plan: 'pro',
      limits: {
        max_concurrent_servers: -1,
        max_tier: '8x-32g',
        max_server_ttl: -1,
        regions: expect.arrayContaining(['ams', 'yyz']),
        max_builds: -1,
        queues_enabled: true,
        lobbies_enabled: true,
        matchmaking_enabled: true,
        payment_method_required: true,
      },
      current_period_start: '2026-03-01T00:00:00.000Z',
      current_period_end: '2026-04-01T00:00:00.000Z',
      pending_plan: null,
      payment_method: { type: 'card', brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2099 },
    })
  })

  test('a downgrade is pending until the period ends; the current plan clears it', async () => {
    const downgrade = (plan: string) => service.call('POST /v1/billing/downgrade', asDeveloper({ plan }))
    expect((await downgrade('free')).body).toMatchObject({ plan: 'pro', pending_plan: 'free' })
    expect((await downgrade('pro')).body).toMatchObject({ plan: 'pro', pending_plan: null })
    await downgrade('payg')
    service.clock.advanceTo(Date.UTC(2026, 3, 1))
    await service.settle()
    const { token } = (
      await service.call('POST /v1/auth/login', { body: { email: await emailOf(), password: 'correct horse' } })
    ).body
    expect((await service.call('GET /v1/billing/plan', { token })).body).toMatchObject({
      plan: 'payg',
      pending_plan: null,
    })
  })
  const emailOf = async () => (await service.storage.get('account', studio.accountId))?.email

  test('an unknown card is PAYMENT_METHOD_REQUIRED', async () => {
    const free = await openStudio(service, 'free')
    const { body } = await service.call('POST /v1/billing/upgrade', {
      token: free.token,
      body: { plan: 'payg', payment_method_token: 'pm_bad' },
    })
    expect([body.status, body.code]).toEqual([402, 'PAYMENT_METHOD_REQUIRED'])
  })

  test('usage is in USD, by project; the credit of pro is taken off', async () => {
    await makeBuild(service, studio)
    await service.call('POST /v1/servers', { key: studio.server, body: { version_tag: 'arena', tier: '8x-32g' } })
    await service.settle()
    service.clock.advance(100 * 3_600_000)
    // The session of 100 hours ago still holds; 100 h at 8 CPU and 32 GiB cost 32 USD.
    const { body } = await service.call('GET /v1/billing/usage', asDeveloper())
    expect(body).toEqual({
      period: '2026-03',
      total_cost: 32,
      credit_applied: 5,
      balance_due: 27,
      projects: [{ project_id: studio.projectId, name: 'Arena', cost: 32 }],
    })
    const future = await service.call('GET /v1/billing/usage?month=2030-01', asDeveloper())
    expect(future.body).toEqual({ period: '2030-01', total_cost: 0, credit_applied: 0, balance_due: 0, projects: [] })
    for (const month of ['2026-13', '2026-3', 'now', '']) {
      expect((await service.call(`GET /v1/billing/usage?month=${month}`, asDeveloper())).body.code).toBe(
        'VALIDATION_FAILED',
      )
    }
  })
})

describe('builds', () => {
  test('go from an upload URL over a PUT to ready', async () => {
    const { status, body } = await service.call('POST /v1/builds/upload-url', {
      key: studio.server,
      body: { name: 'arena', executable_path: 'bin/server' },
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      build_id: body.build.build_id,
      upload_url: expect.stringContaining(`/v1/uploads/${body.build_id}?`),
      expires_at: new Date(service.clock.now() + 15 * 60_000).toISOString(),
      build: {
        build_id: expect.stringMatching(/^bld_/),
        name: 'arena',
        version: 1,
        status: 'uploading',
        build_type: 'zip',
        created_at: new Date(service.clock.now()).toISOString(),
        updated_at: new Date(service.clock.now()).toISOString(),
        executable_path: 'bin/server',
        error_message: null,
      },
    })
    const { pathname, search } = new URL(body.upload_url)
    expect((await service.call(`PUT ${pathname}${search}`, { raw: 'PK' })).status).toBe(204)
    await service.settle()
    const read = await service.call(`GET /v1/builds/${body.build_id}`, { token: studio.token })
    expect(read.body.status).toBe('ready')
    const logs = await service.call(`GET /v1/builds/${body.build_id}/logs`, { key: studio.server })
    expect(Object.keys(logs.body)).toEqual(['build_id', 'logs'])
    for (const line of logs.body.logs) expect(Object.keys(line)).toEqual(['timestamp', 'level', 'message'])
  })

  test('of a container image have no executable_path; a session names its project', async () => {
    const { status, body } = await service.call(`POST /v1/builds/docker-image?project_id=${studio.projectId}`, {
      token: studio.token,
      body: { name: 'arena', image_url: 'ghcr.io/studio/arena:1' },
    })
    expect([status, body.status, body.build_type, body.image_url]).toEqual([
      201,
      'processing',
      'docker_image',
      'ghcr.io/studio/arena:1',
    ])
    expect(body).not.toHaveProperty('executable_path')
    await service.settle()
    expect((await service.call(`GET /v1/builds/${body.build_id}`, { key: studio.server })).body.status).toBe('ready')
  })

  test.each([
    ['/v1/builds/upload-url', { name: 'a', executable_path: '../x' }, 'executable_path'],
    ['/v1/builds/upload-url', { name: '-a', executable_path: 'x' }, 'name'],
    ['/v1/builds/docker-image', { name: 'a', image_url: 'https://x/y' }, 'image_url'],
  ])('%s refuses %j', async (path, body, field) => {
    const answer = await service.call(`POST ${path}`, { key: studio.server, body })
    expect([answer.status, answer.body.details.issues[0].path]).toEqual([400, field])
  })

  test('list newest first, deleted ones only when asked for', async () => {
    const first = await makeBuild(service, studio, 'one')
    const second = await makeBuild(service, studio, 'two')
    const list = async (query: string) =>
      (await service.call(`GET /v1/builds?${query}`, { key: studio.server })).body.data.map(({ name }: Body) => name)
    expect((await service.call(`DELETE /v1/builds/${first.build_id}`, { key: studio.server })).status).toBe(204)
    expect((await service.call(`GET /v1/builds/${first.build_id}`, { key: studio.server })).body.status).toBe('deleted')
    expect((await service.call(`DELETE /v1/builds/${first.build_id}`, { key: studio.server })).body.code).toBe(
      'BUILD_NOT_FOUND',
    )
    expect(await list('')).toEqual(['two'])
    expect(await list('status=deleted')).toEqual(['one'])
    expect(await list('name=two&build_type=zip')).toEqual(['two'])
    expect(await list('build_type=docker_image')).toEqual([])
    expect(second.version).toBe(1)
  })
})

describe('servers', () => {
  const fullFields = [
    ...['instance_id', 'project_id', 'name', 'status', 'region', 'tier', 'version_tag', 'build_id', 'build_version'],
    ...['network_ports', 'startup_args', 'ttl', 'auto_restart', 'custom_data', 'match_id', 'exit_code', 'stop_reason'],
    ...['restarts', 'created_at', 'running_at', 'stopped_at', 'expires_at', 'updated_at'],
  ]

  test('are launched, read, restarted, stopped; the full object has every field', async () => {
    await makeBuild(service, studio)
    const made = await service.call('POST /v1/servers', {
      key: studio.server,
      body: {
        version_tag: 'arena',
        region: 'fra',
        tier: '2x-4g',
        network_ports: [{ name: 'game', protocol: 'tcp', internal_port: 7777, tls_enabled: true }],
        startup_args: '--mode "a b"',
        ttl: 600,
        auto_restart: true,
        custom_data: { Deep: { null: null } },
        name: 'My server',
      },
    })
    expect([made.status, made.body.status, Object.keys(made.body)]).toEqual([201, 'launching', fullFields])
    await service.settle()
    const path = `/v1/servers/${made.body.instance_id}`
    const { body: running } = await service.call(`GET ${path}`, { token: studio.token })
    expect(running).toMatchObject({
      status: 'running',
      region: 'fra',
      tier: '2x-4g',
      build_version: 1,
      startup_args: '--mode "a b"',
      ttl: 600,
      auto_restart: true,
      custom_data: { Deep: { null: null } },
      name: 'My server',
      match_id: null,
      exit_code: null,
      stopped_at: null,
      expires_at: new Date(service.clock.now() + 600_000).toISOString(),
      network_ports: [
        {
          name: 'game',
          protocol: 'tcp',
          internal_port: 7777,
          tls_enabled: true,
          host: '127.0.0.1',
          external_port: expect.any(Number),
        },
      ],
    })
    service.orchestrator.print(made.body.instance_id, 'hello')
    const { body: logs } = await service.call(`GET ${path}/logs?limit=1`, { key: studio.server })
    expect(logs).toEqual({
      instance_id: made.body.instance_id,
      logs: [{ timestamp: new Date(service.clock.now()).toISOString(), stream: 'stdout', message: 'hello' }],
    })
    const later = new Date(service.clock.now() + 1).toISOString()
    expect((await service.call(`GET ${path}/logs?since=${later}`, { key: studio.server })).body.logs).toEqual([])
    for (const query of ['limit=0', 'limit=1001', 'since=yesterday', 'since=2026']) {
      expect((await service.call(`GET ${path}/logs?${query}`, { key: studio.server })).body.code, query).toBe(
        'VALIDATION_FAILED',
      )
    }
    expect((await service.call(`POST ${path}/restart`, { token: studio.token })).status).toBe(200)
    await service.settle()
    const stopped = await service.call(`DELETE ${path}`, { key: studio.server })
    expect([stopped.status, stopped.body.status, stopped.body.restarts]).toEqual([200, 'stopping', 1])
    await service.settle()
    const ended = await service.call(`DELETE ${path}`, { key: studio.server })
    expect([ended.status, ended.body.status]).toEqual([200, 'stopped'])
    expect((await service.call(`POST ${path}/restart`, { key: studio.server })).body.code).toBe('INVALID_SERVER_STATE')
  })

  test('are listed by status, region and name of the build', async () => {
    await makeBuild(service, studio)
    for (const region of ['iad', 'fra'])
      await service.call('POST /v1/servers', { key: studio.server, body: { version_tag: 'arena', region } })
    const total = async (query: string) =>
      (await service.call(`GET /v1/servers?${query}`, { key: studio.server })).body.total
    expect(
      await Promise.all(
        [
          '',
          'region=fra',
          'status=launching',
          'status=running',
          'version_tag=arena',
          'version_tag=x',
          'match_id=mat_1',
        ].map(total),
      ),
    ).toEqual([2, 1, 2, 0, 2, 0, 0])
    const mine = await service.call(`GET /v1/servers?project_id=${studio.projectId}`, { token: studio.token })
    expect(mine.body.total).toBe(2)
  })

  test('speak for themselves with the token of their own configuration', async () => {
    await makeBuild(service, studio)
    service.orchestrator.script = () => 'starting'
    const { body: made } = await service.call('POST /v1/servers', {
      key: studio.server,
      body: { version_tag: 'arena' },
    })
    await service.settle()
    const token = String(service.orchestrator.launches[0]?.config.token)
    const say = (what: string) => service.call(`POST /v1/servers/self/${what}`, { token })
    const status = async () =>
      (await service.call(`GET /v1/servers/${made.instance_id}`, { key: studio.server })).body.status
    expect(await status()).toBe('launching')
    expect((await say('ready')).status).toBe(204)
    expect(await status()).toBe('running')
    expect((await say('heartbeat')).status).toBe(204)
    expect((await say('shutdown')).status).toBe(204)
    expect(await status()).toBe('stopping')
    await service.settle()
    expect((await say('heartbeat')).body.code).toBe('INVALID_SESSION_TOKEN')
  })
})

describe('queues', () => {
  test('have the defaults of the contract; what was left out is absent', async () => {
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
      estimated_wait_seconds: null,
    })
    expect((await service.call('DELETE /v1/queues/a', { key: studio.server })).status).toBe(204)
    expect((await service.call('GET /v1/queues/a', { key: studio.server })).body.code).toBe('QUEUE_NOT_FOUND')
  })
})
