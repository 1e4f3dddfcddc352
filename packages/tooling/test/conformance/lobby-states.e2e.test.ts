import { beforeEach, expect } from 'vitest'
import { type Body, outcome } from '../../src/conformance/client'
import { rule } from '../../src/conformance/rule'
import type { Studio } from '../../src/conformance/studio'
import { World } from '../../src/conformance/world'

let world: World
let studio: Studio
beforeEach(async () => {
  world = await World.open()
  studio = await world.studio()
})

const statesOf = async (lobby: Body): Promise<string[]> => {
  const stream = await studio.stream(lobby, 'watch', { 'api-key': studio.serverKey })
  await stream.untilEvents(1)
  const { version } = stream.events[0]?.data ?? {}
  await stream.close()
  const replay = await studio.stream(lobby, 'watch', { 'api-key': studio.serverKey, 'last-event-id': '1' })
  await replay.untilEvents(version - 1)
  await replay.close()
  return ['waiting', ...replay.events.map(({ data }) => data.status)]
}
const serversOf = async (lobby: Body): Promise<Body[]> =>
  (await studio.backend(`GET /v1/servers?match_id=${lobby.match_id}`)).body.data

rule('S-STA-01', async () => {
  await studio.queue()
  const lobby = await studio.lobby()
  expect(lobby).toMatchObject({ status: 'waiting', host_player_id: 'ann' })
  expect(lobby.invite_code).toMatch(/^[A-Z0-9]{6}$/)
})

rule('S-STA-02', async () => {
  await studio.queue()
  const lobby = await studio.lobby()
  const { status, body } = await studio.act('ann', lobby, 'POST', '/queue')
  expect([status, body.status]).toEqual([200, 'in_queue'])
  const other = await studio.lobby()
  await studio.act('bob', other, 'POST', '/join')
  expect(outcome(await studio.act('bob', other, 'POST', '/queue'))).toEqual([403, 'NOT_HOST'])
})

rule('S-STA-03', async () => {
  await studio.queue()
  const lobbies = [await studio.queued('ann'), await studio.queued('bob')]
  await studio.tick()
  const [mine, theirs] = await Promise.all(lobbies.map((lobby) => studio.read(lobby)))
  expect([mine.status, theirs.status, theirs.match_id]).toEqual(['matched', 'matched', mine.match_id])
  expect(mine.match_id).toMatch(/^mat_/)
})

rule('S-STA-04', async () => {
  await studio.queue()
  const [mine] = await studio.match()
  expect(await statesOf(mine)).toEqual(['waiting', 'in_queue', 'matched', 'in_game'])
})

rule('S-STA-05', async () => {
  await studio.queue()
  const [mine, theirs] = await studio.match()
  await studio.backend(`POST /v1/lobbies/${mine.lobby_id}/end`)
  for (const lobby of [mine, theirs]) expect((await studio.read(lobby)).status).toBe('waiting')
  await studio.act('ann', mine, 'POST', '/queue')
  await studio.act('bob', theirs, 'POST', '/queue')
  await studio.tick()
  await world.settle()
  expect((await studio.read(mine)).status).toBe('in_game')
})

rule('S-STA-06', async () => {
  await studio.queue({ matchmaking: { teams: 2, players_per_team: 2 } })
  const lobby = await studio.lobby()
  await studio.act('bob', lobby, 'POST', '/join')
  await studio.act('ann', lobby, 'POST', '/queue')
  expect(outcome(await studio.act('bob', lobby, 'DELETE', '/queue'))).toEqual([403, 'NOT_HOST'])
  const { status, body } = await studio.act('ann', lobby, 'DELETE', '/queue')
  expect([status, body.status, body.match_id]).toEqual([200, 'waiting', null])
})

rule('S-STA-07', async () => {
  await studio.queue()
  const lobby = await studio.lobby()
  await studio.act('bob', lobby, 'POST', '/join')
  expect(outcome(await studio.act('bob', lobby, 'POST', '/start'))).toEqual([403, 'NOT_HOST'])
  expect((await studio.act('ann', lobby, 'POST', '/start')).body.status).toBe('starting')
})

