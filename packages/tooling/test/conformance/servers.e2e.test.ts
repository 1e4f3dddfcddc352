import { beforeEach, expect } from 'vitest'
import { type Body, fault, outcome } from '../../src/conformance/client'
import { rule } from '../../src/conformance/rule'
import type { Studio } from '../../src/conformance/studio'
import { World } from '../../src/conformance/world'

const REGIONS = 'ams arn bom cdg dfw ewr fra iad lax lhr nrt ord sin sjc syd yyz'.split(' ')

let world: World
let studio: Studio
beforeEach(async () => {
  world = await World.open()
  studio = await world.studio()
  await studio.build()
})

const read = async ({ instance_id: id }: Body): Promise<Body> => (await studio.backend(`GET /v1/servers/${id}`)).body
const create = (fields: object) => studio.backend('POST /v1/servers', { version_tag: 'arena', ...fields })
const running = async (fields: Record<string, unknown> = {}): Promise<Body> => {
  const server = await studio.server(fields)
  await world.settle()
  return read(server)
}
const game = { name: 'game', protocol: 'udp', internal_port: 7777 }

rule('S-SRV-02', async () => {
  const server = await running()
  expect(server).toMatchObject({ tier: '1x-1g', version_tag: 'arena', ttl: null })
  const asPlayer = await studio.player('ann')(`GET /v1/servers/${server.instance_id}`)
  expect(outcome(asPlayer)).toEqual([403, 'CREDENTIAL_NOT_ALLOWED'])
})

rule('S-SRV-03', async () => {
  const { network_ports: ports } = await running({ network_ports: [game] })
  expect(ports).toEqual([{ ...game, external_port: expect.any(Number), host: expect.any(String), tls_enabled: false }])
})

rule('S-SRV-04', async () => {
  for (const region of REGIONS) expect((await studio.server({ region })).region).toBe(region)
  for (const region of ['IAD', 'xyz', '', 1]) expect(fault(await create({ region }))).toBe('region')
})

rule('C-8-01', async () => {
  const { status, body } = await create({ name: 'Mine', custom_data: { Map: null }, startup_args: '-a "b c"', ttl: 60 })
  expect(status).toBe(201)
  const now = world.instant()
  expect(body).toEqual({
    instance_id: expect.stringMatching(/^srv_/),
    project_id: studio.projectId,
    name: 'Mine',
    status: 'launching',
    status_reason: null,
    region: 'iad',
    tier: '1x-1g',
    version_tag: 'arena',
    build_id: null,
    build_version: null,
    network_ports: [],
    startup_args: '-a "b c"',
    ttl: 60,
    auto_restart: false,
    custom_data: { Map: null },
    match_id: null,
    node_id: null,
    exit_code: null,
    last_crash: null,
    end_reason: null,
    stop_reason: null,
    restarts: 0,
    created_at: now,
    running_at: null,
    stopped_at: null,
    expires_at: null,
    updated_at: now,
  })
})

rule('C-8-02', async () => {
  await studio.build('other')
  const first = await running()
  const second = await running({ version_tag: 'other', region: 'fra' })
  await studio.backend(`DELETE /v1/servers/${first.instance_id}`)
  await world.settle()
  const list = async (query: string) => {
    const { body } = await studio.backend(`GET /v1/servers${query}`)
    expect(body.total).toBe(body.data.length)
    return body.data.map((server: Body) => server.instance_id).sort()
  }
  const [a, b] = [first.instance_id, second.instance_id]
  expect(await list('')).toEqual([a, b].sort())
  expect(await list('?status=stopped')).toEqual([a])
  expect(await list('?region=fra')).toEqual([b])
  expect(await list('?version_tag=arena')).toEqual([a])
  expect(await list('?match_id=mat_none')).toEqual([])
  for (const query of ['status=dead', 'region=xyz']) {
    expect(fault(await studio.backend(`GET /v1/servers?${query}`))).toBe(query.split('=')[0])
  }
})

rule('C-8-03', async () => {
  const server = await running()
  const stop = () => studio.backend(`DELETE /v1/servers/${server.instance_id}`)
  const first = await stop()
  expect([first.status, first.body.status]).toEqual([200, 'stopping'])
  await world.settle()
  const ended = await read(server)
  expect(ended.status).toBe('stopped')
  world.clock.advance(5_000)
  const again = await stop()
  expect([again.status, again.body]).toEqual([200, ended])
})

