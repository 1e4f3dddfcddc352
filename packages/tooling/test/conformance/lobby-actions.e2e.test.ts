import { beforeEach, expect } from 'vitest'
import { type Body, fault, outcome } from '../../src/conformance/client'
import { rule } from '../../src/conformance/rule'
import type { Studio } from '../../src/conformance/studio'
import { World } from '../../src/conformance/world'

let world: World
let studio: Studio
beforeEach(async () => {
  world = await World.open()
  studio = await world.studio()
})

const settings = (lobby: Body, fields: object, player = 'ann') =>
  studio.act(player, lobby, 'PATCH', '/settings', fields)
const stateOf = (player: string, lobby: Body, target: string, body: object) =>
  studio.act(player, lobby, 'PATCH', `/players/${target}`, body)
const pairLobby = async (): Promise<Body> => {
  const lobby = await studio.lobby()
  return (await studio.act('bob', lobby, 'POST', '/join')).body
}

rule('S-LEP-03', async () => {
  await studio.queue()
  const lobby = await studio.lobby()
  const on = `/v1/lobbies/${lobby.lobby_id}`
  const caller = world.as({ 'api-key': studio.clientKey })
  for (const [what, body] of [
    ['POST /v1/lobbies', { queue_id: 'duel' }],
    ['POST /v1/lobbies/join', { invite_code: lobby.invite_code }],
    [`PATCH ${on}/settings`, { name: 'x' }],
    [`POST ${on}/join`, {}],
    [`POST ${on}/leave`, undefined],
    [`POST ${on}/heartbeat`, undefined],
    [`POST ${on}/queue`, undefined],
    [`DELETE ${on}/queue`, undefined],
    [`POST ${on}/start`, undefined],
    [`PATCH ${on}/players/ann`, { state: {} }],
    [`DELETE ${on}/players/ann`, undefined],
    [`GET ${on}/events`, undefined],
  ] as const) {
    expect(outcome(await caller(what, body)), what).toEqual([400, 'PLAYER_ID_REQUIRED'])
  }
})

rule('S-LEP-04', async () => {
  await studio.queue()
  const lobby = await studio.inStatus('matched')
  const caller = world.as({ 'api-key': studio.clientKey })
  for (const path of ['/v1/lobbies', `/v1/lobbies/${lobby.lobby_id}`, `/v1/matches/${lobby.match_id}`]) {
    expect((await caller(`GET ${path}`)).status, path).toBe(200)
  }
})

rule('S-LEP-05', async () => {
  await studio.queue()
  const lobby = await pairLobby()
  for (const player of ['bob', 'stranger']) {
    expect(outcome(await settings(lobby, { name: 'x' }, player))).toEqual([403, 'NOT_HOST'])
  }
})

rule('S-LEP-06', async () => {
  await studio.queue()
  const lobby = await studio.lobby('ann', { name: 'Old', region: 'fra', settings: { a: 1, b: 2 } })
  await studio.act('bob', lobby, 'POST', '/join')
  const before = await studio.read(lobby)
  const { status, body } = await settings(lobby, { name: 'New', settings: { c: 3 }, is_private: true, max_players: 5 })
  expect(status).toBe(200)
  const changes = { name: 'New', settings: { c: 3 }, is_private: true, max_players: 5 }
  expect(body).toEqual({ ...before, ...changes, version: before.version + 1, updated_at: world.instant() })
})

rule('S-LEP-07', async () => {
  await studio.queue()
  const lobby = await studio.lobby()
  const { status, body } = await studio.act('bob', lobby, 'POST', '/join', { state: { mmr: 3 } })
  expect([status, body.current_players]).toEqual([200, 2])
  expect(body.players[1]).toMatchObject({ player_id: 'bob', is_host: false, state: { mmr: 3 } })
})

