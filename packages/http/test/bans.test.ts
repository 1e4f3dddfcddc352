import { beforeEach, describe, expect, test } from 'vitest'
import type { Body } from './harness/client'
import { type Service, startService } from './harness/service'
import { makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeQueue(service, studio)
})

const BAN = '/v1/players/ann/ban'
const backend = (body?: Body) => ({ key: studio.server, ...(body === undefined ? {} : { body }) })
const set = (body: Body = {}, player = 'ann') => service.call(`PUT /v1/players/${player}/ban`, backend(body))
const create = (player = 'ann', key = studio.client) =>
  service.call('POST /v1/lobbies', { key, player, body: { queue_id: 'duel' } })

describe('a ban of a project', () => {
  test('is set, read, listed and lifted by a server key', async () => {
    const wish = { reason: 'Cheated', note: 'report 7', until: '2030-01-01T01:00:00+01:00', queues: ['duel'] }
    const { status, body } = await set(wish)
    expect([status, body]).toEqual([
      200,
      {
        ...wish,
        player_id: 'ann',
        until: '2030-01-01T00:00:00.000Z',
        created_at: expect.any(String),
        updated_at: expect.any(String),
        created_by: { kind: 'key', id: expect.any(String), name: 'server key' },
      },
    ])
    expect((await service.call(`GET ${BAN}`, backend())).body).toEqual(body)
    const list = await service.call('GET /v1/bans?limit=1', backend())
    expect(list.body).toEqual({ total: 1, limit: 1, offset: 0, has_more: false, data: [body] })
    expect((await service.call('GET /v1/players/ann', backend())).body.bans).toEqual([body])
    expect((await service.call(`DELETE ${BAN}`, backend())).status).toBe(204)
    for (const method of ['GET', 'DELETE']) {
      expect(await service.call(`${method} ${BAN}`, backend())).toMatchObject({
        status: 404,
        body: { code: 'BAN_NOT_FOUND' },
      })
    }
  })

  test('is set by a session that names the project, and by nobody without the right', async () => {
    const session = { token: studio.token }
    const query = `?project_id=${studio.projectId}`
    const { status, body } = await service.call(`PUT ${BAN}${query}`, session)
    expect([status, body.created_by.kind]).toEqual([200, 'session'])
    expect((await service.call(`GET ${BAN}${query}`, session)).body).toEqual(body)
    expect((await service.call(`GET /v1/bans${query}`, session)).body.data).toEqual([body])
    expect((await service.call(`DELETE ${BAN}${query}`, session)).status).toBe(204)
    for (const [what, code] of [
      [`PUT ${BAN}`, 'VALIDATION_FAILED'],
      [`PUT ${BAN}?project_id=prj_none`, 'PROJECT_NOT_FOUND'],
    ] as const) {
      expect((await service.call(what, session)).body.code).toBe(code)
    }
    const client = { key: studio.client }
    for (const what of [`PUT ${BAN}`, `GET ${BAN}`, `DELETE ${BAN}`, 'GET /v1/bans']) {
      expect((await service.call(what, client)).body.code).toBe('CREDENTIAL_NOT_ALLOWED')
    }
  })

  test.each([
    [{ until: '2020-01-01T00:00:00Z' }, 'until'],
    [{ until: '2030-01-01T00:00:00' }, 'until'],
    [{ until: 'tomorrow' }, 'until'],
    [{ reason: 'x'.repeat(257) }, 'reason'],
    [{ note: 'x'.repeat(1_025) }, 'note'],
    [{ queues: [] }, 'queues'],
    [{ queues: ['duel', 'duel'] }, 'queues.1'],
    [{ untill: null }, 'untill'],
  ])('is refused for %j', async (wish, path) => {
    const { body } = await set(wish)
    expect([body.code, body.details.issues[0].path]).toEqual(['VALIDATION_FAILED', path])
  })

  test('of a queue that does not exist is QUEUE_NOT_FOUND', async () => {
    expect((await set({ queues: ['none'] })).body.code).toBe('QUEUE_NOT_FOUND')
  })
})

test('the list of bans is read by cursor or by offset, and not by both', async () => {
  for (const player of ['ann', 'bob', 'cat']) {
    await set({}, player)
    service.clock.advance(1)
  }
  const list = async (query: string) => (await service.call(`GET /v1/bans?limit=2${query}`, backend())).body
  const players = ({ data }: Body) => data.map(({ player_id: id }: Body) => id)
  const first = await list('')
  expect([players(first), first.total, first.has_more]).toEqual([['cat', 'bob'], 3, true])
  const second = await list(`&cursor=${first.next_cursor}`)
  expect([players(second), second.total, second.has_more]).toEqual([['ann'], 3, false])
  expect(players(await list('&offset=1'))).toEqual(['bob', 'ann'])
  expect((await list(`&offset=1&cursor=${first.next_cursor}`)).code).toBe('VALIDATION_FAILED')
})

describe('the refusal of a banned player', () => {
  test('tells the player the reason, and stands before the plan', async () => {
    await set({ reason: 'Cheated', until: '2030-01-01T00:00:00Z' })
    const details = { scope: 'project', until: '2030-01-01T00:00:00.000Z', reason: 'Cheated', players: ['ann'] }
    expect(await create()).toMatchObject({ status: 403, body: { code: 'PLAYER_BANNED', number: 4010, details } })
    expect((await create('ann', studio.server)).body.code).toBe('PLAYER_BANNED')
    const free = await openStudio(service, 'free')
    const there = (player: string) => create(player, free.client)
    expect((await there('ann')).body.code).toBe('PLAN_LIMIT_EXCEEDED')
    await service.call(`PUT ${BAN}`, { key: free.server })
    expect((await there('ann')).body.code).toBe('PLAYER_BANNED')
  })

  test('keeps the reason from the host of a banned player; a player who is no host is told so first', async () => {
    const lobby = await makeLobby(service, studio)
    const on = `/v1/lobbies/${lobby.lobby_id}`
    await service.call(`POST ${on}/join`, { key: studio.client, player: 'bob' })
    await set({ reason: 'Cheated' }, 'bob')
    for (const door of ['queue', 'start']) {
      const by = (player: string, key = studio.client) => service.call(`POST ${on}/${door}`, { key, player })
      expect((await by('ann')).body).toMatchObject({
        code: 'PLAYER_BANNED',
        details: { scope: 'project', until: null, reason: null, players: ['bob'] },
      })
      expect((await by('ann', studio.server)).body.details.reason).toBe('Cheated')
      expect((await by('bob')).body.code).toBe('NOT_HOST')
    }
  })
})

test('webhooks get player.banned with the ban, and player.unbanned only when it is lifted', async () => {
  const types = ['player.banned', 'player.unbanned']
  await service.call('POST /v1/webhooks', backend({ url: 'https://games.example/hook', types }))
  const { body } = await set({ note: 'n' })
  await service.call(`DELETE ${BAN}`, backend())
  await service.settle()
  const sent = service.receiver.requests.map(({ request }) => JSON.parse(String(request.body)))
  expect(sent.map(({ type, data }: Body) => [type, data])).toEqual(types.map((type) => [type, body]))
})
