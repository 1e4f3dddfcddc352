import { beforeEach, expect } from 'vitest'
import { fault, outcome } from '../../src/conformance/client'
import { rule } from '../../src/conformance/rule'
import { World } from '../../src/conformance/world'

const REGIONS = 'ams arn bom cdg dfw ewr fra iad lax lhr nrt ord sin sjc syd yyz'.split(' ')
const TIERS = '1x-1g 1x-2g 1x-4g 2x-2g 2x-4g 2x-8g 4x-4g 4x-8g 4x-16g 8x-8g 8x-16g 8x-32g'.split(' ')
const GATE = [403, 'PLAN_LIMIT_EXCEEDED']

let world: World
beforeEach(async () => {
  world = await World.open()
})

const limitsOf = async (plan: 'free' | 'payg' | 'pro') =>
  (await (await world.studio(plan)).developer('GET /v1/billing/plan')).body.limits
const unlimited = {
  max_concurrent_servers: -1,
  max_tier: '8x-32g',
  max_server_ttl: -1,
  regions: REGIONS,
  max_builds: -1,
  payment_method_required: true,
}

rule('S-BIL-01', async () => {
  const { status, body } = await (await world.studio('free')).developer('GET /v1/billing/plan')
  expect(status).toBe(200)
  expect(Object.keys(body).sort()).toEqual([
    'current_period_end',
    'current_period_start',
    'limits',
    'payment_method',
    'pending_plan',
    'plan',
  ])
  expect([body.plan, body.pending_plan, body.payment_method]).toEqual(['free', null, null])
})

rule('S-BIL-02', async () => {
  const limits = await limitsOf('free')
  const types = Object.entries(limits).map(([name, value]) => [name, Array.isArray(value) ? 'array' : typeof value])
  expect(Object.fromEntries(types)).toEqual({
    max_concurrent_servers: 'number',
    max_tier: 'string',
    max_server_ttl: 'number',
    regions: 'array',
    max_builds: 'number',
    queues_enabled: 'boolean',
    lobbies_enabled: 'boolean',
    matchmaking_enabled: 'boolean',
    payment_method_required: 'boolean',
  })
})

rule('S-BIL-03', async () => {
  expect(await limitsOf('free')).toEqual({
    max_concurrent_servers: 1,
    max_tier: '1x-1g',
    max_server_ttl: 1_800,
    regions: ['iad'],
    max_builds: 5,
    queues_enabled: false,
    lobbies_enabled: false,
    matchmaking_enabled: false,
    payment_method_required: false,
  })
})

rule('S-BIL-04', async () => {
  const disabled = { queues_enabled: false, lobbies_enabled: false, matchmaking_enabled: false }
  expect(await limitsOf('payg')).toEqual({ ...unlimited, ...disabled })
})

rule('S-BIL-05', async () => {
  const enabled = { queues_enabled: true, lobbies_enabled: true, matchmaking_enabled: true }
  expect(await limitsOf('pro')).toEqual({ ...unlimited, ...enabled })
})

rule('C-3-02', async () => {
  const { max_concurrent_servers: servers, max_server_ttl: ttl, max_builds: builds, ...rest } = await limitsOf('pro')
  expect([servers, ttl, builds]).toEqual([-1, -1, -1])
  expect(rest.max_tier).toBe(TIERS.at(-1))
  expect([...rest.regions].sort()).toEqual(REGIONS)
})

rule('S-BIL-14', async () => {
  const studio = await world.studio('free')
  await studio.build()
  await studio.server()
  expect(outcome(await studio.backend('POST /v1/servers', { version_tag: 'arena' }))).toEqual(GATE)
})

rule('S-BIL-15', async () => {
  const studio = await world.studio('free')
  await studio.build()
  for (const fields of [{ tier: '1x-2g' }, { ttl: 1_801 }, { region: 'fra' }]) {
    const answer = await studio.backend('POST /v1/servers', { version_tag: 'arena', ...fields })
    expect(outcome(answer), JSON.stringify(fields)).toEqual(GATE)
  }
  const answer = await studio.server({ tier: '1x-1g', ttl: 1_800, region: 'iad' })
  expect(answer.status).toBe('launching')
})

rule('S-BIL-16', async () => {
  const studio = await world.studio('free')
  for (let n = 0; n < 5; n++) await studio.build(`build${n}`)
  const upload = { name: 'sixth', executable_path: 'server' }
  expect(outcome(await studio.backend('POST /v1/builds/upload-url', upload))).toEqual(GATE)
  const image = { name: 'sixth', image_url: 'example.com/game:1' }
  expect(outcome(await studio.backend('POST /v1/builds/docker-image', image))).toEqual(GATE)
})