rule('S-LEP-08', async () => {
  await studio.queue()
  for (const isPrivate of [true, false]) {
    const lobby = await studio.lobby('ann', { is_private: isPrivate })
    const body = { invite_code: lobby.invite_code, state: { mmr: 3 } }
    const joined = await studio.player('bob')('POST /v1/lobbies/join', body)
    expect([joined.status, joined.body.players[1].state]).toEqual([200, { mmr: 3 }])
  }
  expect(fault(await studio.player('bob')('POST /v1/lobbies/join', {}))).toBe('invite_code')
})

rule('S-LEP-09', async () => {
  await studio.queue()
  const lobby = await studio.queued()
  expect(outcome(await studio.act('eve', lobby, 'DELETE', '/queue'))).toEqual([403, 'NOT_HOST'])
  const { status, body } = await studio.act('ann', lobby, 'DELETE', '/queue')
  expect([status, body.lobby_id, body.status]).toEqual([200, lobby.lobby_id, 'waiting'])
  await studio.queued('bob')
  await studio.tick()
  expect((await studio.read(lobby)).status).toBe('waiting')
})

rule('S-LEP-10', async () => {
  await studio.queue()
  const lobby = await pairLobby()
  const own = await stateOf('bob', lobby, 'bob', { state: { ready: true } })
  expect([own.status, own.body]).toEqual([200, { ...lobby.players[1], state: { ready: true } }])
  const byHost = await stateOf('ann', lobby, 'bob', { state: { team: 'red' } })
  expect([byHost.status, byHost.body.state]).toEqual([200, { ready: true, team: 'red' }])
})

rule('S-LEP-11', async () => {
  await studio.queue()
  const lobby = await studio.lobby('ann', { state: { a: 1, b: 2 } })
  expect((await stateOf('ann', lobby, 'ann', { state: { b: 3, c: 4 }, merge: true })).body.state).toEqual({
    a: 1,
    b: 3,
    c: 4,
  })
  expect((await stateOf('ann', lobby, 'ann', { state: { d: 5 }, merge: false })).body.state).toEqual({ d: 5 })
})

rule('S-LEP-17', async () => {
  await studio.queue()
  const asBackend = (player: string) => world.as({ 'api-key': studio.serverKey, 'x-player-id': player })
  const { body: lobby } = await asBackend('ann')('POST /v1/lobbies', { queue_id: 'duel' })
  const on = `/v1/lobbies/${lobby.lobby_id}`
  expect((await asBackend('bob')(`POST ${on}/join`)).status).toBe(200)
  expect((await asBackend('ann')(`PATCH ${on}/settings`, { name: 'x' })).status).toBe(200)
  expect((await asBackend('bob')(`PATCH ${on}/players/bob`, { state: { a: 1 } })).status).toBe(200)
  expect((await asBackend('bob')(`POST ${on}/heartbeat`)).status).toBe(204)
  expect((await asBackend('bob')(`POST ${on}/leave`)).status).toBe(204)
  expect((await asBackend('ann')(`POST ${on}/queue`)).status).toBe(200)
  expect((await asBackend('ann')(`DELETE ${on}/queue`)).status).toBe(200)
})

rule('C-6-03', async () => {
  await studio.queue()
  await studio.queue({ queue_id: 'off', enabled: false })
  await studio.queue({ queue_id: 'tiny', max_players: 1 })
  const lobby = await pairLobby()
  expect(outcome(await settings(lobby, { queue_id: 'none' }))).toEqual([404, 'QUEUE_NOT_FOUND'])
  expect(outcome(await settings(lobby, { queue_id: 'off' }))).toEqual([409, 'QUEUE_DISABLED'])
  expect((await settings(lobby, { queue_id: 'tiny', max_players: 1 })).body.code).toBe('VALIDATION_FAILED')
  expect((await studio.read(lobby)).queue_id).toBe('duel')
})

rule('C-6-04', async () => {
  await studio.queue()
  const lobby = await pairLobby()
  expect(fault(await settings(lobby, { max_players: 1 }))).toBe('max_players')
  expect((await settings(lobby, { max_players: 2 })).status).toBe(200)
})