rule('S-STA-08', async () => {
  await studio.queueWithServer()
  world.orchestrator.script = () => 'starting'
  const started = await studio.inStatus('starting')
  await world.settle()
  const { status, server } = await studio.read(started)
  expect([status, server.status]).toEqual(['starting', 'launching'])
  world.orchestrator.makeReady(server.instance_id)
  await world.settle()
  expect(await studio.read(started)).toMatchObject({ status: 'in_game', server: { status: 'running' } })
})

rule('S-STA-09', async () => {
  await studio.queueWithServer()
  world.orchestrator.script = () => 'final'
  const started = await studio.inStatus('starting')
  await world.settle()
  expect(await studio.read(started)).toMatchObject({ status: 'waiting', match_id: null, server: null })
})

rule('S-STA-10', async () => {
  await studio.queue()
  for (const status of ['in_queue', 'matched', 'starting']) {
    const lobby = await studio.inStatus(status)
    expect(lobby.status).toBe(status)
    const answer = await studio.act('ann', lobby, 'PATCH', '/settings', { name: 'New' })
    expect(outcome(answer), status).toEqual([409, 'INVALID_LOBBY_STATE'])
    await studio.backend(`DELETE /v1/lobbies/${lobby.lobby_id}`)
  }
  const waiting = await studio.lobby()
  expect((await studio.act('ann', waiting, 'PATCH', '/settings', { name: 'New' })).status).toBe(200)
})

rule('S-STA-11', async () => {
  await studio.queue()
  const lobby = await studio.inGame()
  expect(outcome(await studio.act('bob', lobby, 'POST', '/join'))).toEqual([409, 'LOBBY_NOT_ACCEPTING'])
  const byCode = await studio.player('bob')('POST /v1/lobbies/join', { invite_code: lobby.invite_code })
  expect(outcome(byCode)).toEqual([409, 'LOBBY_NOT_ACCEPTING'])
})

rule('S-STA-12', async () => {
  await studio.queue()
  const lobby = await studio.lobby('ann', { is_private: true })
  expect(outcome(await studio.act('bob', lobby, 'POST', '/join'))).toEqual([409, 'LOBBY_NOT_ACCEPTING'])
})

rule('C-6-15', async () => {
  await studio.queueWithServer()
  const lobby = await studio.lobby()
  await studio.act('bob', lobby, 'POST', '/join')
  const { status, body } = await studio.act('ann', lobby, 'POST', '/start')
  expect([status, body.status, body.server]).toEqual([200, 'starting', null])
  const match = (await studio.player('ann')(`GET /v1/matches/${body.match_id}`)).body
  const players = ['ann', 'bob'].map((id) => ({ player_id: id, lobby_id: lobby.lobby_id, role: null }))
  expect(match.teams).toEqual([{ name: 'team_1', players }])
})

rule('C-6-16', async () => {
  await studio.queue()
  const [mine, theirs] = await studio.match()
  expect(outcome(await studio.act('ann', mine, 'POST', '/end'))).toEqual([403, 'NOT_HOST'])
  expect((await studio.backend(`POST /v1/lobbies/${theirs.lobby_id}/end`)).body.status).toBe('waiting')
  const alone = await studio.lobby('zoe')
  await studio.act('yan', alone, 'POST', '/join')
  await studio.act('zoe', alone, 'POST', '/start')
  await world.settle()
  expect(outcome(await studio.act('yan', alone, 'POST', '/end'))).toEqual([403, 'NOT_HOST'])
  expect((await studio.act('zoe', alone, 'POST', '/end')).body.status).toBe('waiting')
  expect(outcome(await studio.act('zoe', alone, 'POST', '/end'))).toEqual([409, 'INVALID_LOBBY_STATE'])
})

rule('C-6-17', async () => {
  await studio.queueWithServer()
  const [mine, theirs] = await studio.match()
  const { status } = await studio.backend(`POST /v1/lobbies/${mine.lobby_id}/end`)
  expect(status).toBe(200)
  await world.settle()
  for (const lobby of [mine, theirs]) expect((await studio.read(lobby)).status).toBe('waiting')
  expect((await serversOf(mine)).map((server) => server.status)).toEqual(['stopped'])
  expect((await studio.backend(`GET /v1/matches/${mine.match_id}`)).body.ended_at).not.toBeNull()
})