rule('C-8-04', async () => {
  world.orchestrator.script = () => 'starting'
  const server = await running()
  const restart = () => studio.backend(`POST /v1/servers/${server.instance_id}/restart`)
  expect(outcome(await restart())).toEqual([409, 'INVALID_SERVER_STATE'])
  world.orchestrator.script = () => 'ready'
  world.orchestrator.makeReady(server.instance_id)
  await world.settle()
  const { status, body } = await restart()
  expect([status, body.instance_id]).toEqual([200, server.instance_id])
  await world.settle()
  expect((await read(server)).status).toBe('running')
  expect(world.orchestrator.launches).toHaveLength(2)
  await studio.backend(`DELETE /v1/servers/${server.instance_id}`)
  await world.settle()
  expect(outcome(await restart())).toEqual([409, 'INVALID_SERVER_STATE'])
})

rule('C-8-05', async () => {
  const server = await running()
  const path = `GET /v1/servers/${server.instance_id}/logs`
  for (const line of ['one', 'two', 'three']) {
    world.orchestrator.print(server.instance_id, line, line === 'two' ? 'stderr' : 'stdout')
    world.clock.advance(1_000)
  }
  const { body } = await studio.backend(path)
  expect(body).toEqual({
    instance_id: server.instance_id,
    logs: [
      { timestamp: world.instant(-3), stream: 'stdout', message: 'one' },
      { timestamp: world.instant(-2), stream: 'stderr', message: 'two' },
      { timestamp: world.instant(-1), stream: 'stdout', message: 'three' },
    ],
    has_more: false,
  })
  const messages = async (query: string) =>
    (await studio.backend(`${path}?${query}`)).body.logs.map(({ message }: Body) => message)
  expect(await messages('limit=1')).toEqual(['three'])
  expect(await messages(`since=${world.instant(-2)}`)).toEqual(['two', 'three'])
  for (const query of ['limit=0', 'limit=1001', 'since=yesterday', 'since=2026']) {
    expect(fault(await studio.backend(`${path}?${query}`))).toBe(query.split('=')[0])
  }
})

rule('C-8-06', async () => {
  const server = await studio.server()
  const seen = [server.status]
  await world.settle()
  seen.push((await read(server)).status)
  seen.push((await studio.backend(`DELETE /v1/servers/${server.instance_id}`)).body.status)
  await world.settle()
  seen.push((await read(server)).status)
  expect(seen).toEqual(['launching', 'running', 'stopping', 'stopped'])
})

rule('C-8-07', async () => {
  world.orchestrator.script = () => 'starting'
  const server = await running()
  await world.wait(59)
  expect((await read(server)).status).toBe('launching')
  await world.wait(1)
  expect((await read(server)).status).toBe('failed')
})

rule('C-8-08', async () => {
  world.orchestrator.script = () => 'retry'
  await studio.queueWithServer()
  const lobby = await studio.lobby()
  const started = (await studio.act('ann', lobby, 'POST', '/start')).body
  for (let second = 0; second < 60; second++) await world.wait(1)
  expect(world.orchestrator.launches).toHaveLength(3)
  expect(await studio.read(lobby)).toMatchObject({ status: 'waiting', match_id: null, server: null })
  const { body } = await studio.backend(`GET /v1/servers?match_id=${started.match_id}`)
  expect(body.data.map(({ status }: Body) => status)).toEqual(['failed'])
})

rule('C-8-09', async () => {
  for (const ttl of [59, 0, -1, 60.5, '60']) expect(fault(await create({ ttl }))).toBe('ttl')
  expect((await create({ ttl: 60 })).status).toBe(201)
})

rule('C-8-10', async () => {
  const server = await running({ auto_restart: true })
  for (let crash = 1; crash <= 6; crash++) {
    expect((await read(server)).status, `before crash ${crash}`).toBe('running')
    world.orchestrator.exit(server.instance_id, { code: 1 })
    await world.settle()
    for (let second = 0; second < 300 && world.orchestrator.launches.length === crash; second++) await world.wait(1)
    await world.settle()
  }
  expect(await read(server)).toMatchObject({ status: 'failed', exit_code: 1, restarts: 5 })
  const launched = world.orchestrator.launches.map(({ instanceId }) => instanceId)
  expect(launched).toEqual(Array(6).fill(server.instance_id))
})

