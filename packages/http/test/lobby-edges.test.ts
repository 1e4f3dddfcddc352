import { beforeEach, describe, expect, test } from 'vitest'
import type { Body } from './harness/client'
import { lobbyCalls, on, withServer } from './harness/lobby-calls'
import { type Service, startService } from './harness/service'
import { makeBuild, makeLobby, makeMatch, makeQueue, openStudio, type Studio } from './harness/studio'

// "More decided edges" of docs/http-api.md (§6), each by its sentence.
let service: Service
let studio: Studio

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service)
})

const { as, read, join, start } = lobbyCalls(() => ({ service, studio }))
const serverOf = async (lobby: Body) => {
  const { body } = await service.call(`GET /v1/servers?match_id=${lobby.match_id}`, { key: studio.server })
  return body.data[0]
}

describe('leaving', () => {
  test('the last player leaving deletes the lobby', async () => {
    await makeQueue(service, studio)
    const lobby = await makeLobby(service, studio)
    expect((await service.call(`POST ${on(lobby, '/leave')}`, as('ann'))).status).toBe(204)
    expect((await read(lobby)).code).toBe('LOBBY_NOT_FOUND')
  })

  test.each([
    ['leave', (lobby: Body) => service.call(`POST ${on(lobby, '/leave')}`, as('ann'))],
    ['removal of oneself', (lobby: Body) => service.call(`DELETE ${on(lobby, '/players/ann')}`, as('ann'))],
  ])('the host’s %s follows host_leave_behavior', async (_how, go) => {
    await makeQueue(service, studio)
    await makeQueue(service, studio, { queue_id: 'fragile', host_leave_behavior: 'delete' })
    const promoted = await makeLobby(service, studio)
    for (const player of ['bob', 'cat']) await join(promoted, player)
    expect((await go(promoted)).status).toBe(204)
    const after = await read(promoted)
    expect([after.host_player_id, after.current_players]).toEqual(['bob', 2])
    expect(after.players.map(({ player_id: id, is_host: host }: Body) => [id, host])).toEqual([
      ['bob', true],
      ['cat', false],
    ])
    const deleted = await makeLobby(service, studio, 'ann', { queue_id: 'fragile' })
    await join(deleted, 'bob')
    expect((await go(deleted)).status).toBe(204)
    expect((await read(deleted)).code).toBe('LOBBY_NOT_FOUND')
  })

  test('heartbeat loss of the host is the same departure', async () => {
    await makeQueue(service, studio, { queue_id: 'beat', heartbeat: true, heartbeat_timeout: 10 })
    const lobby = await makeLobby(service, studio, 'ann', { queue_id: 'beat' })
    await join(lobby, 'bob')
    for (let second = 0; second < 11; second++) {
      service.clock.advance(1_000)
      expect((await service.call(`POST ${on(lobby, '/heartbeat')}`, as('bob'))).status).toBe(204)
      await service.settle()
    }
    expect(await read(lobby)).toMatchObject({ host_player_id: 'bob', current_players: 1 })
    expect((await service.call(`POST ${on(lobby, '/heartbeat')}`, as('ann'))).body.code).toBe('PLAYER_NOT_IN_LOBBY')
  })

  test('a queued lobby goes back to waiting when a player leaves', async () => {
    await makeQueue(service, studio, { matchmaking: { teams: 2, players_per_team: 2 } })
    const lobby = await makeLobby(service, studio)
    await join(lobby, 'bob')
    await service.call(`POST ${on(lobby, '/queue')}`, as('ann'))
    await service.call(`POST ${on(lobby, '/leave')}`, as('bob'))
    expect((await read(lobby)).status).toBe('waiting')
  })

  test('a lobby in_game whose players all leave is deleted, and its server stopped once all lobbies are gone', async () => {
    await makeBuild(service, studio)
    await makeQueue(service, studio, withServer)
    const [mine, theirs] = await makeMatch(service, studio)
    const { instance_id: id } = mine.server
    await service.call(`POST ${on(mine, '/leave')}`, as('ann'))
    await service.settle()
    expect((await read(mine)).code).toBe('LOBBY_NOT_FOUND')
    expect((await read(theirs)).status).toBe('in_game')
    expect((await service.call(`GET /v1/servers/${id}`, { key: studio.server })).body.status).toBe('running')
    await service.call(`POST ${on(theirs, '/leave')}`, as('bob'))
    await service.settle()
    expect((await service.call(`GET /v1/servers/${id}`, { key: studio.server })).body.status).toBe('stopped')
  })
})

