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
  await studio.queue()
})

const resume = (lobby: Body, id: string, player = 'ann') => studio.stream(lobby, player, { 'last-event-id': id })
const change = (lobby: Body, n: number) => studio.act('ann', lobby, 'PATCH', '/settings', { settings: { n } })
/** Returns the status and the error code with which the request for a stream is refused. */
const refused = (lobby: Body, headers: Readonly<Record<string, string>>) =>
  world.nobody(`GET /v1/lobbies/${lobby.lobby_id}/events`, undefined, headers).then(outcome)

rule('S-EVT-01', async () => {
  const lobby = await studio.lobby()
  expect(await refused(lobby, {})).toEqual([401, 'MISSING_CREDENTIALS'])
  expect(await refused(lobby, { 'api-key': studio.clientKey })).toEqual([400, 'PLAYER_ID_REQUIRED'])
  const stream = await studio.stream(lobby)
  await stream.untilEvents(1)
})

rule('S-EVT-02', async () => {
  const lobby = await studio.lobby()
  const stream = await studio.stream(lobby)
  await stream.untilEvents(1)
  for (let pings = 1; pings <= 40; pings++) {
    await world.wait(15)
    await stream.until(() => stream.comments.length >= pings)
  }
  await change(lobby, 1)
  await stream.untilEvents(2)
  expect(stream.ended).toBe(false)
  await studio.act('ann', lobby, 'DELETE')
  await stream.untilEnd()
})

rule('S-EVT-03', async () => {
  const lobby = await studio.lobby()
  const stream = await studio.stream(lobby)
  const [first] = await stream.untilEvents(1)
  expect(first).toEqual({ event: 'connected', id: '1', data: lobby })
})

rule('S-EVT-04', async () => {
  const lobby = await studio.lobby()
  for (let n = 1; n <= 3; n++) await change(lobby, n)
  const stream = await resume(lobby, '2')
  await stream.untilEvents(2)
  expect(stream.names()).toEqual(['lobby_updated 3', 'lobby_updated 4'])
})

rule('C-7-01', async () => {
  const lobby = await studio.lobby()
  expect(await refused(lobby, { 'api-key': studio.clientKey, 'x-player-id': 'eve' })).toEqual([
    403,
    'PLAYER_NOT_IN_LOBBY',
  ])
})

rule('C-7-02', async () => {
  const lobby = await studio.lobby('ann', { is_private: true })
  const stream = await studio.stream(lobby, 'nobody', { 'api-key': studio.serverKey })
  expect((await stream.untilEvents(1))[0]?.data.lobby_id).toBe(lobby.lobby_id)
  expect(await refused(lobby, { 'api-key': studio.serverKey })).toEqual([400, 'PLAYER_ID_REQUIRED'])
  const other = await world.studio()
  expect(await refused(lobby, { 'api-key': other.serverKey, 'x-player-id': 'x' })).toEqual([404, 'LOBBY_NOT_FOUND'])
})

rule('C-7-03', async () => {
  const lobby = await studio.lobby()
  await change(lobby, 1)
  const stream = await studio.stream(lobby)
  const [first] = await stream.untilEvents(1)
  expect(first).toEqual({ event: 'connected', id: '2', data: await studio.read(lobby) })
})

rule('C-7-04', async () => {
  const lobby = await studio.lobby()
  const stream = await studio.stream(lobby)
  await change(lobby, 1)
  await studio.act('bob', lobby, 'POST', '/join')
  await studio.act('bob', lobby, 'PATCH', '/players/bob', { state: { a: 1 } })
  await studio.act('bob', lobby, 'POST', '/leave')
  await studio.act('ann', lobby, 'POST', '/queue')
  await studio.act('ann', lobby, 'DELETE', '/queue')
  // A heartbeat and a PATCH that changes nothing do not raise the version.
  await studio.act('ann', lobby, 'POST', '/heartbeat')
  await change(lobby, 1)
  await studio.act('ann', lobby, 'POST', '/start')
  await stream.untilEvents(8)
  const updates = [2, 3, 4, 5, 6, 7, 8].map((id) => `lobby_updated ${id}`)
  expect(stream.names()).toEqual(['connected 1', ...updates])
  expect(stream.events.map(({ data }) => data.status).slice(-3)).toEqual(['in_queue', 'waiting', 'starting'])
})