rule('S-BIL-17', async () => {
  for (const plan of ['free', 'payg'] as const) {
    const studio = await world.studio(plan)
    expect(outcome(await studio.backend('POST /v1/queues', { queue_id: 'duel', name: 'Duel' }))).toEqual(GATE)
    expect(outcome(await studio.player('ann')('POST /v1/lobbies', { queue_id: 'duel' }))).toEqual(GATE)
  }
})

rule('S-BIL-18', async () => {
  const studio = await world.studio('payg')
  await studio.build()
  for (const [index, region] of REGIONS.entries()) {
    const server = await studio.server({ region, tier: TIERS[index % TIERS.length] })
    expect(server).toMatchObject({ status: 'launching', region, ttl: null })
  }
})

rule('C-3-10', async () => {
  const studio = await world.studio('payg')
  await studio.build()
  for (const tier of TIERS) expect((await studio.server({ tier })).tier).toBe(tier)
  for (const tier of ['16x-16g', '1x-8g', '', 4]) {
    expect(fault(await studio.backend('POST /v1/servers', { version_tag: 'arena', tier }))).toBe('tier')
  }
})

rule('C-3-17', async () => {
  const studio = await world.studio('free')
  await studio.build()
  await studio.server()
  const second = (await studio.developer('POST /v1/projects', { name: 'Second' })).body
  const create = { version_tag: 'arena' }
  expect(outcome(await studio.developer(`POST /v1/servers?project_id=${second.project_id}`, create))).toEqual(GATE)
})

rule('C-3-18', async () => {
  const studio = await world.studio('free')
  await studio.build()
  const detailsOf = async (fields: object) =>
    (await studio.backend('POST /v1/servers', { version_tag: 'arena', ...fields })).body.details
  expect(await detailsOf({ tier: '2x-4g' })).toEqual({
    limit: 'max_tier',
    plan: 'free',
    allowed: '1x-1g',
    requested: '2x-4g',
  })
  expect(await detailsOf({ ttl: 3_600 })).toMatchObject({ limit: 'max_server_ttl', allowed: 1_800, requested: 3_600 })
  expect(await detailsOf({ region: 'fra' })).toMatchObject({ limit: 'regions', allowed: ['iad'], requested: 'fra' })
  await studio.server()
  expect(await detailsOf({})).toMatchObject({ limit: 'max_concurrent_servers', allowed: 1, requested: 2 })
  const queue = await studio.backend('POST /v1/queues', { queue_id: 'duel', name: 'Duel' })
  expect(queue.body.details).toMatchObject({ limit: 'queues_enabled', plan: 'free', allowed: false, requested: true })
  const lobby = await studio.player('ann')('POST /v1/lobbies', { queue_id: 'duel' })
  expect(lobby.body.details).toMatchObject({ limit: 'lobbies_enabled', plan: 'free', allowed: false, requested: true })
})

rule('C-3-19', async () => {
  const studio = await world.studio('free')
  const builds = []
  for (let n = 0; n < 5; n++) builds.push(await studio.build(`build${n}`))
  await studio.backend(`DELETE /v1/builds/${builds[0].build_id}`)
  world.buildStore.verdict = () => ({ ok: false, message: 'no regular file at server' })
  expect((await studio.build('replacement')).status).toBe('failed')
  world.buildStore.verdict = () => ({ ok: true, unpackedBytes: 1, entries: 1 })
  expect((await studio.build('again')).status).toBe('ready')
  const upload = { name: 'sixth', executable_path: 'server' }
  expect(outcome(await studio.backend('POST /v1/builds/upload-url', upload))).toEqual(GATE)
})

rule('C-3-20', async () => {
  const studio = await world.studio('free')
  await studio.build()
  world.orchestrator.script = () => 'starting'
  const another = async () => outcome(await studio.backend('POST /v1/servers', { version_tag: 'arena' }))
  const { instance_id: id } = await studio.server()
  await world.settle()
  expect(await another()).toEqual(GATE)
  world.orchestrator.makeReady(id)
  await world.settle()
  expect(await another()).toEqual(GATE)
  expect((await studio.backend(`DELETE /v1/servers/${id}`)).body.status).toBe('stopping')
  expect(await another()).toEqual(GATE)
  await world.settle()
  expect(await another()).toEqual([201, undefined])
})

rule('C-3-21', async () => {
  const free = await world.studio('free')
  await free.build()
  expect((await free.server()).ttl).toBe(1_800)
  const pro = await world.studio('pro')
  await pro.build()
  expect((await pro.server()).ttl).toBeNull()
})