rule('C-6-05', async () => {
  await studio.queue()
  await studio.queue({ queue_id: 'small', max_players: 5, invite_code_config: { prefix: 'S-' } })
  const lobby = await studio.lobby()
  expect(fault(await settings(lobby, { queue_id: 'small' }))).toBe('max_players')
  const { status, body } = await settings(lobby, { queue_id: 'small', max_players: 5 })
  expect([status, body.queue_id]).toEqual([200, 'small'])
  expect(body.invite_code).toMatch(/^S-/)
  const old = await studio.player('bob')('POST /v1/lobbies/join', { invite_code: lobby.invite_code })
  expect(outcome(old)).toEqual([404, 'INVALID_INVITE_CODE'])
})

rule('C-6-06', async () => {
  await studio.queue()
  const lobby = await studio.lobby('ann', { name: 'x', region: 'fra' })
  const { status, body } = await settings(lobby, { name: null, region: null })
  expect([status, 'name' in body, 'region' in body]).toEqual([200, false, false])
})

rule('C-6-07', async () => {
  await studio.queue()
  for (const isPrivate of [true, false]) {
    const lobby = await studio.lobby('ann', { is_private: isPrivate, state: { a: 1 } })
    const { status, body } = await studio.act('ann', lobby, 'POST', '/join', { state: { b: 2 } })
    expect([status, body.current_players, body.players[0].state]).toEqual([200, 1, { a: 1, b: 2 }])
    expect((await studio.act('ann', lobby, 'POST', '/join')).body.version).toBe(2)
    const byCode = await studio.player('ann')('POST /v1/lobbies/join', { invite_code: lobby.invite_code })
    expect([byCode.status, byCode.body.version]).toEqual([200, 2])
  }
})

rule('C-6-08', async () => {
  await studio.queue()
  for (const status of ['in_queue', 'matched', 'starting', 'in_game']) {
    const lobby = await studio.inStatus(status)
    for (const player of ['ann', 'bob']) {
      expect(outcome(await studio.act(player, lobby, 'POST', '/join')), status).toEqual([409, 'LOBBY_NOT_ACCEPTING'])
      const byCode = await studio.player(player)('POST /v1/lobbies/join', { invite_code: lobby.invite_code })
      expect(outcome(byCode), status).toEqual([409, 'LOBBY_NOT_ACCEPTING'])
    }
    await studio.backend(`DELETE /v1/lobbies/${lobby.lobby_id}`)
  }
})

rule('C-6-09', async () => {
  await studio.queue()
  const lobby = await studio.lobby('ann', { max_players: 2 })
  await studio.act('bob', lobby, 'POST', '/join')
  expect(outcome(await studio.act('cat', lobby, 'POST', '/join'))).toEqual([409, 'LOBBY_FULL'])
  const byCode = await studio.player('cat')('POST /v1/lobbies/join', { invite_code: lobby.invite_code })
  expect(outcome(byCode)).toEqual([409, 'LOBBY_FULL'])
  expect((await studio.act('bob', lobby, 'POST', '/join')).status).toBe(200)
})

rule('C-6-10', async () => {
  const join = () => studio.player('bob')('POST /v1/lobbies/join', { invite_code: 'NOBODY' })
  for (let n = 0; n < 30; n++) expect(outcome(await join())).toEqual([404, 'INVALID_INVITE_CODE'])
  const refused = await join()
  expect(outcome(refused)).toEqual([429, 'RATE_LIMITED'])
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  world.clock.advance(60_000)
  expect(outcome(await join())).toEqual([404, 'INVALID_INVITE_CODE'])
})

rule('C-6-11', async () => {
  await studio.queue({ matchmaking: { teams: 2, players_per_team: 2 } })
  const lobby = await pairLobby()
  await studio.act('ann', lobby, 'POST', '/queue')
  const { status, text } = await studio.act('bob', lobby, 'POST', '/leave')
  expect([status, text]).toEqual([204, ''])
  expect(await studio.read(lobby)).toMatchObject({ status: 'waiting', current_players: 1 })
  expect(outcome(await studio.act('bob', lobby, 'POST', '/leave'))).toEqual([403, 'PLAYER_NOT_IN_LOBBY'])
})