rule('C-7-05', async () => {
  const lobby = await studio.lobby()
  const stream = await studio.stream(lobby)
  await change(lobby, 7)
  await studio.act('ann', lobby, 'DELETE')
  await stream.untilEnd()
  expect(stream.names()).toEqual(['connected 1', 'lobby_updated 2', 'lobby_deleted 3'])
  expect(stream.events[2]?.data).toMatchObject({ lobby_id: lobby.lobby_id, settings: { n: 7 }, version: 3 })
})

rule('C-7-06', async () => {
  const lobby = await studio.lobby('ann', { name: 'x', region: 'fra', settings: { Zed: null } })
  const stream = await studio.stream(lobby)
  await studio.act('bob', lobby, 'POST', '/join', { state: { mmr: 1 } })
  await stream.untilEvents(2)
  expect(JSON.stringify(stream.events[1]?.data)).toBe(JSON.stringify(await studio.read(lobby)))
})

rule('C-7-07', async () => {
  const stream = await studio.stream(await studio.lobby())
  await stream.untilEvents(1)
  for (let pings = 1; pings <= 3; pings++) {
    world.clock.advance(15_000 - 1)
    world.clock.advance(1)
    await stream.until(() => stream.comments.length >= pings)
    expect(stream.comments).toEqual(Array(pings).fill('ping'))
  }
})

rule('C-7-08', async () => {
  const lobby = await studio.lobby()
  for (let n = 1; n <= 5; n++) await change(lobby, n)
  await studio.act('ann', lobby, 'POST', '/start')
  await world.settle()
  const { version } = await studio.read(lobby)
  const stream = await resume(lobby, '1')
  await stream.untilEvents(version - 1)
  const ids = stream.events.map(({ id }) => Number(id))
  expect([1, ...ids]).toEqual(Array.from({ length: version }, (_, index) => index + 1))
  for (const { id, data } of stream.events) expect(String(data.version)).toBe(id)
})

rule('C-7-09', async () => {
  const lobby = await studio.lobby()
  for (let n = 1; n <= 2; n++) await change(lobby, n)
  const stream = await resume(lobby, '1')
  await stream.untilEvents(2)
  await change(lobby, 3)
  await stream.untilEvents(3)
  expect(stream.names()).toEqual(['lobby_updated 2', 'lobby_updated 3', 'lobby_updated 4'])
  const current = await resume(lobby, '4')
  await change(lobby, 4)
  await current.untilEvents(1)
  expect(current.names()).toEqual(['lobby_updated 5'])
})

rule('C-7-10', async () => {
  const lobby = await studio.lobby()
  await change(lobby, 1)
  for (const id of ['garbage', '3', '-1', '1.5', '2x', '99999999999999999999']) {
    const stream = await resume(lobby, id)
    await stream.untilEvents(1)
    expect(stream.names(), id).toEqual(['connected 2'])
  }
})

rule('C-7-11', async () => {
  const lobby = await studio.lobby()
  await change(lobby, 1)
  for (const id of ['', '0']) {
    const stream = await resume(lobby, id)
    await stream.untilEvents(1)
    expect(stream.names(), id).toEqual(['connected 2'])
  }
})

rule('C-7-12', async () => {
  const lobby = await studio.lobby()
  const headers = { 'api-key': studio.clientKey, 'x-player-id': 'ann' }
  const response = await world.request(`/v1/lobbies/${lobby.lobby_id}/events`, headers)
  const { value } = (await response.body?.getReader().read()) ?? {}
  expect(new TextDecoder().decode(value)).toMatch(/^retry: 2000\n\n/)
})

rule('C-7-13', async () => {
  const lobby = await studio.lobby()
  await change(lobby, 1)
  await studio.act('ann', lobby, 'DELETE')
  world.clock.advance(3_600_000 - 1)
  await world.settle()
  const stream = await resume(lobby, '1')
  await stream.untilEnd()
  expect(stream.names()).toEqual(['lobby_updated 2', 'lobby_deleted 3'])
  // The leaving of the last player deletes the lobby too.
  const left = await studio.lobby('zoe')
  await studio.act('zoe', left, 'POST', '/leave')
  const last = await resume(left, '1', 'zoe')
  await last.untilEnd()
  expect(last.names()).toEqual(['lobby_deleted 2'])
})

