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
        disabled: false,
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
    const disabled = await service.call(`PATCH /v1/builds/${first.build_id}`, {
      key: studio.server,
      body: { disabled: true },
    })
    expect([disabled.status, disabled.body.disabled]).toEqual([200, true])
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
    ...['instance_id', 'project_id', 'name', 'status', 'status_reason'],
    ...['region', 'tier', 'version_tag', 'build_id', 'build_version'],
    ...['network_ports', 'startup_args', 'ttl', 'auto_restart', 'custom_data', 'match_id', 'node_id'],
    ...['exit_code', 'stop_reason'],
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
      has_more: false,
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
