import { beforeAll, describe, expect, test } from 'vitest'
import type { CallOptions } from './harness/client'
import { type Service, startService } from './harness/service'
import { makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio

beforeAll(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeQueue(service, studio)
})

const create = (key: string, options: CallOptions = {}) =>
  service.call('POST /v1/lobbies', {
    key: studio.client,
    player: 'ann',
    body: { queue_id: 'duel' },
    ...options,
    headers: { 'idempotency-key': key, ...options.headers },
  })

describe('idempotency-key', () => {
  test('white space is not another body', async () => {
    const first = await create('k3')
    const headers = { 'content-type': 'application/json' }
    const again = await service.call('POST /v1/lobbies', {
      key: studio.client,
      player: 'ann',
      raw: ' {"queue_id" : "duel"} ',
      headers: { ...headers, 'idempotency-key': 'k3' },
    })
    expect(again.body).toEqual(first.body)
  })

  test("a stranger's is not yours: without a credential it belongs to the address", async () => {
    const headers = { 'idempotency-key': '1' }
    const register = (email: string, name = 'A') =>
      service.call('POST /v1/auth/register', { body: { email, password: 'correct horse', name }, headers })
    expect((await register('mallory@example.com')).status).toBe(201)
    const mine = await register('me@example.com')
    expect([mine.status, mine.body.account?.email]).toEqual([201, 'me@example.com'])
    expect((await register('ME@example.com')).body.code).toBe('IDEMPOTENCY_MISMATCH')
    expect((await register('me@example.com', 'B')).body.code).toBe('IDEMPOTENCY_MISMATCH')
    const login = (email: string) =>
      service.call('POST /v1/auth/login', { body: { email, password: 'correct horse' }, headers })
    expect((await login('mallory@example.com')).status).toBe(200)
    expect((await login('me@example.com')).body.account).toMatchObject({ email: 'me@example.com' })
  })

  test('a repeated login never answers a token that is dead', async () => {
    const body = { email: 'again@example.com', password: 'correct horse' }
    const headers = { 'idempotency-key': 'again' }
    const register = () => service.call('POST /v1/auth/register', { body: { ...body, name: 'A' }, headers })
    const login = async () => (await service.call('POST /v1/auth/login', { body, headers })).body.token
    const works = async (token: string) => (await service.call('GET /v1/account', { token })).status === 200
    const { token: registered } = (await register()).body
    expect((await register()).body.token).toBe(registered)
    await service.call('POST /v1/auth/logout', { token: registered })
    expect((await register()).body.code).toBe('EMAIL_TAKEN')

    const first = await login()
    expect(await login()).toBe(first)
    await service.call('POST /v1/auth/logout', { token: first })
    const second = await login()
    expect([second === first, await works(second)]).toEqual([false, true])
    expect(await login()).toBe(second)
    const { token: refreshed } = (await service.call('POST /v1/auth/refresh', { token: second })).body
    const third = await login()
    expect([await works(third), third === second, await works(refreshed)]).toEqual([true, false, true])
  })

  test("outlives the session's refresh, and refreshes and logouts of two logins are two", async () => {
    const headers = { 'idempotency-key': 'mine' }
    const own = await openStudio(service, 'free')
    const project = (token: string) => service.call('POST /v1/projects', { token, body: { name: 'Once' }, headers })
    const first = await project(own.token)
    const { token } = (await service.call('POST /v1/auth/refresh', { token: own.token, headers })).body
    const again = await project(token)
    expect([again.status, again.body.project_id, again.body.role]).toEqual([201, first.body.project_id, 'owner'])

    const { email } = (await service.call('GET /v1/account', { token })).body
    const { body: other } = await service.call('POST /v1/auth/login', { body: { email, password: 'correct horse' } })
    const { body: others } = await service.call('POST /v1/auth/refresh', { token: other.token, headers })
    expect(others.token).not.toBe(token)
    expect((await service.call('POST /v1/auth/logout', { token, headers })).status).toBe(204)
    expect((await service.call('GET /v1/account', { token: others.token })).status).toBe(200)
    expect((await service.call('POST /v1/auth/logout', { token: others.token, headers })).status).toBe(204)
    expect((await service.call('GET /v1/account', { token: others.token })).body.code).toBe('INVALID_SESSION_TOKEN')
  })

  test('means nothing where nothing is changed', async () => {
    const headers = { 'idempotency-key': '' }
    expect((await service.call('GET /v1/lobbies', { key: studio.client, headers })).status).toBe(200)
  })
})