describe('changes', () => {
  test('a state update in the queue re-reads the ticket and keeps its entry time', async () => {
    const rules = [{ type: 'difference', field: 'mmr', max_difference: 10 }]
    await makeQueue(service, studio, { matchmaking: { teams: 2, players_per_team: 1, rules } })
    const far = await makeLobby(service, studio, 'ann', { state: { mmr: 1 } })
    const near = await makeLobby(service, studio, 'bob', { state: { mmr: 100 } })
    for (const [lobby, player] of [
      [far, 'ann'],
      [near, 'bob'],
    ] as const)
      await service.call(`POST ${on(lobby, '/queue')}`, as(player))
    await service.matchyard.matchmaking.runQueue(`${studio.projectId}/duel`)
    expect((await read(far)).status).toBe('in_queue')
    service.clock.advance(30_000)
    await service.call(`PATCH ${on(far, '/players/ann')}`, as('ann', { state: { mmr: 95 } }))
    const { body: why } = await service.call(`GET ${on(far, '/queue')}`, as('ann'))
    expect(why).toMatchObject({ lobby_id: far.lobby_id, waited_seconds: 30, fitting_all: 1 })
    expect(why.rules).toEqual([{ type: 'difference', field: 'mmr', passing: 1, failing: 0 }])
    await service.matchyard.matchmaking.runQueue(`${studio.projectId}/duel`)
    expect((await read(far)).status).toBe('matched')
  })

  test('one that makes the party unmatchable is refused, and nothing changes', async () => {
    const rules = [{ type: 'difference', field: 'mmr', max_difference: 10 }]
    await makeQueue(service, studio, { matchmaking: { teams: 2, players_per_team: 2, rules } })
    const lobby = await makeLobby(service, studio, 'ann', { state: { mmr: 1 } })
    await join(lobby, 'bob', { mmr: 5 })
    await service.call(`POST ${on(lobby, '/queue')}`, as('ann'))
    const before = await read(lobby)
    const { body } = await service.call(`PATCH ${on(lobby, '/players/bob')}`, as('bob', { state: { mmr: 50 } }))
    expect([body.code, body.details]).toEqual([
      'PARTY_CANNOT_MATCH',
      { rule: 'difference', field: 'mmr', values: [1, 50], bound: 10 },
    ])
    expect(await read(lobby)).toEqual(before)
  })

  test('moving to another queue draws the invite code anew, and max_players must fit it', async () => {
    await makeQueue(service, studio)
    await makeQueue(service, studio, { queue_id: 'small', max_players: 2, invite_code_config: { prefix: 'SM-' } })
    const lobby = await makeLobby(service, studio)
    const move = (fields: object) =>
      service.call(`PATCH ${on(lobby, '/settings')}`, as('ann', { queue_id: 'small', ...fields }))
    const refused = await move({})
    expect([refused.body.code, refused.body.details.issues[0].path]).toEqual(['VALIDATION_FAILED', 'max_players'])
    const { body: moved } = await move({ max_players: 2 })
    expect(moved).toMatchObject({ queue_id: 'small', max_players: 2, lobby_id: lobby.lobby_id })
    expect(moved.invite_code).toMatch(/^SM-[A-Z0-9]{6}$/)
    const byOld = await service.call('POST /v1/lobbies/join', as('bob', { invite_code: lobby.invite_code }))
    expect(byOld.body.code).toBe('INVALID_INVITE_CODE')
    const byNew = await service.call(
      'POST /v1/lobbies/join',
      as('bob', { invite_code: moved.invite_code.toLowerCase() }),
    )
    expect(byNew.status).toBe(200)
  })

  test('name: null and region: null unset; an unset field is absent', async () => {
    await makeQueue(service, studio)
    const lobby = await makeLobby(service, studio, 'ann', { name: 'Mine', region: 'fra' })
    expect(lobby).toMatchObject({ name: 'Mine', region: 'fra' })
    const { body } = await service.call(`PATCH ${on(lobby, '/settings')}`, as('ann', { name: null, region: null }))
    expect(body).not.toHaveProperty('name')
    expect(body).not.toHaveProperty('region')
    expect(body).toMatchObject({ invite_code: lobby.invite_code, server: null, match_id: null })
  })

  test('a PATCH that changes nothing, {} too, is 200 and makes no new version', async () => {
    await makeQueue(service, studio)
    const lobby = await makeLobby(service, studio, 'ann', { state: { a: 1 } })
    for (const [what, body] of [
      [on(lobby, '/settings'), {}],
      [on(lobby, '/settings'), { is_private: false, max_players: 10 }],
      [on(lobby, '/players/ann'), {}],
      [on(lobby, '/players/ann'), { merge: false }],
      [on(lobby, '/players/ann'), { state: { a: 1 } }],
    ] as const) {
      expect((await service.call(`PATCH ${what}`, as('ann', body))).status).toBe(200)
    }
    expect(await read(lobby)).toEqual(lobby)
    const { body: queue } = await service.call('GET /v1/queues/duel', { key: studio.server })
    expect((await service.call('PATCH /v1/queues/duel', { key: studio.server, body: {} })).body).toEqual(queue)
  })

  test('merge is shallow and the default, null is a value; false replaces wholesale', async () => {
    await makeQueue(service, studio)
    const lobby = await makeLobby(service, studio, 'ann', { state: { a: { b: 1 }, c: 2 } })
    const patch = async (body: object) =>
      (await service.call(`PATCH ${on(lobby, '/players/ann')}`, as('ann', body))).body
    expect((await patch({ state: { a: { d: 1 }, e: null } })).state).toEqual({ a: { d: 1 }, c: 2, e: null })
    const player = await patch({ state: { z: 1 }, merge: false })
    expect(player).toEqual({ player_id: 'ann', is_host: true, joined_at: lobby.created_at, state: { z: 1 } })
  })

  test('settings and start while in_game are INVALID_LOBBY_STATE', async () => {
    await makeQueue(service, studio)
    const [mine] = await makeMatch(service, studio)
    const settings = await service.call(`PATCH ${on(mine, '/settings')}`, as('ann', { name: 'x' }))
    expect([settings.body.code, (await start(mine)).body.code]).toEqual(['INVALID_LOBBY_STATE', 'INVALID_LOBBY_STATE'])
  })

  test('a lobby’s JSON is at most 256 kB in all', async () => {
    await makeQueue(service, studio, { max_players: 100 })
    const lobby = await makeLobby(service, studio)
    let refused: Body
    for (let n = 0; n < 20 && refused === undefined; n++) {
      const { status, body } = await join(lobby, `p${n}`, { filler: 'x'.repeat(16_000) })
      if (status !== 200) refused = body
    }
    expect([refused.status, refused.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    const now = await read(lobby)
    expect(now.current_players).toBeGreaterThan(10)
    expect(JSON.stringify(now).length).toBeLessThanOrEqual(256 * 1024)
  })

  test('lobby.version starts at 1 and grows by one with every commit, however much that commit does', async () => {
    await makeQueue(service, studio)
    const lobby = await makeLobby(service, studio)
    expect(lobby.version).toBe(1)
    expect((await join(lobby, 'bob')).body.version).toBe(2)
    const settings = { name: 'a', is_private: true, settings: { map: 1 }, region: 'fra' }
    expect((await service.call(`PATCH ${on(lobby, '/settings')}`, as('ann', settings))).body.version).toBe(3)
    await service.call(`POST ${on(lobby, '/leave')}`, as('ann'))
    expect(await read(lobby)).toMatchObject({ version: 4, host_player_id: 'bob' })
  })
})

describe('joining', () => {
  test('again is 200 while waiting, also in a private lobby; state is merged, nothing duplicated', async () => {
    await makeQueue(service, studio)
    const lobby = await makeLobby(service, studio, 'ann', { is_private: true, state: { a: 1 } })
    const again = await join(lobby, 'ann', { b: 2 })
    expect([again.status, again.body.current_players, again.body.players[0].state]).toEqual([200, 1, { a: 1, b: 2 }])
    expect((await join(lobby, 'ann')).body.version).toBe(2)
    const byCode = await service.call('POST /v1/lobbies/join', as('ann', { invite_code: lobby.invite_code }))
    expect([byCode.status, byCode.body.version]).toEqual([200, 2])
    await start(lobby)
    expect((await join(lobby, 'ann')).body.code).toBe('LOBBY_NOT_ACCEPTING')
  })

  test.each(['in_queue', 'matched', 'starting', 'in_game'])('is refused while %s', async (status) => {
    await makeQueue(service, studio)
    const lobby = await makeLobby(service, studio)
    if (status === 'in_queue' || status === 'matched') await service.call(`POST ${on(lobby, '/queue')}`, as('ann'))
    else await start(lobby)
    if (status === 'matched') {
      const other = await makeLobby(service, studio, 'zoe')
      await service.call(`POST ${on(other, '/queue')}`, as('zoe'))
      await service.matchyard.matchmaking.runQueue(`${studio.projectId}/duel`)
    }
    if (status === 'in_game') await service.settle()
    expect((await read(lobby)).status).toBe(status)
    for (const player of ['bob', 'ann']) expect((await join(lobby, player)).body.code).toBe('LOBBY_NOT_ACCEPTING')
    const byCode = await service.call('POST /v1/lobbies/join', as('bob', { invite_code: lobby.invite_code }))
    expect(byCode.body.code).toBe('LOBBY_NOT_ACCEPTING')
  })

  test('private lobbies can be read by id, and browsed by server keys that ask', async () => {
    await makeQueue(service, studio)
    const lobby = await makeLobby(service, studio, 'ann', { is_private: true })
    expect((await service.call(`GET ${on(lobby)}`, { key: studio.client })).status).toBe(200)
    const browse = async (key: string, query = '') =>
      (await service.call(`GET /v1/lobbies${query}`, { key })).body.total
    expect(await browse(studio.client, '?include_private=true')).toBe(0)
    expect(await browse(studio.server)).toBe(0)
    expect(await browse(studio.server, '?include_private=true')).toBe(1)
  })
})

describe('idle lobbies', () => {
  const idleQueue = () => makeQueue(service, studio, { lobby_ttl: 60 })
  const wait = async (seconds: number) => {
    service.clock.advance(seconds * 1_000)
    await service.settle()
  }

  test('are deleted when no member was named in a call for lobby_ttl', async () => {
    await idleQueue()
    const lobby = await makeLobby(service, studio)
    await wait(59)
    expect((await read(lobby)).status).toBe('waiting')
    await wait(1)
    expect((await read(lobby)).code).toBe('LOBBY_NOT_FOUND')
  })

  test('a member’s GET keeps a lobby, reads with a server key and by strangers do not', async () => {
    await idleQueue()
    const [kept, lost] = [await makeLobby(service, studio), await makeLobby(service, studio, 'zoe')]
    for (let n = 0; n < 3; n++) {
      await wait(25)
      await service.call(`GET ${on(kept)}`, as('ann'))
      await service.call(`GET ${on(lost)}`, as('stranger'))
      await service.call(`GET ${on(lost)}`, { key: studio.server, player: 'zoe' })
      await service.call(`GET ${on(lost)}`, { key: studio.client })
    }
    expect((await read(kept)).status).toBe('waiting')
    expect((await read(lost)).code).toBe('LOBBY_NOT_FOUND')
  })

  test('one that starts or plays with a live server is never idle', async () => {
    await makeBuild(service, studio)
    await makeQueue(service, studio, { ...withServer, lobby_ttl: 60 })
    const lobby = await makeLobby(service, studio)
    await start(lobby)
    await wait(1)
    for (let n = 0; n < 3; n++) await wait(61)
    expect((await read(lobby)).status).toBe('in_game')
    expect((await serverOf(await read(lobby))).status).toBe('running')
  })
})
