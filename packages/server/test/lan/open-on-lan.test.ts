import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPERATIONS, type Permission } from '@matchyard/core'
import { ENDPOINTS } from '@matchyard/http'
import { expect, test } from 'vitest'
import { OPEN_ON_LAN, whyClosedOnLan } from '../../src/dev/open-on-lan'
import { temporaryFolder } from '../harness/folder'
import { startInProcess } from '../harness/in-process'

/** Operations that `dev --lan` keeps for programs of its own machine. A new operation joins this list or the other. */
const CLOSED_ON_LAN: readonly string[] = [
  ...['auth.register', 'auth.login', 'auth.code', 'auth.refresh', 'auth.logout', 'account.get'],
  ...['sessions.list', 'sessions.end', 'secondFactor.get', 'secondFactor.begin', 'secondFactor.activate'],
  ...['secondFactor.remove'],
  ...['projects.list', 'projects.create', 'projects.get', 'projects.delete', 'projects.events'],
  ...['projects.setPlayerAuth', 'projects.getPlayerAuth', 'keys.list', 'keys.mint', 'keys.revoke'],
  ...['projects.setBudget', 'projects.getBudget'],
  ...['billing.plan', 'billing.upgrade', 'billing.downgrade', 'billing.usage', 'billing.replacePaymentMethod'],
  ...['builds.createUpload', 'builds.upload', 'builds.registerImage', 'builds.list', 'builds.get', 'builds.update'],
  ...['builds.stop', 'builds.delete', 'builds.logs', 'servers.list', 'servers.create', 'servers.get', 'servers.stop'],
  ...['servers.restart', 'servers.logs', 'secrets.set', 'secrets.list', 'secrets.delete'],
  ...['machines.list', 'machines.cordon', 'machines.uncordon', 'machines.drain', 'machines.mintToken'],
  ...[
    'machines.revokeToken',
    'problems.list',
    'problems.acknowledge',
    'problems.mute',
    'history.read',
    'audit.list',
    'auth.join',
  ],
  ...['members.list', 'members.invite', 'members.setRole', 'members.remove', 'members.cancelInvitation'],
  ...['machine.wanted', 'machine.observed', 'machine.build', 'machine.archive'],
  ...['queues.create', 'queues.list', 'queues.get', 'queues.update', 'queues.delete', 'queues.stats'],
  ...['queues.arrivals', 'queues.history', 'queues.restore', 'bans.set', 'bans.get', 'bans.delete', 'bans.list'],
  ...['matches.assign', 'matches.backfill', 'matches.getBackfill', 'matches.cancelBackfill', 'matches.result'],
  ...['players.find', 'players.erase', 'ratings.set', 'ratings.get', 'ratings.list', 'ratings.delete'],
  ...['ratings.startSeason', 'ratings.seasons', 'ratings.calibration'],
  ...['webhooks.create', 'webhooks.list', 'webhooks.get', 'webhooks.update', 'webhooks.delete'],
  ...['webhooks.rotateSecret', 'webhooks.deliveries', 'webhooks.redeliver', 'webhooks.test'],
  ...['system.openapi', 'system.reference', 'system.metrics', 'system.top'],
]

const ALL = ENDPOINTS.map(({ operation }) => operation as string).sort()

test('each route is in one of the two lists: open to other machines, or closed', () => {
  expect([...OPEN_ON_LAN, ...CLOSED_ON_LAN].sort()).toEqual(ALL)
})

/** Operations that answer the same to players and to a developer with a session. */
const SAME_FOR_ALL = ['regions.list']

test('no open operation is for sessions or for server keys alone, and none tells a session more than players', () => {
  const facts: Readonly<Record<string, Permission>> = OPERATIONS
  for (const operation of OPEN_ON_LAN) {
    if (operation.startsWith('system.')) continue
    const { credentials = [] } = facts[operation] ?? {}
    expect([operation, credentials.includes('session')]).toEqual([operation, SAME_FOR_ALL.includes(operation)])
    expect([operation, credentials.includes('client') || credentials.includes('game-server')]).toEqual([
      operation,
      true,
    ])
  }
})

/** Starts a service that takes every caller for one of another machine. */
async function startForStrangers() {
  const consoleFiles = temporaryFolder()
  writeFileSync(join(consoleFiles, 'index.html'), '<!doctype html><title>Console</title>')
  return startInProcess({
    console: 'on',
    consoleFiles,
    app: { whyClosed: (operation) => whyClosedOnLan(operation, undefined) },
  })
}

const sample = (path: string) => path.replace(/\{[^{}]+\}/g, 'x')
const isReason = (text: string) => text.includes('only to programs on its own machine')

test('a closed route is NOT_FOUND before anything of the call is read, and an open route is not', async () => {
  const { call } = await startForStrangers()
  for (const { method, path, operation } of ENDPOINTS) {
    const { status, text } = await call(`${method.toUpperCase()} ${sample(path)}`, { key: 'no key' })
    expect([operation, isReason(text)]).toEqual([operation, !OPEN_ON_LAN.has(operation)])
    if (isReason(text)) expect([operation, status]).toEqual([operation, 404])
  }
})

test('an unusual spelling of a path opens no closed route', async () => {
  const { call, baseUrl } = await startForStrangers()
  const spellings = [
    '/%6detrics',
    '/v1/%62uilds',
    '/v1/bans?limit=1',
    '/%76%31/builds',
    '/reference?asset=standalone.js',
  ]
  for (const spelling of spellings) {
    expect([spelling, (await call(`GET ${spelling}`)).status]).toEqual([spelling, 404])
    expect([spelling, (await fetch(baseUrl + spelling, { method: 'HEAD' })).status]).toEqual([spelling, 404])
  }
})

test('an upload is refused without its body', async () => {
  const { call } = await startForStrangers()
  const { status, text } = await call('PUT /v1/uploads/x?expires=1&signature=y', { raw: Buffer.alloc(100_000) })
  expect([status, isReason(text)]).toEqual([404, true])
})

test('the first page shows another machine the links that answer, and no console', async () => {
  const { call } = await startForStrangers()
  const page = await call('GET /', { headers: { accept: 'text/html' } })
  expect(page.status).toBe(200)
  const links = [...page.text.matchAll(/href="\.\/([^"]+)"/g)].map(([, path]) => path)
  expect(links).toEqual(['errors', 'readyz', 'livez'])
  expect((await call('GET /')).body.links).toEqual({ errors: '/errors', readyz: '/readyz', livez: '/livez' })
  expect((await call('GET /console/')).status).toBe(404)
})