rule('C-8-11', async () => {
  const ports = (fields: object) => create({ network_ports: [{ name: 'game', internal_port: 1, ...fields }] })
  expect(fault(await ports({ protocol: 'sctp' }))).toBe('network_ports.0.protocol')
  expect(fault(await ports({ protocol: 'udp', tls_enabled: true }))).toBe('network_ports.0.tls_enabled')
  expect(fault(await ports({ protocol: 'tcp+udp', tls_enabled: true }))).toBe('network_ports.0.tls_enabled')
  const plain = ['udp', 'tcp', 'tcp+udp'].map((protocol) => ({ protocol }))
  for (const fields of [...plain, { protocol: 'tcp', tls_enabled: true }]) {
    expect((await ports(fields)).status).toBe(201)
  }
})

rule('C-8-12', async () => {
  expect(await studio.server()).toMatchObject({ tier: '1x-1g', region: 'iad' })
})

rule('C-8-13', async () => {
  for (const args of ["-a 'b", '-a "b', '"']) expect(fault(await create({ startup_args: args }))).toBe('startup_args')
  for (const args of [`-a 'b "c'`, '', '-a "b c"']) expect((await create({ startup_args: args })).status).toBe(201)
})

rule('C-8-14', async () => {
  for (const restart of [true, false]) {
    const server = await running({ auto_restart: restart })
    world.orchestrator.exit(server.instance_id, { code: 0 })
    await world.settle()
    expect(await read(server)).toMatchObject({ status: 'stopped', exit_code: 0, restarts: 0 })
  }
})

rule('C-8-15', async () => {
  const coded = await running()
  world.orchestrator.exit(coded.instance_id, { code: 3 })
  const signalled = await running()
  world.orchestrator.exit(signalled.instance_id, { code: null, signal: 'SIGSEGV' })
  await world.settle()
  expect(await read(coded)).toMatchObject({ status: 'failed', exit_code: 3 })
  expect(await read(signalled)).toMatchObject({
    status: 'failed',
    exit_code: null,
    stop_reason: expect.stringContaining('SIGSEGV'),
  })
})

rule('C-8-16', async () => {
  world.orchestrator.script = () => 'starting'
  const server = await running({ ttl: 60 })
  await world.wait(20)
  expect(await read(server)).toMatchObject({ running_at: null, expires_at: null })
  world.orchestrator.makeReady(server.instance_id)
  await world.settle()
  expect(await read(server)).toMatchObject({ ttl: 60, running_at: world.instant(), expires_at: world.instant(60) })
  world.orchestrator.script = () => 'ready'
  expect(await running()).toMatchObject({ status: 'running', ttl: null, expires_at: null })
})

rule('C-8-17', async () => {
  const server = await running({ ttl: 60 })
  await world.wait(59)
  expect((await read(server)).status).toBe('running')
  await world.wait(1)
  expect(await read(server)).toMatchObject({ status: 'stopped', stopped_at: world.instant() })
})

rule('C-8-18', async () => {
  expect(outcome(await create({ version_tag: 'nothing' }))).toEqual([409, 'BUILD_NOT_READY'])
  await studio.backend('POST /v1/builds/upload-url', { name: 'slow', executable_path: 'server' })
  expect(outcome(await create({ version_tag: 'slow' }))).toEqual([409, 'BUILD_NOT_READY'])
})

rule('C-8-22', async () => {
  const server = await running()
  const other = await world.studio()
  const path = `/v1/servers/${server.instance_id}`
  expect((await studio.developer(`GET ${path}`)).body).toEqual(server)
  for (const caller of [other.backend, other.developer]) {
    for (const what of [`GET ${path}`, `DELETE ${path}`, `POST ${path}/restart`, `GET ${path}/logs`]) {
      expect(outcome(await caller(what)), what).toEqual([404, 'SERVER_NOT_FOUND'])
    }
  }
})

rule('C-8-23', async () => {
  expect(fault(await studio.developer('GET /v1/servers'))).toBe('project_id')
  expect(fault(await studio.developer('POST /v1/servers', { version_tag: 'arena' }))).toBe('project_id')
  const named = `POST /v1/servers?project_id=${studio.projectId}`
  expect((await studio.developer(named, { version_tag: 'arena' })).status).toBe(201)
})

rule('C-8-26', async () => {
  const clash = [game, { ...game, name: 'GAME', internal_port: 2 }]
  expect(fault(await create({ network_ports: clash }))).toMatch(/^network_ports/)
  const odd = [
    { ...game, name: 'a-b' },
    { ...game, name: 'a b' },
  ]
  expect(fault(await create({ network_ports: odd }))).toMatch(/^network_ports/)
  const queue = { queue_id: 'q', name: 'Q', server_settings: { network_ports: clash } }
  expect(fault(await studio.backend('POST /v1/queues', queue))).toMatch(/^server_settings\.network_ports/)
})
