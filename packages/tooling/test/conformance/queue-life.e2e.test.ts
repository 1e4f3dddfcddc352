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

const patch = (fields: object) => studio.backend('PATCH /v1/queues/duel', fields)
const statusOf = async (lobby: Body) => (await studio.read(lobby)).status
/** Lets these seconds pass with one tick and all due jobs each second, as in a running service. */
const ticking = async (seconds: number) => {
  for (let second = 0; second < seconds; second++) {
    world.clock.advance(1_000)
    await studio.tick()
    await world.settle()
  }
}

rule('S-QUE-06', async () => {
  await studio.queue({ timeout: 5 })
  const lobby = await studio.queued()
  await ticking(4)
  expect(await statusOf(lobby)).toBe('in_queue')
  await ticking(1)
  expect(await statusOf(lobby)).toBe('waiting')
})

rule('S-QUE-07', async () => {
  await studio.queue({ heartbeat: true, heartbeat_timeout: 10 })
  const lobby = await studio.lobby()
  await studio.act('bob', lobby, 'POST', '/join')
  for (let second = 0; second < 12; second++) {
    await studio.act('ann', lobby, 'POST', '/heartbeat')
    await world.wait(1)
  }
  expect((await studio.read(lobby)).players.map((player: Body) => player.player_id)).toEqual(['ann'])
  expect(outcome(await studio.act('bob', lobby, 'POST', '/heartbeat'))).toEqual([403, 'PLAYER_NOT_IN_LOBBY'])
})

rule('S-QUE-08', async () => {
  await studio.queue({ host_leave_behavior: 'promote' })
  const lobby = await studio.lobby()
  for (const player of ['zed', 'bob', 'cat']) {
    world.clock.advance(1_000)
    await studio.act(player, lobby, 'POST', '/join')
  }
  // A player who leaves and joins again counts as the newest player.
  await studio.act('zed', lobby, 'POST', '/leave')
  await studio.act('zed', lobby, 'POST', '/join')
  await studio.act('ann', lobby, 'POST', '/leave')
  const { host_player_id: host, players } = await studio.read(lobby)
  expect(host).toBe('bob')
  expect(players.filter((player: Body) => player.is_host)).toMatchObject([{ player_id: 'bob' }])
})

rule('S-QUE-09', async () => {
  await studio.queue({ host_leave_behavior: 'delete' })
  const lobby = await studio.lobby()
  await studio.act('bob', lobby, 'POST', '/join')
  await studio.act('ann', lobby, 'POST', '/leave')
  expect(await studio.read(lobby)).toMatchObject({ code: 'LOBBY_NOT_FOUND' })
})

rule('S-QUE-10', async () => {
  await studio.queue({ lobby_ttl: 30 })
  const lobby = await studio.lobby()
  await world.wait(29)
  expect(await statusOf(lobby)).toBe('waiting')
  await world.wait(1)
  expect(await studio.read(lobby)).toMatchObject({ code: 'LOBBY_NOT_FOUND' })
})

rule('C-5-15', async () => {
  await studio.queue()
  const inside = [await studio.queued('ann'), await studio.queued('bob')]
  const outside = await studio.lobby('cat')
  await patch({ enabled: false })
  expect(outcome(await studio.act('cat', outside, 'POST', '/queue'))).toEqual([409, 'QUEUE_DISABLED'])
  await studio.tick()
  await world.settle()
  for (const lobby of inside) expect(await statusOf(lobby)).toBe('in_game')
  expect((await studio.act('cat', outside, 'POST', '/start')).status).toBe(200)
  await world.settle()
  expect(await statusOf(outside)).toBe('in_game')
})

rule('C-5-18', async () => {
  await studio.queue()
  const matched = await studio.match()
  const started = await studio.inGame('zoe')
  for (const lobby of [...matched, started]) expect(lobby).toMatchObject({ status: 'in_game', server: null })
  expect((await studio.backend('GET /v1/servers')).body.total).toBe(0)
})

rule('C-5-19', async () => {
  await studio.queue({ matchmaking: { teams: 2, players_per_team: 2 } })
  const pair = await studio.lobby()
  await studio.act('bob', pair, 'POST', '/join')
  await studio.act('ann', pair, 'POST', '/queue')
  const single = await studio.queued('cat')
  await patch({ matchmaking: { teams: 2, players_per_team: 1 } })
  await studio.tick()
  await world.settle()
  expect([await statusOf(pair), await statusOf(single)]).toEqual(['waiting', 'in_queue'])
})

rule('C-5-20', async () => {
  await studio.queue()
  const lobbies = [
    await studio.queued('ann', { state: { mmr: 1 } }),
    await studio.queued('bob', { state: { mmr: 99 } }),
  ]
  await patch({
    matchmaking: { teams: 2, players_per_team: 1, rules: [{ type: 'difference', field: 'mmr', max_difference: 5 }] },
  })
  await studio.tick()
  await world.settle()
  for (const lobby of lobbies) expect(await statusOf(lobby)).toBe('in_queue')
})

rule('C-5-23', async () => {
  await studio.queue({ timeout: 100, matchmaking: { teams: 2, players_per_team: 1, timeout: 5 } })
  const lobby = await studio.queued()
  await ticking(4)
  expect(await statusOf(lobby)).toBe('in_queue')
  await ticking(1)
  expect(await statusOf(lobby)).toBe('waiting')
})

rule('C-5-30', async () => {
  await studio.queue({ timeout: 10 })
  const early = await studio.queued()
  await ticking(5)
  await patch({ timeout: 100 })
  const late = await studio.queued('bob', { settings: {} })
  await studio.act('bob', late, 'DELETE', '/queue')
  expect((await studio.act('ann', early, 'GET', '/queue')).body.waited_seconds).toBe(5)
  await ticking(4)
  expect(await statusOf(early)).toBe('in_queue')
  await ticking(1)
  expect(await statusOf(early)).toBe('waiting')
})