rule('C-7-14', async () => {
  const lobby = await studio.lobby()
  await studio.act('bob', lobby, 'POST', '/join')
  await studio.act('ann', lobby, 'DELETE', '/players/bob')
  await change(lobby, 1)
  await studio.act('ann', lobby, 'DELETE')
  const headers = (player: string, more: object = {}) => ({
    'api-key': studio.clientKey,
    'x-player-id': player,
    ...more,
  })
  const notFound = [404, 'LOBBY_NOT_FOUND']
  // Bob was removed before the lobby's end, so he may not see the events after his removal.
  for (const player of ['eve', 'bob']) {
    expect(await refused(lobby, headers(player, { 'last-event-id': '1' })), player).toEqual(notFound)
  }
  expect(await refused(lobby, headers('ann'))).toEqual(notFound)
  world.clock.advance(3_600_000)
  await world.settle()
  expect(await refused(lobby, headers('ann', { 'last-event-id': '1' }))).toEqual(notFound)
})

rule('C-7-15', async () => {
  const lobby = await studio.lobby()
  for (const [player, remove] of [
    ['bob', () => studio.act('ann', lobby, 'DELETE', '/players/bob')],
    ['cat', () => studio.act('cat', lobby, 'POST', '/leave')],
  ] as const) {
    await studio.act(player, lobby, 'POST', '/join')
    const stream = await studio.stream(lobby, player)
    await stream.untilEvents(1)
    await remove()
    await stream.untilEnd()
    expect(stream.events.map(({ event }) => event)).toEqual(['connected', 'lobby_updated'])
    expect(stream.events[1]?.data.current_players).toBe(1)
  }
})

rule('C-7-16', async () => {
  const lobby = await studio.lobby()
  const stream = await studio.stream(lobby)
  const backend = await studio.stream(lobby, 'x', { 'api-key': studio.serverKey })
  await Promise.all([stream.untilEvents(1), backend.untilEvents(1)])
  const [client] = studio.project.keys
  await studio.developer(`DELETE /v1/projects/${studio.projectId}/keys/${client.key_id}`)
  world.clock.advance(1_000)
  await stream.untilEnd()
  expect(backend.ended).toBe(false)
})

rule('C-7-17', async () => {
  await studio.queue({ queue_id: 'beat', heartbeat: true, heartbeat_timeout: 10 })
  const lobby = await studio.lobby('ann', { queue_id: 'beat' })
  await studio.act('bob', lobby, 'POST', '/join')
  const stream = await studio.stream(lobby)
  await stream.untilEvents(1)
  for (let second = 0; second < 30; second++) {
    await world.notePresence()
    await world.wait(1)
  }
  expect((await studio.read(lobby)).players.map((player: Body) => player.player_id)).toEqual(['ann'])
})

rule('C-7-18', async () => {
  const lobby = await studio.lobby()
  for (let n = 1; n <= 1_000; n++) await change(lobby, n)
  await world.wait(60)
  const stream = await resume(lobby, '1')
  await stream.untilEvents(1_000)
  expect([stream.events[0]?.id, stream.events.at(-1)?.id]).toEqual(['2', '1001'])
})

rule('C-7-21', async () => {
  const lobby = await studio.lobby()
  for (let n = 1; n <= 3; n++) await change(lobby, n)
  const here = await resume(lobby, '1')
  await here.untilEvents(3)
  const other = await World.open({ seed: 2, startAt: world.clock.now(), core: { storage: world.storage } })
  const headers = { 'api-key': studio.clientKey, 'x-player-id': 'ann', 'last-event-id': '1' }
  const there = await other.stream(`/v1/lobbies/${lobby.lobby_id}/events`, headers)
  await there.untilEvents(3)
  expect(there.events).toEqual(here.events)
  // A change on one node reaches the streams of the other node.
  await change(lobby, 4)
  await Promise.all([here.untilEvents(4), there.untilEvents(4)])
  expect(there.events).toEqual(here.events)
})
