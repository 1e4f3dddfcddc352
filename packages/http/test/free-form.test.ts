import type { Lobby } from '@matchyard/core'
import { answeredBytes, answeredBytesAtMost } from '@matchyard/core/domain'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { lobby as codec } from '../src/wire/lobby'
import { type Service, startService } from './harness/service'
import { makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio

beforeAll(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeQueue(service, studio, { max_players: 100 })
})

const by = (player: string, body?: unknown) => ({ key: studio.client, player, body })
const keysOf = (value: object) => Object.keys(value)

describe('another key order is a change, and kept', () => {
  test('of settings', async () => {
    const { lobby_id: id, version } = await makeLobby(service, studio, 'ann', { settings: { a: 1, b: { c: 2, d: 3 } } })
    const set = (settings: unknown) => service.call(`PATCH /v1/lobbies/${id}/settings`, by('ann', { settings }))
    const { body: turned } = await set({ b: { d: 3, c: 2 }, a: 1 })
    expect([turned.version, keysOf(turned.settings), keysOf(turned.settings.b)]).toEqual([
      version + 1,
      ['b', 'a'],
      ['d', 'c'],
    ])
    const { body: same } = await set({ b: { d: 3, c: 2 }, a: 1 })
    expect(same.version).toBe(version + 1)
  })

  test("of a queue's custom_data", async () => {
    const before = await makeQueue(service, studio, {
      queue_id: 'data',
      server_settings: { custom_data: { a: 1, b: 2 } },
    })
    const set = (custom_data: unknown) =>
      service.call('PATCH /v1/queues/data', { key: studio.server, body: { server_settings: { custom_data } } })
    service.clock.advance(1_000)
    const { body: turned } = await set({ b: 2, a: 1 })
    expect(keysOf(turned.server_settings.custom_data)).toEqual(['b', 'a'])
    expect(turned.updated_at).not.toBe(before.updated_at)
    service.clock.advance(1_000)
    expect((await set({ b: 2, a: 1 })).body.updated_at).toBe(turned.updated_at)
  })
})

test('a number that JSON would change is refused by the name of its field, in every free-form object', async () => {
  const steam = JSON.parse('76561198122624103')
  const { lobby_id: id } = await makeLobby(service, studio, 'steam')
  const sent = async (call: string, body: unknown, key = studio.client) => {
    const { status, body: problem } = await service.call(call, { key, player: 'steam', body })
    return [status, problem.details?.issues?.[0]?.path]
  }
  const create = 'POST /v1/lobbies'
  expect(await sent(create, { queue_id: 'duel', state: { steam } })).toEqual([400, 'state.steam'])
  expect(await sent(create, { queue_id: 'duel', settings: { a: [{ steam }] } })).toEqual([400, 'settings.a.0.steam'])
  expect(await sent(`PATCH /v1/lobbies/${id}/players/steam`, { state: { steam } })).toEqual([400, 'state.steam'])
  const data = { server_settings: { custom_data: { steam } } }
  const path = 'server_settings.custom_data.steam'
  expect(await sent('PATCH /v1/queues/duel', data, studio.server)).toEqual([400, path])
})

describe('the 256 kB of a lobby', () => {
  test('are the bytes that are answered: the last one is taken, one more is not', async () => {
    const { lobby_id: id } = await makeLobby(service, studio, 'ann', { name: 'é', settings: { map: 'dünen' } })
    const size = async () => Buffer.byteLength((await service.call(`GET /v1/lobbies/${id}`, by('ann'))).text)
    const limit = 256 * 1_024
    for (let i = 0; limit - (await size()) > 17_000; i++) {
      const joined = await service.call(
        `POST /v1/lobbies/${id}/join`,
        by(`p${i}`, { state: { a: 'x'.repeat(16_000) } }),
      )
      expect(joined.status).toBe(200)
    }
    expect((await service.call(`POST /v1/lobbies/${id}/join`, by('last'))).status).toBe(200)
    const fill = (bytes: number) =>
      service.call(`PATCH /v1/lobbies/${id}/players/last`, by('last', { state: { a: 'x'.repeat(bytes) } }))
    const room = limit - (await size()) - '"a":""'.length
    const tooMuch = await fill(room + 1)
    expect([tooMuch.status, tooMuch.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect((await fill(room)).status).toBe(200)
    expect(await size()).toBe(limit)
  })

  test('are counted as they are written, whatever the lobby holds', () => {
    const instant = fc.integer({ min: 0, max: 4_102_444_800_000 })
    const text = fc.string({ unit: 'grapheme' })
    const freeForm = fc.dictionary(text, fc.jsonValue() as fc.Arbitrary<never>, { maxKeys: 3 })
    const port = fc.record({
      name: text,
      protocol: fc.constantFrom('udp' as const, 'tcp' as const),
      internalPort: fc.nat(65_535),
      externalPort: fc.nat(65_535),
      host: text,
      tlsEnabled: fc.boolean(),
    })
    const server = fc.record({
      instanceId: text,
      region: fc.constant('iad' as const),
      status: fc.constant('running' as const),
      matchId: text,
      networkPorts: fc.array(port, { maxLength: 3 }),
    })
    const player = fc.record({ playerId: text, joinedAt: instant, state: freeForm })
    const lobbies: fc.Arbitrary<Lobby> = fc.record({
      id: text,
      version: fc.nat(),
      projectId: text,
      accountId: text,
      queueId: text,
      status: fc.constantFrom('waiting' as const, 'in_game' as const),
      hostPlayerId: text,
      isPrivate: fc.boolean(),
      maxPlayers: fc.nat(100),
      players: fc.array(player, { maxLength: 4 }),
      name: fc.option(text),
      region: fc.option(fc.constant('iad' as const)),
      inviteCode: fc.option(text),
      settings: freeForm,
      server: fc.option(server),
      matchId: fc.option(text),
      ticket: fc.option(fc.record({ id: text, version: fc.nat(), enteredAt: instant })),
      movedAt: instant,
      createdAt: instant,
      updatedAt: instant,
    })
    const exits = fc.option(fc.record({ reason: fc.constant('timeout' as const), detail: text, at: instant }))
    fc.assert(
      fc.property(lobbies, exits, fc.boolean(), text, (made, lastExit, old, quickJoinKey) => {
        const lobby = old ? made : { ...made, lastExit, quickJoinKey }
        expect(answeredBytesAtMost(lobby)).toBeGreaterThanOrEqual(answeredBytes(lobby))
        expect(answeredBytes(lobby)).toBe(Buffer.byteLength(JSON.stringify(codec.encode(lobby))))
      }),
    )
  })
})