rule('C-6-12', async () => {
  await studio.queue()
  const lobby = await pairLobby()
  await studio.act('cat', lobby, 'POST', '/join')
  expect(outcome(await studio.act('bob', lobby, 'DELETE', '/players/cat'))).toEqual([403, 'NOT_HOST'])
  expect((await studio.act('bob', lobby, 'DELETE', '/players/bob')).status).toBe(204)
  expect((await studio.act('ann', lobby, 'DELETE', '/players/cat')).status).toBe(204)
  expect((await studio.read(lobby)).players.map((player: Body) => player.player_id)).toEqual(['ann'])
})

rule('C-6-13', async () => {
  await studio.queue()
  const lobby = await studio.lobby('ann', { state: { a: { x: 1 }, b: 2 } })
  const { body } = await stateOf('ann', lobby, 'ann', { state: { a: { y: 1 }, b: null } })
  expect(body.state).toEqual({ a: { y: 1 }, b: null })
})

rule('C-6-14', async () => {
  await studio.queue()
  const lobby = await studio.lobby()
  expect((await studio.act('ann', lobby, 'POST', '/heartbeat')).status).toBe(204)
  expect(outcome(await studio.act('eve', lobby, 'POST', '/heartbeat'))).toEqual([403, 'PLAYER_NOT_IN_LOBBY'])
})

rule('C-6-18', async () => {
  await studio.queue()
  const first = await pairLobby()
  expect(outcome(await studio.act('bob', first, 'DELETE'))).toEqual([403, 'NOT_HOST'])
  expect((await studio.act('ann', first, 'DELETE')).status).toBe(204)
  expect((await studio.read(first)).code).toBe('LOBBY_NOT_FOUND')
  const second = await studio.lobby()
  const path = `DELETE /v1/lobbies/${second.lobby_id}`
  expect(outcome(await world.as({ 'api-key': studio.clientKey })(path))[0]).toBeGreaterThanOrEqual(400)
  expect((await studio.backend(path)).status).toBe(204)
})

rule('C-6-21', async () => {
  await studio.queue()
  const lobby = await pairLobby()
  await studio.act('ann', lobby, 'POST', '/leave')
  expect((await studio.read(lobby)).current_players).toBe(1)
  await studio.act('bob', lobby, 'POST', '/leave')
  expect((await studio.read(lobby)).code).toBe('LOBBY_NOT_FOUND')
})

rule('C-6-39', async () => {
  await studio.queue()
  const lobby = await studio.lobby()
  expect(lobby.version).toBe(1)
  expect((await settings(lobby, { name: 'a', region: 'fra', settings: { x: 1 } })).body.version).toBe(2)
  expect((await settings(lobby, { name: 'a' })).body.version).toBe(2)
  await stateOf('ann', lobby, 'ann', { state: { a: 1 } })
  await stateOf('ann', lobby, 'ann', { state: { a: 1 } })
  expect((await studio.read(lobby)).version).toBe(3)
  await studio.act('bob', lobby, 'POST', '/join')
  // One commit removes the host and makes another player host.
  await studio.act('ann', lobby, 'POST', '/leave')
  expect(await studio.read(lobby)).toMatchObject({ version: 5, host_player_id: 'bob' })
})

rule('C-6-40', async () => {
  await studio.queue()
  const lobby = await pairLobby()
  expect(outcome(await stateOf('bob', lobby, 'ann', { state: {} }))).toEqual([403, 'PLAYER_STATE_FORBIDDEN'])
  for (const target of ['ann', 'eve']) {
    expect(outcome(await stateOf('eve', lobby, target, { state: {} }))).toEqual([403, 'PLAYER_NOT_IN_LOBBY'])
  }
})

rule('C-6-41', async () => {
  await studio.queue()
  const lobby = await pairLobby()
  expect(outcome(await stateOf('ann', lobby, 'eve', { state: {} }))).toEqual([404, 'PLAYER_NOT_IN_LOBBY'])
  expect(outcome(await studio.act('ann', lobby, 'DELETE', '/players/eve'))).toEqual([404, 'PLAYER_NOT_IN_LOBBY'])
})