describe('an answer that is too long to be kept', () => {
  const HEADER = 'idempotency-replayed'
  const long = { settings: { text: 'x'.repeat(5_000) } }
  const replayed = async (answer: Promise<{ headers: Headers }>) => (await answer).headers.get(HEADER)

  test('is made again of the present state, and says so; a short one is given again as it was', async () => {
    expect(await replayed(create('short'))).toBeNull()
    expect(await replayed(create('short'))).toBe('recorded')
    const first = await create('long', { body: { queue_id: 'duel', ...long } })
    const { lobby_id: id } = first.body
    const name = { key: studio.client, player: 'ann', body: { name: 'Later' } }
    await service.call(`PATCH /v1/lobbies/${id}/settings`, name)
    const again = await create('long', { body: { queue_id: 'duel', ...long } })
    expect([again.status, again.body.lobby_id, again.body.name]).toEqual([201, id, 'Later'])
    expect(again.headers.get(HEADER)).toBe('current')
  })

  test('is LOBBY_NOT_FOUND where what it was about is gone, and has no second effect', async () => {
    const body = { queue_id: 'duel', ...long }
    const { lobby_id: id } = (await create('gone', { body })).body
    await service.call(`DELETE /v1/lobbies/${id}`, { key: studio.client, player: 'ann' })
    const again = await create('gone', { body })
    expect([again.status, again.body.code]).toEqual([404, 'LOBBY_NOT_FOUND'])
    expect(again.headers.get(HEADER)).toBeNull()
  })

  test('of a queue is the queue as it is now', async () => {
    const matchmaking = {
      teams: 2,
      players_per_team: 1,
      rules: Array.from({ length: 30 }, (_, n) => ({
        type: 'difference',
        field: `field_${n}_${'x'.repeat(40)}`,
        max_difference: 5,
        expansions: [{ after_seconds: 15, max_difference: 200 }],
      })),
    }
    const call = () =>
      service.call('POST /v1/queues', {
        key: studio.server,
        headers: { 'idempotency-key': 'long queue' },
        body: { queue_id: 'ruled', name: 'Ruled', matchmaking },
      })
    expect((await call()).status).toBe(201)
    await service.call('PATCH /v1/queues/ruled', { key: studio.server, body: { name: 'Renamed' } })
    const again = await call()
    expect([again.status, again.body.name, again.headers.get(HEADER)]).toEqual([201, 'Renamed', 'current'])
  })

  test("of a player who has left since is refused as the player's own call would be", async () => {
    const { lobby_id: id } = (await create('left')).body
    const join = { key: studio.client, player: 'zoe' }
    await service.call(`POST /v1/lobbies/${id}/join`, join)
    const headers = { 'idempotency-key': 'state' }
    const set = () =>
      service.call(`PATCH /v1/lobbies/${id}/players/zoe`, { ...join, headers, body: { state: long.settings } })
    expect((await set()).status).toBe(200)
    expect((await set()).headers.get(HEADER)).toBe('current')
    await service.call(`POST /v1/lobbies/${id}/leave`, join)
    expect((await set()).body.code).toBe('PLAYER_NOT_IN_LOBBY')
  })
})

/** A repetition of a completed change arrives only after a later change. */
describe('a change that is held in the network does not undo a later one', () => {
  const call = (what: string, player: string, key: string, body?: unknown) =>
    service.call(what, { key: studio.client, player, headers: { 'idempotency-key': key }, ...(body ? { body } : {}) })
  const lobbyOf = async (player: string) => {
    const options = { key: studio.client, player, body: { queue_id: 'duel', state: { mmr: 1500 } } }
    return (await service.call('POST /v1/lobbies', options)).body
  }
  const read = async (path: string) => (await service.call(`GET ${path}`, { key: studio.server })).body

  test('a state', async () => {
    const path = `/v1/lobbies/${(await lobbyOf('hal')).lobby_id}`
    const set = (key: string, hat: string) => call(`PATCH ${path}/players/hal`, 'hal', key, { state: { hat } })
    const first = await set('red', 'red')
    expect(first.body).toMatchObject({ is_host: true, state: { mmr: 1500, hat: 'red' } })
    await set('blue', 'blue')
    const { version } = await read(path)
    const again = await set('red', 'red')
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await read(path)).toMatchObject({ version, players: [{ state: { hat: 'blue' } }] })
  })

  test('settings, answered as they were', async () => {
    const path = `/v1/lobbies/${(await lobbyOf('ida')).lobby_id}`
    const set = (key: string, map: string) => call(`PATCH ${path}/settings`, 'ida', key, { settings: { map } })
    const { body: first } = await set('sea', 'sea')
    await set('wood', 'wood')
    expect((await set('sea', 'sea')).body).toEqual(first)
    expect((await read(path)).settings).toEqual({ map: 'wood' })
  })

  test('a kick of who has come back', async () => {
    const path = `/v1/lobbies/${(await lobbyOf('jon')).lobby_id}`
    const come = () => service.call(`POST ${path}/join`, { key: studio.client, player: 'kim' })
    const kick = () => call(`DELETE ${path}/players/kim`, 'jon', 'kick')
    await come()
    expect((await kick()).status).toBe(204)
    await come()
    expect((await kick()).status).toBe(204)
    expect((await read(path)).current_players).toBe(2)
  })

  test('a cancelled search that goes on since', async () => {
    const path = `/v1/lobbies/${(await lobbyOf('lea')).lobby_id}`
    const enqueue = () => service.call(`POST ${path}/queue`, { key: studio.client, player: 'lea' })
    const cancel = () => call(`DELETE ${path}/queue`, 'lea', 'cancel')
    await enqueue()
    const first = await cancel()
    await enqueue()
    expect((await cancel()).body).toEqual(first.body)
    expect((await read(path)).status).toBe('in_queue')
    // Under another key the same call is a new one.
    expect((await call(`DELETE ${path}/queue`, 'lea', 'cancel again')).body.status).toBe('waiting')
  })

  test('a deleted queue that is there again', async () => {
    const make = () =>
      service.call('POST /v1/queues', { key: studio.server, body: { queue_id: 'brief', name: 'Brief' } })
    const remove = () =>
      service.call('DELETE /v1/queues/brief', { key: studio.server, headers: { 'idempotency-key': 'once' } })
    await make()
    expect((await remove()).status).toBe(204)
    await make()
    expect((await remove()).status).toBe(204)
    expect((await read('/v1/queues/brief')).name).toBe('Brief')
  })

  test('and one that was refused was none: it is judged anew', async () => {
    const path = `/v1/lobbies/${(await lobbyOf('max')).lobby_id}`
    const kick = () => call(`DELETE ${path}/players/ned`, 'max', 'kick ned')
    expect((await kick()).body.code).toBe('PLAYER_NOT_IN_LOBBY')
    await service.call(`POST ${path}/join`, { key: studio.client, player: 'ned' })
    expect((await kick()).status).toBe(204)
    expect((await read(path)).current_players).toBe(1)
  })
})
