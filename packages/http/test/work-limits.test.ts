import { expect, test } from 'vitest'
import { ENDPOINTS } from '../src/index'
import { WORK_PER_MINUTE } from '../src/middleware/work-limits'
import { OPERATIONS, type Operation } from '../src/operations'
import { startService } from './harness/service'
import { makeQueue, openStudio } from './harness/studio'

/**
 * Operations that need no limit per minute: they only read and commit in the service, or another bound limits their
 * work.
 */
const WITHIN: Readonly<Record<string, readonly Operation[]>> = {
  'limited by address': ['auth.register', 'auth.join', 'auth.login', 'auth.code'],
  'one commit of a session': [
    'auth.refresh',
    'auth.logout',
    'sessions.end',
    'projects.delete',
    'projects.setBudget',
    'keys.revoke',
    'members.setRole',
    'members.remove',
    'members.cancelInvitation',
  ],
  'read from the storage': [
    ...[
      'account.get',
      'sessions.list',
      'secondFactor.get',
      'projects.list',
      'projects.get',
      'projects.getPlayerAuth',
      'projects.getBudget',
      'members.list',
      'keys.list',
      'problems.list',
      'history.read',
    ],
    ...['billing.plan', 'billing.usage', 'builds.list', 'builds.get', 'servers.list', 'servers.get'],
    ...[
      'queues.list',
      'queues.get',
      'queues.stats',
      'queues.arrivals',
      'queues.history',
      'players.find',
      'players.self',
      'audit.list',
      'bans.get',
      'bans.list',
      'ratings.get',
      'ratings.list',
      'ratings.seasons',
      'ratings.leaderboard',
      'ratings.calibration',
      'ratings.ofPlayer',
    ],
    ...[
      'matches.get',
      'matches.list',
      'matches.getBackfill',
      'webhooks.list',
      'webhooks.get',
      'webhooks.deliveries',
      'machines.list',
      'regions.list',
      'secrets.list',
    ],
  ] as Operation[],
  'one commit of an operator': ['machines.cordon', 'machines.uncordon', 'machines.drain', 'machines.revokeToken'],
  'what was made is ended': ['builds.delete', 'servers.stop', 'webhooks.delete'],
  'one body for each URL, and so many under way': ['builds.upload'],
  'so many bytes a second of a machine': ['machine.observed'],
  'a stream has its place': ['projects.events', 'lobbies.events'],
  'one commit of a problem that was found': ['problems.acknowledge', 'problems.mute'],
  'one commit of a player': ['players.leaveMatch', 'matches.keepSeat', 'matches.freeSeat', 'matches.join'],
  'one commit of a backend': [
    ...['builds.update', 'queues.create', 'queues.update', 'queues.delete', 'queues.restore'],
    ...['matches.assign', 'matches.backfill', 'matches.cancelBackfill', 'matches.result', 'bans.set', 'bans.delete'],
    ...['secrets.set', 'secrets.delete'],
    ...['ratings.set', 'ratings.delete', 'ratings.startSeason'],
  ] as Operation[],
}
/** Returns the method and the path of an operation on resources that do not exist. Such calls count too. */
function pathOf(operation: string) {
  const found = ENDPOINTS.find((endpoint) => endpoint.operation === operation)
  if (found === undefined) throw new Error(`no endpoint is ${operation}`)
  return { method: found.method.toUpperCase(), path: found.path.replaceAll(/\{\w+\}/g, 'none') }
}

const ofPlayers = (operation: string) => operation.startsWith('lobbies.') || operation === 'matches.joinToken'
const ofOwnServer = (operation: string) => operation.startsWith('servers.self')
const ofTheService = (operation: string) => operation.startsWith('system.')

test('every operation that makes work outside the service has a limit, and every other says why it has none', () => {
  const known = new Set<string>([...Object.keys(WORK_PER_MINUTE), ...Object.values(WITHIN).flat()])
  const open = Object.keys(OPERATIONS).filter(
    (operation) =>
      !known.has(operation) && !ofPlayers(operation) && !ofOwnServer(operation) && !ofTheService(operation),
  )
  expect(open).toEqual([])
  const twice = Object.values(WITHIN)
    .flat()
    .filter((operation) => WORK_PER_MINUTE[operation] !== undefined)
  expect(twice).toEqual([])
})

test('tests and redeliveries of webhooks are so many a minute of a project, and those of others go on', async () => {
  const service = await startService({ app: { workLimits: 'on' } })
  const [studio, other] = [await openStudio(service), await openStudio(service)]
  const hook = async (key: string) =>
    (await service.call('POST /v1/webhooks', { key, body: { url: 'https://studio.example/hooks' } })).body.webhook_id
  const [own, others] = [await hook(studio.server), await hook(other.server)]
  const send = (key: string, id: string) => service.call(`POST /v1/webhooks/${id}/test`, { key })
  for (let i = 0; i < 10; i++) expect((await send(studio.server, own)).status).toBeLessThan(300)
  const refused = await send(studio.server, own)
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '60'])
  expect(refused.headers.get('ratelimit-policy')).toBe('"webhooks.test";q=10;w=60')
  expect((await send(other.server, others)).status).toBeLessThan(300)

  const again = () => service.call(`POST /v1/webhooks/${own}/deliveries/msg_none/redeliver`, { key: studio.server })
  const codes = []
  for (let i = 0; i < 31; i++) codes.push((await again()).body.code)
  expect([codes[0], codes[29], codes[30]]).toEqual(['NOT_FOUND', 'NOT_FOUND', 'RATE_LIMITED'])
  service.clock.advance(60_000)
  expect((await send(studio.server, own)).status).toBeLessThan(300)
})

test.each(Object.entries(WORK_PER_MINUTE))('%s may be called %i times a minute', async (operation, points) => {
  const service = await startService({ app: { workLimits: 'on' } })
  const studio = await openStudio(service)
  await makeQueue(service, studio)
  const { method, path } = pathOf(operation)
  const credentials: readonly string[] = OPERATIONS[operation as Operation].credentials
  const ofMachine = async () => (await service.matchyard.machines.mintToken({ name: 'fra-1' })).token ?? ''
  const token = credentials.includes('machine') ? await ofMachine() : studio.token
  const by = credentials.some((kind) => kind === 'session' || kind === 'machine') ? { token } : { key: studio.server }
  let last = await service.call(`${method} ${path}`, by)
  // The calls that created the studio have already counted.
  for (let i = 1; i <= points && last.status !== 429; i++) last = await service.call(`${method} ${path}`, by)
  expect(last.body.code).toBe('RATE_LIMITED')
})

test('nothing is limited where nobody asks for it', async () => {
  const service = await startService()
  const studio = await openStudio(service)
  for (let i = 0; i < 12; i++) {
    const { status } = await service.call('POST /v1/webhooks/none/test', { key: studio.server })
    expect(status).toBe(404)
  }
})
