import { beforeEach, expect } from 'vitest'
import { type Body, outcome } from '../../src/conformance/client'
import { rule } from '../../src/conformance/rule'
import type { Studio } from '../../src/conformance/studio'
import { World } from '../../src/conformance/world'

let world: World
let studio: Studio
beforeEach(async () => {
  world = await World.open()
  studio = await world.studio()
})

const configOf = (instanceId: string): Body =>
  world.orchestrator.launches.findLast((launch) => launch.instanceId === instanceId)?.config
const tokenOf = (instanceId: string) => world.as({ authorization: `Bearer ${configOf(instanceId).token}` })

rule('S-SRV-01', async () => {
  await studio.queueWithServer()
  const [lobby] = await studio.match()
  expect(lobby.server).toEqual({
    instance_id: expect.stringMatching(/^srv_/),
    region: 'iad',
    status: 'running',
    match_id: lobby.match_id,
    network_ports: [
      {
        name: 'game',
        protocol: 'udp',
        internal_port: 7777,
        external_port: expect.any(Number),
        host: expect.any(String),
        tls_enabled: false,
      },
    ],
  })
})

rule('C-8-19', async () => {
  await studio.queueWithServer({ startup_args: '-a', custom_data: { Mode: null }, region: 'fra', ttl: 600 })
  const lobby = await studio.inGame()
  const config = configOf(lobby.server.instance_id)
  expect(Object.keys(config).sort()).toEqual(
    [
      'instance_id project_id queue_id match_id match_version region tier version_tag build_version startup_args network_ports',
      'custom_data settings teams api_url token join_token_key expires_at',
    ]
      .join(' ')
      .split(' ')
      .sort(),
  )
  expect(config).toMatchObject({
    instance_id: lobby.server.instance_id,
    project_id: studio.projectId,
    queue_id: 'duel',
    match_id: lobby.match_id,
    region: 'fra',
    tier: '1x-1g',
    version_tag: 'arena',
    build_version: 1,
    startup_args: '-a',
    network_ports: lobby.server.network_ports,
  })
  const text = JSON.stringify(config)
  for (const key of [studio.clientKey, studio.serverKey]) expect(text).not.toContain(key)
})

rule('C-8-20', async () => {
  await studio.build()
  world.orchestrator.script = () => 'starting'
  const { instance_id: id } = await studio.server()
  await world.settle()
  const self = tokenOf(id)
  const statusOf = async () => (await studio.backend(`GET /v1/servers/${id}`)).body.status
  expect((await self('POST /v1/servers/self/heartbeat')).status).toBe(204)
  expect(await statusOf()).toBe('launching')
  expect((await self('POST /v1/servers/self/ready')).status).toBe(204)
  expect(await statusOf()).toBe('running')
  expect((await self('POST /v1/servers/self/shutdown')).status).toBe(204)
  await world.settle()
  expect(await statusOf()).toBe('stopped')
  // The session token becomes invalid when its game server stops.
  expect(outcome(await self('POST /v1/servers/self/heartbeat'))).toEqual([401, 'INVALID_SESSION_TOKEN'])
})

rule('C-8-21', async () => {
  await studio.build()
  const { instance_id: id } = await studio.server()
  await world.settle()
  for (const call of ['ready', 'heartbeat', 'shutdown']) {
    const what = `POST /v1/servers/self/${call}`
    expect(outcome(await world.nobody(what))).toEqual([401, 'MISSING_CREDENTIALS'])
    for (const caller of [studio.backend, studio.developer, studio.player('ann')]) {
      expect(outcome(await caller(what))).toEqual([403, 'CREDENTIAL_NOT_ALLOWED'])
    }
  }
  const self = tokenOf(id)
  for (const what of [`GET /v1/servers/${id}`, 'GET /v1/queues', 'GET /v1/lobbies', 'GET /v1/account']) {
    expect(outcome(await self(what)), what).toEqual([403, 'CREDENTIAL_NOT_ALLOWED'])
  }
})

rule('C-8-24', async () => {
  await studio.queueWithServer({ custom_data: { of: 'queue' } })
  const first = await studio.queued('ann', { settings: { map: 'A' }, state: { mmr: 1 } })
  world.clock.advance(1_000)
  const second = await studio.queued('bob', { settings: { map: 'B' }, state: { mmr: 2 } })
  await studio.tick()
  await world.settle()
  const { server } = await studio.read(first)
  const config = configOf(server.instance_id)
  expect(config).toMatchObject({ custom_data: { of: 'queue' }, settings: { map: 'A' } })
  const players = config.teams.flatMap((team: Body) => team.players)
  expect(config.teams.map(({ name }: Body) => name)).toEqual(['team_1', 'team_2'])
  expect(players.sort((a: Body, b: Body) => (a.player_id < b.player_id ? -1 : 1))).toEqual([
    { player_id: 'ann', lobby_id: first.lobby_id, role: null, state: { mmr: 1 } },
    { player_id: 'bob', lobby_id: second.lobby_id, role: null, state: { mmr: 2 } },
  ])
})

rule('C-8-25', async () => {
  await studio.queue({ server_settings: { version_tag: 'nothing' } })
  const lobby = await studio.lobby()
  const started = await studio.act('ann', lobby, 'POST', '/start')
  expect([started.status, started.body.status]).toEqual([200, 'starting'])
  await world.settle()
  expect(await studio.read(lobby)).toMatchObject({ status: 'waiting', match_id: null, server: null })
  const { body } = await studio.backend(`GET /v1/servers?match_id=${started.body.match_id}`)
  expect(body.data).toHaveLength(1)
  expect([body.data[0].status, typeof body.data[0].stop_reason]).toEqual(['failed', 'string'])
})

rule('C-8-30', async () => {
  await studio.queueWithServer()
  const [mine, theirs] = await studio.match()
  expect((await tokenOf(mine.server.instance_id)('POST /v1/servers/self/shutdown')).status).toBe(204)
  await world.settle()
  for (const lobby of [mine, theirs])
    expect(await studio.read(lobby)).toMatchObject({ status: 'waiting', server: null })
})

rule('C-8-31', async () => {
  await studio.queueWithServer()
  world.orchestrator.script = () => 'starting'
  const [mine, theirs] = await studio.match()
  expect(mine.status).toBe('matched')
  expect((await tokenOf(mine.server.instance_id)('POST /v1/servers/self/ready')).status).toBe(204)
  await world.settle()
  for (const lobby of [mine, theirs]) {
    expect(await studio.read(lobby)).toMatchObject({ status: 'in_game', server: { status: 'running' } })
  }
})
