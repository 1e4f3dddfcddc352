import { join } from 'node:path'
import { SILENT_LOGGER } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { expect, onTestFinished, test } from 'vitest'
import { readServeConfig, type ServiceOptions, startService } from '../src/index'
import { api } from './harness/api'
import { run } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { serveEnvironment, startServe } from './harness/services'

const ann = { email: 'ann@example.com', password: 'correct horse battery', name: 'Ann' }

/**
 * Starts the service as an embedding program does: with the configuration of an environment, and with options that no
 * variable has.
 */
async function startAsConfigured(environment: Record<string, string>, more: Partial<ServiceOptions> = {}) {
  const cwd = temporaryFolder()
  const service = await startService({
    ...readServeConfig(serveEnvironment(cwd, { ORCHESTRATOR: 'none', ...environment })),
    storage: memoryStorage(),
    installationId: 'test',
    logger: SILENT_LOGGER,
    ...more,
  })
  onTestFinished(() => service.stop())
  const { matchyard } = service
  const { id: projectId, accountId } = await matchyard.projects.ensure({ name: 'Arena' })
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel' })
  const keyOf = async (type: 'client' | 'server') =>
    (await matchyard.keys.mint({ accountId, projectId, type })).value ?? ''
  return { service, call: api(service.baseUrl), client: await keyOf('client'), accountId }
}

const lobby = { queue_id: 'duel' }

test('a service of one’s own is as closed as its configuration says', async () => {
  const { call, client, service, accountId } = await startAsConfigured({
    RATE_LIMIT_CREATIONS: '2',
    CONTROL_PLANE_ORIGINS: 'https://dash.example',
    METRICS_TOKEN: 'a-token-of-metrics-of-32-letters',
  })
  expect((await call('POST /v1/auth/register', { body: ann })).body.code).toBe('REGISTRATION_CLOSED')
  const made = []
  for (let n = 0; n < 3; n++) {
    made.push((await call('POST /v1/lobbies', { key: client, player: 'ann', body: lobby })).status)
  }
  expect(made).toEqual([201, 201, 429])
  const origin = { headers: { origin: 'https://dash.example' } }
  expect((await call('GET /v1/account', origin)).headers.get('access-control-allow-origin')).toBe(
    'https://dash.example',
  )
  expect((await call('GET /metrics')).status).toBe(401)
  expect((await call('GET /metrics', { token: 'a-token-of-metrics-of-32-letters' })).status).toBe(200)
  const card = { accountId, paymentMethodToken: 'pm_test_visa' }
  await expect(service.matchyard.billing.replacePaymentMethod(card)).rejects.toMatchObject({
    code: 'PAYMENT_METHOD_REQUIRED',
  })
})

test('and as open: strangers register, and proxies are believed', async () => {
  const { call } = await startAsConfigured({ REGISTRATION: 'open', TRUST_PROXY: '1' })
  expect((await call('POST /v1/auth/register', { body: ann })).status).toBe(201)
  let tries = 0
  // Each address may fail thirty times. The proxy's header gives the address.
  const from = async (address: string) => {
    const body = { email: `${++tries}@example.com`, password: 'wrong horse' }
    return (await call('POST /v1/auth/login', { body, headers: { 'x-forwarded-for': address } })).status
  }
  const all = await Promise.all(Array.from({ length: 40 }, () => from('203.0.113.1')))
  expect(all).toContain(429)
  expect(await from('203.0.113.2')).toBe(401)
})

test('told nothing, it takes no registration and no card', async () => {
  const service = await startService({
    storage: memoryStorage(),
    dataDirectory: join(temporaryFolder(), 'data'),
    secret: 'thirty-two characters of secret!',
    host: '127.0.0.1',
    port: 0,
    installationId: 'test',
    orchestrator: 'none',
    logger: SILENT_LOGGER,
  })
  onTestFinished(() => service.stop())
  const answer = await api(service.baseUrl)('POST /v1/auth/register', { body: ann })
  expect(answer.body.code).toBe('REGISTRATION_CLOSED')
})

test.each([
  [{ registraton: 'closed' }, 'startService: there is no option "registraton"; did you mean registration?'],
  [{ registration: 'close' }, 'startService: registration is closed or open, not "close"'],
  [{ payments: 'None' }, 'startService: payments is none or manual, not "None"'],
  [
    { orchestrator: 'dokcer' },
    'startService: orchestrator is process or docker or agones or agents or none, not "dokcer"',
  ],
  [{ metrics: 'close' }, 'startService: metrics is open or closed, not "close"'],
  [{ metrics: {} }, 'startService: metrics has no token'],
  [{ brakes: { creation: 3 } }, 'createApp, brakes: there is no option "creation"; did you mean creations?'],
])('a slip is no way in: %j', async (slip, message) => {
  await expect(startAsConfigured({}, slip as Partial<ServiceOptions>)).rejects.toThrow(message)
})

test('on a running `serve` a player is braked, and a backend is not', async () => {
  const cwd = temporaryFolder()
  const { call, url } = await startServe(cwd, { ORCHESTRATOR: 'none' })
  const env = { MATCHYARD_DATA: join(cwd, 'data'), PUBLIC_URL: url }
  const made = await run(['accounts', 'create', '--email', ann.email, '--json'], { cwd, env })
  const { client_key: client, server_key: server } = JSON.parse(made.stdout)
  const create = (key: string, player: string) =>
    call('POST /v1/lobbies', { key, player, body: { queue_id: 'demo', state: { mmr: 1500 } } })
  const all = await Promise.all(Array.from({ length: 11 }, () => create(client, 'ann')))
  expect(all.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), 429])
  const braked = all.find(({ status }) => status === 429)
  expect(braked?.body).toMatchObject({ code: 'RATE_LIMITED', details: { policy: 'creations' } })
  expect(Number(braked?.headers.get('retry-after'))).toBeGreaterThan(0)
  const byBackend = await Promise.all(Array.from({ length: 11 }, () => create(server, 'ann')))
  expect(byBackend.map(({ status }) => status)).toEqual(Array(11).fill(201))
})
