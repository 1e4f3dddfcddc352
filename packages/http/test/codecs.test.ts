import { QUEUE_DEFAULTS, type Queue } from '@matchyard/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bodyOf, NAMES_OF, optional, wirePath } from '../src/wire/codec/index'
import { isoOf } from '../src/wire/codec/iso'
import { wireName } from '../src/wire/codec/wire-names'
import { matchmaking } from '../src/wire/matchmaking'
import { newQueue, queue, queueChanges } from '../src/wire/queue'
import { newServer } from '../src/wire/server'
import { serverSettings } from '../src/wire/server-settings'
import { number } from '../src/wire/shared'

const count = fc.integer({ min: 1, max: 100 })
const some = (fields: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[] = []) =>
  fc.record(fields, { requiredKeys })

const step = some(
  { after_seconds: count, max_difference: count, min_overlap: count, max_ms: count, off: fc.boolean() },
  ['after_seconds'],
)
const common = { required: fc.boolean(), expansions: fc.array(step, { maxLength: 3 }) }
const field = fc.constantFrom('mmr', 'regions')
const typed = (...types: string[]) => fc.constantFrom(...types)
const rule = fc.oneof(
  some({ type: typed('difference', 'team_difference'), field, max_difference: count, ...common }, [
    'type',
    'field',
    'max_difference',
  ]),
  some({ type: typed('equals', 'not_equals'), field, ...common }, ['type', 'field']),
  some({ type: typed('region'), field, min_overlap: count, ...common }, ['type']),
  some({ type: typed('intersection'), field, min_overlap: count, ...common }, ['type', 'field']),
  some({ type: typed('min', 'max'), field, value: count, ...common }, ['type', 'field', 'value']),
  some({ type: typed('latency'), field, max_ms: count, ...common }, ['type', 'field', 'max_ms']),
)
const pairing = some({
  teams: count,
  players_per_team: count,
  min_players_per_team: count,
  min_teams: count,
  max_size_difference: count,
  team_composition: fc.constant({ red: { tankRole: 1 } }),
  use_version_from_state: fc.boolean(),
  allowed_versions: fc.array(fc.constantFrom('v1', 'v2')),
  timeout: count,
  max_party_size: count,
  partial_after: count,
  expansion_age: fc.constantFrom('oldest', 'newest'),
  rules: fc.array(rule, { maxLength: 4 }),
})
const port = fc.record({
  name: fc.constantFrom('game', 'query'),
  protocol: fc.constantFrom('udp', 'tcp'),
  internal_port: count,
  tls_enabled: fc.boolean(),
})
const template = some({
  version_tag: fc.constant('arena'),
  region: fc.constantFrom('iad', 'fra'),
  tier: fc.constant('1x-1g'),
  network_ports: fc.array(port, { maxLength: 3 }),
  startup_args: fc.constantFrom('', '--map dust'),
  ttl: fc.integer({ min: 60, max: 1_000 }),
  auto_restart: fc.boolean(),
  custom_data: fc.constantFrom({}, { mapPool: { dust_2: null } }),
})

describe('a codec reads and writes one thing', () => {
  test('what was sent is told as it was sent', () => {
    const there = (codec: typeof matchmaking | typeof serverSettings) => (sent: unknown) => {
      const parsed = codec.body.parse(sent)
      expect(JSON.parse(JSON.stringify(codec.encode(codec.decode(parsed as never) as never)))).toEqual(sent)
    }
    fc.assert(fc.property(pairing, there(matchmaking)))
    fc.assert(fc.property(template, there(serverSettings)))
  })

  test('what was left out is not there', () => {
    expect(queueChanges.decode({})).toEqual({})
    expect(matchmaking.encode(matchmaking.decode({ max_size_difference: null }))).toEqual({})
    expect(Object.keys(newQueue.decode({ queue_id: 'ranked', name: 'Ranked', timeout: 5 }))).toEqual([
      'queueId',
      'name',
      'timeoutSeconds',
    ])
  })

  test('a port has its defaults', () => {
    const { networkPorts } = serverSettings.decode({ network_ports: [{ name: 'game', internal_port: 7_777 }] })
    expect(networkPorts).toEqual([{ name: 'game', protocol: 'udp', internalPort: 7_777, tlsEnabled: false }])
  })

  test("names inside callers' own objects keep their spelling", () => {
    const customData = { mapPool: { dustTwo: 1 } }
    expect(serverSettings.decode({ custom_data: customData }).customData).toBe(customData)
  })
})

