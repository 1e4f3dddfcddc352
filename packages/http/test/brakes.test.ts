import { beforeEach, describe, expect, test } from 'vitest'
import { type Service, startService } from './harness/service'
import { makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

const LIMITS = { creations: 10, joins: 20, writes: 120 }

let service: Service
let studio: Studio

async function start(brakes: typeof LIMITS | undefined): Promise<void> {
  service = await startService({ app: brakes === undefined ? {} : { brakes } })
  studio = await openStudio(service)
  await makeQueue(service, studio, { max_players: 100 })
}

const as = (player: string, body?: object, key = studio.client) => ({ key, player, ...(body && { body }) })
const create = (player: string, key?: string) => service.call('POST /v1/lobbies', as(player, { queue_id: 'duel' }, key))

/** Resolves to the number of calls before the first one that is refused, or to `atMost`. */
async function until(braked: () => Promise<{ status: number }>, atMost: number): Promise<number> {
  for (let calls = 0; calls < atMost; calls++) if ((await braked()).status === 429) return calls
  return atMost
}

describe('brakes', () => {
  beforeEach(() => start(LIMITS))

  test('let a player make ten lobbies in ten seconds, and say when to come again', async () => {
    expect(await until(() => create('ann'), 20)).toBe(10)
    service.clock.advance(3_500)
    const refused = await create('ann')
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED', details: { policy: 'creations' } } })
    expect(refused.headers.get('retry-after')).toBe('7')
    expect(refused.headers.get('ratelimit-policy')).toBe('"creations";q=10;w=10')
    expect((await create('bob')).status).toBe(201)
    service.clock.advance(6_500)
    expect((await create('ann')).status).toBe(201)
  })

  test('count a new invite code as a lobby made, for there are as few codes', async () => {
    const lobby = await makeLobby(service, studio, 'ann')
    const draw = () => service.call(`POST /v1/lobbies/${lobby.lobby_id}/invite-code`, as('ann'))
    expect(await until(draw, 20)).toBe(9)
    expect((await create('ann')).body.details.policy).toBe('creations')
  })

  test('let a player join twenty, by id, by code and at once, each call counted whatever becomes of it', async () => {
    const lobby = await makeLobby(service, studio, 'host')
    const ways = [
      () => service.call(`POST /v1/lobbies/${lobby.lobby_id}/join`, as('ann')),
      () => service.call('POST /v1/lobbies/join', as('ann', { invite_code: 'nobody has this' })),
      () => service.call('POST /v1/lobbies/lob_none/join', as('ann')),
    ]
    let turn = 0
    expect(await until(() => ways[turn++ % ways.length]?.() ?? Promise.reject(), 40)).toBe(20)
    const quick = () => service.call('POST /v1/lobbies/quick-join', as('bob', { queue_id: 'duel' }))
    expect(await until(quick, 40)).toBe(10)
  })

  test('let a player change other things 120 times a minute; heartbeats, cancels and reads are free', async () => {
    const lobby = await makeLobby(service, studio, 'ann')
    const on = `/v1/lobbies/${lobby.lobby_id}`
    const patch = () => service.call(`PATCH ${on}/players/ann`, as('ann', { state: {} }))
    for (let n = 0; n < 130; n++) {
      expect((await service.call(`POST ${on}/heartbeat`, as('ann'))).status).toBe(204)
      expect((await service.call(`GET ${on}`, as('ann'))).status).toBe(200)
    }
    service.clock.advance(1_000)
    expect((await service.call(`DELETE ${on}/queue`, as('ann'))).status).toBe(409)
    expect(await until(patch, 200)).toBe(120)
    expect((await service.call(`POST ${on}/heartbeat`, as('ann'))).status).toBe(204)
    service.clock.advance(60_000)
    expect((await patch()).status).toBe(200)
  })

  test('let a player open sixty event streams in ten seconds, however each of them ended', async () => {
    const lobby = await makeLobby(service, studio, 'ann')
    const open = async (player: string) => {
      const headers = { 'api-key': studio.client, 'x-player-id': player }
      const answer = await service.app.request(`/v1/lobbies/${lobby.lobby_id}/events`, { headers })
      await answer.body?.cancel()
      return answer
    }
    expect(await until(() => open('ann'), 80)).toBe(60)
    expect((await open('stranger')).status).toBe(403)
    service.clock.advance(10_000)
    expect((await open('ann')).status).toBe(200)
  })

  test('are off for server keys, and each project has its own', async () => {
    expect(await until(() => create('ann', studio.server), 30)).toBe(30)
    await until(() => create('ann'), 20)
    const other = await openStudio(service)
    await makeQueue(service, other)
    expect((await create('ann', other.client)).status).toBe(201)
  })

  test('with 0 are off, one by one', async () => {
    await start({ ...LIMITS, creations: 0 })
    expect(await until(() => create('ann'), 30)).toBe(30)
  })
})

test('without brakes nobody is braked', async () => {
  await start(undefined)
  expect(await until(() => create('ann'), 30)).toBe(30)
})
