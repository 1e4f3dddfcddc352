import type { Storage } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { sqliteStorage } from '@matchyard/storage-sqlite'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ENDPOINTS } from '../src/index'
import { isStream } from '../src/route-table'
import { type Service, startService } from './harness/service'
import { makeBuild, makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

// For any request the answer is one that the interface documents: never a 500, and each refusal is a problem document.
// Storages differ in the texts that they can search for, so each storage is tested.
const STORAGES: Record<string, () => Storage> = {
  memory: () => memoryStorage(),
  SQLite: () => sqliteStorage({ path: ':memory:' }),
}
const ROUNDS = 5 * Number(process.env.MATCHYARD_PROVE ?? 100)

let service: Service
let studio: Studio
let ids: Record<string, string>

async function setUp(storage: Storage): Promise<void> {
  service = await startService({ core: { maxUploadBytes: 10_000, storage } })
  studio = await openStudio(service)
  const build = await makeBuild(service, studio)
  await makeQueue(service, studio)
  const lobby = await makeLobby(service, studio)
  const { body: server } = await service.call('POST /v1/servers', {
    key: studio.server,
    body: { version_tag: 'arena' },
  })
  ids = {
    lobby_id: lobby.lobby_id,
    queue_id: 'duel',
    player_id: 'ann',
    project_id: studio.projectId,
    build_id: build.build_id,
    instance_id: server.instance_id,
    key_id: 'key_none',
    match_id: 'mat_none',
  }
}

const FIELDS = [
  ...[
    'queue_id',
    'name',
    'region',
    'is_private',
    'max_players',
    'settings',
    'state',
    'merge',
    'invite_code',
    'enabled',
  ],
  ...['timeout', 'heartbeat', 'heartbeat_timeout', 'host_leave_behavior', 'lobby_ttl', 'invite_code_config', 'length'],
  ...['charset', 'prefix', 'server_settings', 'version_tag', 'tier', 'network_ports', 'protocol', 'internal_port'],
  ...['tls_enabled', 'startup_args', 'ttl', 'auto_restart', 'custom_data', 'matchmaking', 'teams', 'players_per_team'],
  ...[
    'min_teams',
    'min_players_per_team',
    'max_size_difference',
    'team_composition',
    'rules',
    'type',
    'field',
    'max_difference',
    'expansions',
  ],
  ...['after_seconds', 'off', 'email', 'password', 'plan', 'payment_method_token', 'executable_path', 'image_url'],
  ...['mmr', 'regions', 'game_version', 'role', 'roles', '__proto__', 'constructor', 'toString', '', '\u0000', '😀'],
]

const scalar = fc.oneof(
  fc.constantFrom(
    'duel',
    'arena',
    'pro',
    'difference',
    'promote',
    'iad',
    'udp',
    '1x-1g',
    '"',
    '\u0000',
    '\\',
    '%00',
    "' --",
  ),
  fc.constantFrom(-1, 0, 1, 2, 10, 60, 101, 1.5, 1e21, 2 ** 53, -0),
  fc.boolean(),
  fc.constant(null),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

const json = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom(...FIELDS), tie('value'), { maxKeys: 8 }),
}))

const body = fc.oneof(
  { weight: 6, arbitrary: json.object.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: json.value.map((value) => JSON.stringify(value) ?? '') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => bytes as Uint8Array<ArrayBuffer>) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 20_000 }).map((depth) => `{"settings":${'['.repeat(depth)}`) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 20_000 }).map((n) => `{"state":${'['.repeat(n)}${']'.repeat(n)}}`),
  },
)

const segment = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('%00', '%ff', '%', '%2F', '%25', 'x'.repeat(300), '%ED%A0%80', 'self', 'join'),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }).map((text) => encodeURIComponent(`x${text}`)) },
)

const query = fc.dictionary(
  fc.constantFrom(
    'limit',
    'offset',
    'status',
    'region',
    'sort',
    'queue_id',
    'project_id',
    'name',
    'since',
    'month',
    'match_id',
  ),
  fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('1', 'waiting', 'iad', '\u0000', '2026-03', '%')),
  { maxKeys: 3 },
)

