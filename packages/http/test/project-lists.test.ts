import { beforeEach, describe, expect, test } from 'vitest'
import type { Body } from './harness/client'
import { type Service, startService } from './harness/service'
import { makeLobby, makeMatch, makeQueue, openStudio, type Studio } from './harness/studio'

// The lists of a project for its backend: docs/http-api.md §6, "For dashboards".
let service: Service
let studio: Studio

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeQueue(service, studio)
})

const get = (path: string, key = studio.server) => service.call(`GET ${path}`, { key })
const ids = (body: Body, name: string) => body.data.map((each: Body) => each[name])

/** Reads a whole list by its cursors. Resolves to its items, and to the number of answers. */
async function walk(path: string, name: string): Promise<{ all: string[]; answers: number }> {
  const all: string[] = []
  for (let cursor = '', answers = 1; ; answers++) {
    const { status, body, text } = await get(`${path}${cursor}`)
    if (status !== 200) throw new Error(text)
    all.push(...ids(body, name))
    expect(body.has_more).toBe('next_cursor' in body)
    if (!body.has_more) return { all, answers }
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
  }
}

describe('GET /v1/lobbies?scope=project', () => {
  test('shows a server key every live lobby, private and searching ones too, the newest first, and how many there are', async () => {
    const made: string[] = []
    for (const player of ['ann', 'bob', 'cara', 'dan', 'eve']) {
      const { lobby_id } = await makeLobby(service, studio, player, { is_private: player > 'c' })
      made.unshift(lobby_id)
      service.clock.advance(1)
    }
    await service.call(`POST /v1/lobbies/${made[4]}/queue`, { key: studio.client, player: 'ann' })
    expect(await walk('/v1/lobbies?scope=project&limit=2', 'lobby_id')).toEqual({ all: made, answers: 3 })
    const { body } = await get('/v1/lobbies?scope=project&limit=2')
    expect(body).toMatchObject({ total: 5, limit: 2, offset: 0, has_more: true })
    const one = await get(`/v1/lobbies/${made[4]}`)
    expect((await get('/v1/lobbies?scope=project&status=in_queue')).body.data).toEqual([one.body])
  })

  test('goes on where it was though lobbies come and go meanwhile', async () => {
    const made: string[] = []
    for (const player of ['ann', 'bob', 'cara', 'dan']) {
      made.unshift((await makeLobby(service, studio, player)).lobby_id)
      service.clock.advance(1)
    }
    const { body } = await get('/v1/lobbies?scope=project&limit=2')
    await service.call(`DELETE /v1/lobbies/${made[1]}`, { key: studio.server })
    await makeLobby(service, studio, 'eve')
    const rest = await get(`/v1/lobbies?scope=project&limit=2&cursor=${body.next_cursor}`)
    expect(ids(rest.body, 'lobby_id')).toEqual(made.slice(2))
    expect(rest.body).toMatchObject({ total: 4, has_more: false })
  })

  test('finds by queue, player and invite code, each alone and together', async () => {
    await makeQueue(service, studio, { queue_id: 'casual', name: 'Casual' })
    const duel = await makeLobby(service, studio, 'ann', { is_private: true })
    const casual = await makeLobby(service, studio, 'ann', { queue_id: 'casual' })
    await makeLobby(service, studio, 'bob')
    const found = async (query: string) => ids((await get(`/v1/lobbies?scope=project&${query}`)).body, 'lobby_id')
    expect((await found('player_id=ann')).sort()).toEqual([duel.lobby_id, casual.lobby_id].sort())
    expect(await found('player_id=ann&queue_id=casual')).toEqual([casual.lobby_id])
    expect(await found('queue_id=casual')).toEqual([casual.lobby_id])
    expect(await found(`code=${duel.invite_code.toLowerCase()}`)).toEqual([duel.lobby_id])
    expect(await found(`code=${duel.invite_code}&queue_id=casual`)).toEqual([])
    expect(await found(`code=${duel.invite_code}&player_id=bob`)).toEqual([])
    expect(await found('code=NOBODYHAS')).toEqual([])
    const other = await openStudio(service)
    expect((await get('/v1/lobbies?scope=project', other.server)).body).toMatchObject({ total: 0, data: [] })
    expect((await get(`/v1/lobbies?scope=project&code=${duel.invite_code}`, other.server)).body.data).toEqual([])
  })

  test('takes a thousand at once, and no more bytes than an answer should have', async () => {
    const state = { text: 'x'.repeat(15_000) }
    for (let n = 0; n < 3; n++) await makeLobby(service, studio, `p${n}`, { settings: state, state })
    expect((await get('/v1/lobbies?scope=project&limit=1000')).body).toMatchObject({ limit: 1_000, total: 3 })
    expect((await get('/v1/lobbies?scope=project&limit=1001')).status).toBe(400)
    for (let n = 0; n < 160; n++) await makeLobby(service, studio, `q${n}`, { settings: state, state })
    const { body, text } = await get('/v1/lobbies?scope=project&limit=1000')
    expect(body.data.length).toBeLessThan(163)
    expect(body).toMatchObject({ total: 163, has_more: true })
    expect(text.length).toBeLessThan(5 * 1_024 * 1_024)
    expect((await walk('/v1/lobbies?scope=project&limit=1000', 'lobby_id')).all).toHaveLength(163)
  })

  test.each([
    ['cursor=abc', 'cursor'],
    ['code=ABC', 'code'],
    ['player_id=ann', 'player_id'],
    ['limit=101', 'limit'],
    ['scope=project&offset=1', 'offset'],
    ['scope=project&sort=created_at_asc', 'sort'],
    ['scope=project&cursor=nonsense', 'cursor'],
    ['scope=project&status=none', 'status'],
    ['scope=all', 'scope'],
  ])('refuses %s', async (query, path) => {
    const refused = await get(`/v1/lobbies?${query}`)
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', details: { issues: [{ path }] } } })
  })

  test('is for server keys alone', async () => {
    const refused = await get('/v1/lobbies?scope=project', studio.client)
    expect(refused).toMatchObject({ status: 403, body: { code: 'CREDENTIAL_NOT_ALLOWED' } })
  })
})