describe('a name on the wire', () => {
  test('is the snake_case of the one in the domain, unless the tables say otherwise', () => {
    expect(wireName('minPlayersPerTeam')).toBe('min_players_per_team')
    expect(wireName('last4')).toBe('last4')
    expect(wireName('timeoutSeconds')).toBe('timeout')
    expect(wireName('id')).toBe('id')
    expect(wireName('id', NAMES_OF.apiKey)).toBe('key_id')
  })

  test('belongs to one field of an object', () => {
    const fields = { timeout: optional(number), timeoutSeconds: optional(number) }
    expect(() => bodyOf(fields)).toThrow('two fields are called timeout on the wire')
  })
})

describe('a fault of the domain names the field as it was sent', () => {
  test.each([
    ['timeoutSeconds', 'timeout'],
    ['lobbyTtlSeconds', 'lobby_ttl'],
    ['matchTtlSeconds', 'match_ttl'],
    ['concurrentMatches', 'concurrent_matches'],
    ['presenceTimeoutSeconds', 'presence_timeout'],
    ['leaverPenaltySeconds', 'leaver_penalty'],
    ['ratingField', 'rating_field'],
    ['ratedStarts', 'rated_starts'],
    ['inviteCodeConfig.length', 'invite_code_config.length'],
    ['serverSettings.networkPorts.1.tlsEnabled', 'server_settings.network_ports.1.tls_enabled'],
    ['serverSettings.customData', 'server_settings.custom_data'],
    ['matchmaking.partialAfterSeconds', 'matchmaking.partial_after'],
    ['matchmaking.rules.0.expansions.2.afterSeconds', 'matchmaking.rules.0.expansions.2.after_seconds'],
    ['matchmaking.teamComposition.redTeam.tankRole', 'matchmaking.team_composition.redTeam.tankRole'],
    ['', ''],
  ])('%s is %s', (path, spelled) => {
    expect(wirePath(path, newQueue.names)).toBe(spelled)
  })

  test('of a server that is launched by itself too', () => {
    expect(wirePath('networkPorts.0.internalPort', newServer.names)).toBe('network_ports.0.internal_port')
    expect(wirePath('ttlSeconds', newServer.names)).toBe('ttl')
  })

  test('each setting of a queue has its name', () => {
    const { names } = newQueue
    const named = names && 'fields' in names ? [...names.fields.keys()] : []
    const settings: (keyof Queue)[] = [...(Object.keys(QUEUE_DEFAULTS) as (keyof Queue)[]), 'inviteCodeConfig']
    expect(named.sort()).toEqual([...settings, 'queueId', 'name'].sort())
  })
})

test('a queue is told with each of its settings', () => {
  const inviteCodeConfig = { enabled: true, length: 6, charset: 'numeric', prefix: '' } as const
  const told = queue.encode({
    ...QUEUE_DEFAULTS,
    id: 'prj/ranked',
    version: 1,
    projectId: 'prj',
    queueId: 'ranked',
    name: 'Ranked',
    inviteCodeConfig,
    createdAt: 0,
    updatedAt: 1,
  })
  expect(JSON.parse(JSON.stringify(told))).toEqual({
    queue_id: 'ranked',
    name: 'Ranked',
    enabled: true,
    max_players: 10,
    timeout: 300,
    heartbeat: false,
    heartbeat_timeout: 60,
    host_leave_behavior: 'promote',
    lobby_ttl: 3_600,
    match_ttl: 86_400,
    concurrent_matches: false,
    presence_timeout: 30,
    in_game_heartbeat_timeout: null,
    leaver_penalty: 0,
    requeue_on_failure: false,
    rating: null,
    rating_field: 'mmr',
    rated_starts: false,
    invite_code_config: inviteCodeConfig,
    created_at: '1970-01-01T00:00:00.000Z',
    updated_at: '1970-01-01T00:00:00.001Z',
  })
})

describe('instants', () => {
  test('are told as the platform tells them', () => {
    const eightThousandYears = 250_000_000_000_000
    fc.assert(
      fc.property(fc.integer({ min: -eightThousandYears, max: eightThousandYears }), (at) => {
        expect(isoOf(at)).toBe(new Date(at).toISOString())
        // The next instant may be of another day or of the same one: `isoOf` caches the last day.
        expect(isoOf(at + 1)).toBe(new Date(at + 1).toISOString())
      }),
    )
  })

  test('that are none are refused as the platform refuses them', () => {
    expect(() => isoOf(Number.NaN)).toThrow(RangeError)
    expect(isoOf(1.5)).toBe(new Date(1.5).toISOString())
  })
})