const request = fc.record({
  endpoint: fc.constantFrom(...ENDPOINTS.filter(({ operation }) => operation !== 'auth.logout')),
  segments: fc.array(segment, { minLength: 2, maxLength: 2 }),
  query,
  body,
  credential: fc.constantFrom('client', 'server', 'session', 'session', 'none', 'bad'),
  player: fc.oneof(fc.constantFrom('ann', 'bob', undefined), fc.string({ unit: 'binary', maxLength: 10 })),
  type: fc.constantFrom('application/json', 'application/json', 'application/json', 'text/plain', ''),
  lastEventId: fc.option(fc.string({ maxLength: 5 }), { nil: undefined }),
  idempotency: fc.option(fc.string({ minLength: 0, maxLength: 5 }), { nil: undefined }),
})

type HostileRequest = typeof request extends fc.Arbitrary<infer T> ? T : never

/** Returns the text with only the characters that a header can carry. */
const sendable = (text: string) =>
  Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/[\0\r\n]/g, '?')

function headersOf(from: HostileRequest, token: string): Headers {
  const headers = new Headers()
  const set = (name: string, value: string | undefined) => value !== undefined && headers.set(name, sendable(value))
  if (from.credential === 'client') set('api-key', studio.client)
  if (from.credential === 'server') set('api-key', studio.server)
  if (from.credential === 'bad') set('api-key', `sk_live_${from.player ?? ''}`)
  if (from.credential === 'session') set('authorization', `Bearer ${token}`)
  set('x-player-id', from.player)
  set('last-event-id', from.lastEventId)
  set('idempotency-key', from.idempotency)
  if (from.type !== '') set('content-type', from.type)
  return headers
}

describe.each(Object.entries(STORAGES))('on %s', (_name, makeStorage) => {
  test(`${ROUNDS} hostile requests meet no bug`, { timeout: Math.max(60_000, ROUNDS * 60) }, async () => {
    await setUp(makeStorage())
    let token = studio.token
    const answers = new Set<string>()
    await fc.assert(
      fc.asyncProperty(request, async (from) => {
        const { endpoint } = from
        let at = 0
        const path = endpoint.path.replace(
          /\{([^}]+)\}/g,
          (_, name: string) => from.segments[at++] ?? ids[name] ?? 'none',
        )
        const search = new URLSearchParams(from.query).toString()
        const init: RequestInit = { method: endpoint.method.toUpperCase(), headers: headersOf(from, token) }
        if (endpoint.method !== 'get') Object.assign(init, { body: from.body, duplex: 'half' })
        const response = await service.app.request(`${path}?${search}`, init)
        if (isStream(endpoint.operation) && response.status === 200) return response.body?.cancel()
        const text = await response.text()
        expect(response.status, text).toBeLessThan(500)
        expect(response.headers.get('x-request-id')).not.toBeNull()
        answers.add(response.status < 400 ? `${endpoint.operation} ${response.status}` : JSON.parse(text).code)
        if (response.status >= 400) {
          expect(response.headers.get('content-type')).toBe('application/problem+json')
          expect(JSON.parse(text)).toMatchObject({ status: response.status, code: expect.any(String) })
        }
        // The project and the session are replaced, so that later requests still find something.
        if (endpoint.operation === 'auth.refresh' && response.status === 200) token = JSON.parse(text).token
        if (endpoint.operation === 'projects.delete' && response.status === 204) {
          studio = await openStudio(service)
          token = studio.token
        }
        return undefined
      }),
      { numRuns: ROUNDS, ...(process.env.MATCHYARD_SEED ? { seed: Number(process.env.MATCHYARD_SEED) } : {}) },
    )
    // The requests must reach beyond the first refusals: otherwise they would show little.
    expect(answers.size).toBeGreaterThan(25)
    expect(service.logger.lines.filter(({ level }) => level === 'error')).toEqual([])
  })
})