describe('GET /v1/matches', () => {
  test('shows matches as each is read by itself, the newest first, those that are over too, and goes on', async () => {
    const matches: string[] = []
    for (let n = 0; n < 3; n++) {
      const [{ match_id, lobby_id }, other] = await makeMatch(service, studio)
      matches.unshift(match_id)
      service.clock.advance(1)
      if (n < 2) await service.call(`POST /v1/lobbies/${lobby_id}/end`, { key: studio.server })
      for (const id of [lobby_id, other.lobby_id])
        await service.call(`DELETE /v1/lobbies/${id}`, { key: studio.server })
    }
    expect(await walk('/v1/matches?limit=2', 'match_id')).toEqual({ all: matches, answers: 2 })
    const [newest] = (await get('/v1/matches?limit=1')).body.data
    expect(newest).toEqual((await get(`/v1/matches/${matches[0]}`)).body)
    expect(await walk('/v1/matches?limit=1&status=ended', 'match_id')).toMatchObject({
      all: expect.arrayContaining(matches.slice(1)),
    })
    expect((await get('/v1/matches?queue_id=duel')).body).toMatchObject({ limit: 50, has_more: false })
    expect((await get('/v1/matches?queue_id=none')).body.data).toEqual([])
  })

  test('is for server keys alone, and each sees its own project', async () => {
    await makeMatch(service, studio)
    expect((await get('/v1/matches', studio.client)).status).toBe(403)
    const other = await openStudio(service)
    expect((await get('/v1/matches', other.server)).body).toEqual({ limit: 50, has_more: false, data: [] })
  })

  test.each(['cursor=nonsense', 'status=none', 'limit=0', 'limit=101'])('refuses %s', async (query) => {
    expect(await get(`/v1/matches?${query}`)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  })
})

describe('GET /v1/players/{player_id}', () => {
  test('tells where a player is, what it played and how its lobbies came back, the last first', async () => {
    const [mine] = await makeMatch(service, studio)
    await service.call(`POST /v1/lobbies/${mine.lobby_id}/end`, { key: studio.server })
    service.clock.advance(1_000)
    await service.call(`POST /v1/lobbies/${mine.lobby_id}/queue`, { key: studio.client, player: 'ann' })
    service.clock.advance(1_000)
    await service.call(`DELETE /v1/lobbies/${mine.lobby_id}/queue`, { key: studio.client, player: 'ann' })
    const { status, body } = await get('/v1/players/ann')
    expect(status).toBe(200)
    expect(body.player_id).toBe('ann')
    expect(body.lobbies).toEqual([(await get(`/v1/lobbies/${mine.lobby_id}`)).body])
    expect(body.matches).toEqual([(await get(`/v1/matches/${mine.match_id}`)).body])
    const { lobby_id } = mine
    expect(body.last_exits).toEqual([
      { reason: 'cancelled', detail: expect.any(String), at: expect.any(String), lobby_id, queue_id: 'duel' },
      { reason: 'backend_ended', detail: expect.any(String), at: expect.any(String), lobby_id, queue_id: 'duel' },
    ])
    expect(body.last_exits[0].at > body.last_exits[1].at).toBe(true)
  })

  test('still knows how a lobby came back that was deleted since', async () => {
    const [mine] = await makeMatch(service, studio)
    await service.call(`POST /v1/lobbies/${mine.lobby_id}/end`, { key: studio.server })
    await service.call(`DELETE /v1/lobbies/${mine.lobby_id}`, { key: studio.server })
    const { body } = await get('/v1/players/ann')
    expect(body).toMatchObject({ lobbies: [], matches: [{ match_id: mine.match_id }] })
    expect(body.last_exits).toMatchObject([{ reason: 'backend_ended', lobby_id: mine.lobby_id }])
  })

  test('of one whom nobody knows has nothing, and is for server keys alone', async () => {
    const nothing = {
      ...{ live_match: null, searches: [], cooldowns: [] },
      ...{ lobbies: [], matches: [], last_exits: [], bans: [], ratings: [], has_more: false },
    }
    expect((await get('/v1/players/nobody')).body).toEqual({ player_id: 'nobody', ...nothing })
    expect((await get(`/v1/players/${'x'.repeat(500)}`)).body).toMatchObject(nothing)
    await makeMatch(service, studio)
    const other = await openStudio(service)
    expect((await get('/v1/players/ann', other.server)).body).toMatchObject(nothing)
    expect((await get('/v1/players/ann', studio.client)).status).toBe(403)
  })
})

test('DELETE /v1/players/{player_id} is 202, again and for strangers too, and for server keys alone', async () => {
  const lobby = await makeLobby(service, studio, 'ann b/c')
  const erase = (key: string, player = 'ann b/c') =>
    service.call(`DELETE /v1/players/${encodeURIComponent(player)}`, { key })
  expect((await erase(studio.client)).body.code).toBe('CREDENTIAL_NOT_ALLOWED')
  for (let times = 0; times < 2; times++) {
    expect(await erase(studio.server)).toMatchObject({ status: 202, text: '' })
    await service.settle()
    expect((await service.call(`GET /v1/lobbies/${lobby.lobby_id}`, { key: studio.server })).status).toBe(404)
  }
  expect((await erase(studio.server, 'nobody')).status).toBe(202)
})
