import { beforeEach, expect, test } from 'vitest'
import type { Body } from './harness/client'
import { type Service, startService } from './harness/service'
import { makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

// Lobbies whose host is absent: docs/http-api.md §6, "Absent hosts".
let service: Service
let studio: Studio

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeQueue(service, studio)
})

const list = async (query: string, by: { key?: string; player?: string } = {}) =>
  (await service.call(`GET /v1/lobbies?${query}`, { key: studio.client, ...by })).body

const hosts = async (query: string, by?: { key?: string; player?: string }) =>
  (await list(query, by)).data.map(({ host_player_id }: Body) => host_player_id)

test('a client key lists them only with include_absent, a server key always, and the offset counts them', async () => {
  await makeLobby(service, studio, 'ann')
  await service.call('POST /v1/lobbies', { key: studio.server, player: 'bob', body: { queue_id: 'duel' } })
  expect(await hosts('sort=created_at_asc')).toEqual(['ann', 'bob'])
  service.clock.advance(30_000)
  const page = await list('sort=created_at_asc&limit=1')
  expect(page).toMatchObject({ total: 2, limit: 1, offset: 1, has_more: false, data: [{ host_player_id: 'bob' }] })
  for (const by of [{ key: studio.client }, { key: studio.server }])
    expect(await hosts('sort=created_at_asc&include_absent=true', by)).toEqual(['ann', 'bob'])
  expect(await hosts('sort=created_at_asc', { key: studio.server })).toEqual(['ann', 'bob'])
  const asked = await service.call('GET /v1/lobbies?include_absent=yes', { key: studio.client })
  expect(asked.body).toMatchObject({ code: 'VALIDATION_FAILED', details: { issues: [{ path: 'include_absent' }] } })
})

test('a read with a server key vouches for nobody, a change does, and a call of the client ends that', async () => {
  const { lobby_id } = await makeLobby(service, studio, 'ann')
  service.clock.advance(30_000)
  await service.call(`GET /v1/lobbies/${lobby_id}`, { key: studio.server, player: 'ann' })
  expect(await hosts('')).toEqual([])
  const change = { key: studio.server, player: 'ann', body: { name: 'Ann' } }
  await service.call(`PATCH /v1/lobbies/${lobby_id}/settings`, change)
  service.clock.advance(60_000)
  expect(await hosts('')).toEqual(['ann'])
  await list('', { player: 'ann' })
  service.clock.advance(30_000)
  expect(await hosts('')).toEqual([])
})
