import type { Permission } from '@matchyard/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { appOf } from '../src/app'
import { ENDPOINTS } from '../src/index'
import { OPERATIONS, type Operation } from '../src/operations'
import { type CallOptions, headersOf } from './harness/client'
import { type Service, startService } from './harness/service'
import { makeBuild, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio
let gameServerToken: string
let machineToken: string

beforeAll(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeBuild(service, studio)
  await service.call('POST /v1/servers', { key: studio.server, body: { version_tag: 'arena' } })
  await service.settle()
  gameServerToken = String(service.orchestrator.launches[0]?.config.token)
  machineToken = (await service.matchyard.machines.mintToken({ name: 'fra-1' })).token ?? ''
})

const KINDS = ['client', 'server', 'session', 'game-server', 'machine'] as const
type Kind = (typeof KINDS)[number]

const credential = (kind: Kind): CallOptions =>
  ({
    client: { key: studio.client },
    server: { key: studio.server },
    session: { token: studio.token },
    'game-server': { token: gameServerToken },
    machine: { token: machineToken },
  })[kind]

/** Returns a call of the operation on resources that do not exist. Tests send it with a body that no route accepts. */
const callOf = (operation: Operation): string => {
  const found = ENDPOINTS.find((endpoint) => endpoint.operation === operation)
  if (found === undefined) throw new Error(`no route for ${operation}`)
  return `${found.method.toUpperCase()} ${found.path.replace(/\{[^}]+\}/g, 'none')}`
}

// The invalid body keeps a call from changing anything: a logout would end the session of all later cases.
const HARMLESS: CallOptions = { body: { not_a_field: 1 } }

const operations = Object.keys(OPERATIONS) as Operation[]
const guarded = operations.filter((operation) => (OPERATIONS[operation] as Permission).credentials.length > 0)
const open = operations.filter((operation) => (OPERATIONS[operation] as Permission).credentials.length === 0)
const WATCHED: readonly Operation[] = ['servers.selfEvents', 'projects.events']
const hasBody = (what: string) => !what.startsWith('GET ')

describe('every operation and every kind of credential', () => {
  const rows = guarded.flatMap((operation) => KINDS.map((kind) => [operation, kind] as const))

  test.each(rows)('%s with %s', async (operation, kind) => {
    const what = callOf(operation)
    const options = { ...(hasBody(what) ? HARMLESS : {}), ...credential(kind) }
    const { credentials }: Permission = OPERATIONS[operation]
    // These streams exist for game servers and backends: each stays open until it is cancelled.
    if (WATCHED.includes(operation) && credentials.includes(kind)) {
      const response = await service.app.request(what.split(' ')[1] ?? '', { headers: headersOf(options) })
      expect(response.status).toBe(200)
      return response.body?.cancel()
    }
    const { status, body } = await service.call(what, options)
    // A client key lists the matches of a player whom a token names, which this project does not read.
    if (operation === 'matches.list' && kind === 'client') return expect(body.detail).toContain('player_auth.mode')
    if (credentials.includes(kind)) {
      expect(body.code).not.toBe('CREDENTIAL_NOT_ALLOWED')
      expect(status).not.toBe(401)
      expect(status).toBeLessThan(500)
    } else expect([status, body.code]).toEqual([403, 'CREDENTIAL_NOT_ALLOWED'])
  })

  test.each(guarded)('%s without a credential', async (operation) => {
    const what = callOf(operation)
    const { status, body, headers } = await service.call(what, hasBody(what) ? HARMLESS : {})
    expect([status, body.code]).toEqual([401, 'MISSING_CREDENTIALS'])
    expect(headers.get('www-authenticate')).toBe('Bearer')
  })

  test.each(open)('%s is open to everybody', async (operation) => {
    const what = callOf(operation)
    const { status } = await service.call(what, {
      ...(hasBody(what) ? HARMLESS : {}),
      token: 'nonsense',
      key: 'nonsense',
    })
    expect([401, 500]).not.toContain(status)
  })

  test.each(guarded)('%s with a key that is not real', async (operation) => {
    const what = callOf(operation)
    const { status, body } = await service.call(what, { ...(hasBody(what) ? HARMLESS : {}), key: 'sk_live_nonsense' })
    expect([status, body.code]).toEqual([401, 'INVALID_API_KEY'])
  })

  test.each(guarded)('%s with a token that is not real', async (operation) => {
    const what = callOf(operation)
    for (const token of ['nonsense', 'srvt_nonsense', `${gameServerToken.slice(0, -1)}x`, `${studio.token}x`]) {
      const { status, body } = await service.call(what, { ...(hasBody(what) ? HARMLESS : {}), token })
      expect([status, body.code], token).toEqual([401, 'INVALID_SESSION_TOKEN'])
    }
  })
})

describe('players', () => {
  const demanding = operations.filter((operation) =>
    ['required', 'unless-backend'].includes(OPERATIONS[operation].player),
  )

  test.each(demanding)('%s demands a player id, before it looks at anything', async (operation) => {
    const what = callOf(operation)
    const { status, body } = await service.call(what, { ...(hasBody(what) ? HARMLESS : {}), key: studio.client })
    expect([status, body.code]).toEqual([400, 'PLAYER_ID_REQUIRED'])
  })

  const reading = operations.filter((operation) =>
    ['optional', 'unless-backend'].includes(OPERATIONS[operation].player),
  )
  test.each(reading)('%s does without, but not with a bad one', async (operation) => {
    const what = callOf(operation)
    const plain = await service.call(what, { key: studio.server })
    expect(plain.body?.code).not.toBe('PLAYER_ID_REQUIRED')
    const { status, body } = await service.call(what, { key: studio.server, player: 'x'.repeat(129) })
    expect([status, body.code]).toEqual([400, 'INVALID_PLAYER_ID'])
  })
})

describe('other schemes', () => {
  test.each(['Basic YTpi', 'Bearer', 'Bearer ', 'Digest x'])('%j is no credential', async (authorization) => {
    const { status, body } = await service.call('GET /v1/account', { headers: { authorization } })
    expect([status, body.code]).toEqual([401, 'MISSING_CREDENTIALS'])
  })
  test('the scheme is read in any case', async () => {
    const headers = { authorization: `bEARER ${studio.token}` }
    expect((await service.call('GET /v1/account', { headers })).status).toBe(200)
  })
})

describe('an application does not start', () => {
  const start = (endpoints: typeof ENDPOINTS) => () => appOf(endpoints, service.matchyard, {})

  test('without a route for every row of the permission table', () => {
    expect(start(ENDPOINTS.slice(1))).toThrow(/no route for auth.register/)
  })
  test('with two routes for one row', () => {
    expect(start([...ENDPOINTS, ...ENDPOINTS.slice(0, 1)])).toThrow(/auth.register has a route already/)
  })
  test('with a route that has no row', () => {
    const [first] = ENDPOINTS
    if (first === undefined) throw new Error('no routes')
    expect(start([...ENDPOINTS, { ...first, operation: 'auth.impersonate' as Operation }])).toThrow(/no permission row/)
  })
})