rule('C-6-22', async () => {
  await studio.queueWithServer()
  world.orchestrator.script = () => 'starting'
  const lobbies = [await studio.queued('ann'), await studio.queued('bob')]
  await studio.tick()
  for (const lobby of lobbies) expect(await studio.read(lobby)).toMatchObject({ status: 'matched', server: null })
  await world.settle()
  const [launching] = await serversOf(await studio.read(lobbies[0]))
  for (const lobby of lobbies) {
    const { server } = await studio.read(lobby)
    expect(server).toMatchObject({ instance_id: launching?.instance_id, status: 'launching' })
    expect(server.network_ports).toHaveLength(1)
  }
  world.orchestrator.makeReady(launching?.instance_id)
  await world.settle()
  for (const lobby of lobbies) expect((await studio.read(lobby)).server.status).toBe('running')
})

rule('C-6-23', async () => {
  await studio.queueWithServer()
  const lobby = await studio.inGame()
  const { body } = await studio.act('ann', lobby, 'POST', '/end')
  expect([body.status, body.server, body.match_id]).toEqual(['waiting', null, null])
})

rule('C-6-24', async () => {
  await studio.queue()
  const [mine] = await studio.match()
  expect((await statesOf(mine)).slice(-2)).toEqual(['matched', 'in_game'])
  expect(await statesOf(await studio.inGame('zoe'))).toEqual(['waiting', 'starting', 'in_game'])
})

rule('C-6-29', async () => {
  await studio.queueWithServer()
  const [mine, theirs] = await studio.match()
  await studio.act('ann', mine, 'POST', '/leave')
  await world.settle()
  expect((await studio.read(mine)).code).toBe('LOBBY_NOT_FOUND')
  expect((await serversOf(theirs)).map((server) => server.status)).toEqual(['running'])
  await studio.act('bob', theirs, 'POST', '/leave')
  await world.settle()
  expect((await serversOf(theirs)).map((server) => server.status)).toEqual(['stopped'])
})

rule('C-6-30', async () => {
  await studio.queueWithServer()
  world.orchestrator.script = () => 'final'
  for (const lobby of await studio.match()) {
    expect(lobby).toMatchObject({ status: 'waiting', match_id: null, server: null })
  }
})

rule('C-6-31', async () => {
  await studio.queueWithServer({ ttl: 60 })
  for (const [player, end] of [
    ['ann', (id: string) => studio.backend(`DELETE /v1/servers/${id}`)],
    ['bob', (id: string) => world.orchestrator.exit(id, { code: 1 })],
    ['cat', (id: string) => world.orchestrator.exit(id, { code: 0 })],
    ['dan', () => world.wait(60)],
  ] as const) {
    const lobby = await studio.inGame(player)
    await end(lobby.server.instance_id)
    await world.settle()
    expect(await studio.read(lobby), player).toMatchObject({ status: 'waiting', match_id: null, server: null })
  }
})

rule('C-6-32', async () => {
  await studio.queue()
  const lobby = await studio.inGame()
  expect(outcome(await studio.act('ann', lobby, 'PATCH', '/settings', { name: 'New' }))).toEqual([
    409,
    'INVALID_LOBBY_STATE',
  ])
  expect(outcome(await studio.act('ann', lobby, 'POST', '/start'))).toEqual([409, 'INVALID_LOBBY_STATE'])
})

rule('C-6-42', async () => {
  await studio.queue()
  for (const status of ['waiting', 'matched', 'starting', 'in_game']) {
    const lobby = await studio.inStatus(status)
    expect(outcome(await studio.act('ann', lobby, 'DELETE', '/queue')), status).toEqual([409, 'INVALID_LOBBY_STATE'])
    await studio.backend(`DELETE /v1/lobbies/${lobby.lobby_id}`)
  }
})

rule('C-6-43', async () => {
  await studio.queue()
  for (const status of ['in_queue', 'matched', 'starting', 'in_game']) {
    const lobby = await studio.inStatus(status)
    expect(outcome(await studio.act('ann', lobby, 'POST', '/queue')), status).toEqual([409, 'INVALID_LOBBY_STATE'])
    await studio.backend(`DELETE /v1/lobbies/${lobby.lobby_id}`)
  }
})
