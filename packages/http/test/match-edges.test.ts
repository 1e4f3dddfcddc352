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
const everyState = async (lobby: Body) => {
  const events = await service.storage.events.read(lobby.lobby_id, 0, 1_000, 1_000_000)
  return events.map(({ lobby: { version, status } }) => `${version} ${status}`)
}

describe('a match and its server', () => {
  test('a direct start makes a match too, of one lobby', async () => {
    await makeQueue(service, studio)
    const lobby = await makeLobby(service, studio)
    await join(lobby, 'bob')
    const { body: started } = await start(lobby)
    expect(started).toMatchObject({ status: 'starting', match_id: expect.stringMatching(/^mat_/), server: null })
    const { body: match } = await service.call(`GET /v1/matches/${started.match_id}`, as('ann'))
    expect(match.teams).toEqual([
      {
        name: 'team_1',
        players: ['ann', 'bob'].map((id) => ({ player_id: id, lobby_id: lobby.lobby_id, role: null })),
      },
    ])
  })

  test('lobby.server is null until the launch has ports, then follows every change in every lobby of the match', async () => {
    await makeBuild(service, studio)
    await makeQueue(service, studio, withServer)
    service.orchestrator.script = () => 'starting'
    const [mine, theirs] = await makeMatch(service, studio)
    const launching = {
      status: 'launching',
      network_ports: [
        {
          name: 'game',
          protocol: 'udp',
          internal_port: 7777,
          tls_enabled: false,
          external_port: expect.any(Number),
          host: '127.0.0.1',
        },
      ],
    }
    for (const lobby of [mine, theirs]) expect(lobby).toMatchObject({ status: 'matched', server: launching })
    const before = await everyState(mine)
    expect(before.slice(0, 3)).toEqual(['1 waiting', '2 in_queue', '3 matched'])
    service.orchestrator.makeReady(mine.server.instance_id)
    await service.settle()
    for (const lobby of [mine, theirs]) {
      expect(await read(lobby)).toMatchObject({ status: 'in_game', server: { ...launching, status: 'running' } })
    }
  })

  test('server and match_id are null again in waiting', async () => {
    await makeBuild(service, studio)
    await makeQueue(service, studio, withServer)
    const [mine, theirs] = await makeMatch(service, studio)
    const { status, body } = await service.call(`POST ${on(mine, '/end')}`, { key: studio.server })
    expect([status, body.status, body.server, body.match_id]).toEqual([200, 'waiting', null, null])
    expect(await read(theirs)).toMatchObject({ status: 'waiting', server: null, match_id: null })
    await service.settle()
    expect((await service.call(`GET /v1/servers/${mine.server.instance_id}`, { key: studio.server })).body.status).toBe(
      'stopped',
    )
  })

  test('matched → in_game and starting → in_game are commits of their own where no server is launched', async () => {
    await makeQueue(service, studio)
    const [mine] = await makeMatch(service, studio)
    expect(await everyState(mine)).toEqual(['1 waiting', '2 in_queue', '3 matched', '4 in_game'])
    expect(mine).toMatchObject({ status: 'in_game', server: null })
    const lobby = await makeLobby(service, studio, 'zoe')
    await start(lobby, 'zoe')
    await service.settle()
    expect(await everyState(lobby)).toEqual(['1 waiting', '2 starting', '3 in_game'])
  })

  test('matched whose server fails goes back to waiting, match_id null', async () => {
    await makeBuild(service, studio)
    await makeQueue(service, studio, withServer)
    service.orchestrator.script = () => 'final'
    const [mine, theirs] = await makeMatch(service, studio)
    for (const lobby of [mine, theirs]) expect(lobby).toMatchObject({ status: 'waiting', match_id: null, server: null })
    expect(service.orchestrator.launches.length).toBeGreaterThan(0)
  })

  test('a start without a ready build goes on to starting and back to waiting', async () => {
    await makeQueue(service, studio, withServer)
    const lobby = await makeLobby(service, studio)
    expect((await start(lobby)).body.status).toBe('starting')
    await service.settle()
    expect(await read(lobby)).toMatchObject({ status: 'waiting', match_id: null, server: null })
  })

  test.each([
    ['the server stopping', (id: string) => service.call(`DELETE /v1/servers/${id}`, { key: studio.server })],
    ['its crash for good', async (id: string) => service.orchestrator.exit(id, { code: 1 })],
    ['its ttl', async () => service.clock.advance(60_000)],
  ])('%s is "match ends"', async (_what, end) => {
    await makeBuild(service, studio)
    await makeQueue(service, studio, { server_settings: { ...withServer.server_settings, ttl: 60 } })
    const [mine, theirs] = await makeMatch(service, studio)
    await end(mine.server.instance_id)
    await service.settle()
    for (const lobby of [mine, theirs]) expect(await read(lobby)).toMatchObject({ status: 'waiting', match_id: null })
  })

  test('when one lobby is deleted the match goes on, and its roster marks who left', async () => {
    await makeQueue(service, studio)
    const [mine, theirs] = await makeMatch(service, studio)
    service.clock.advance(5_000)
    await service.call(`DELETE ${on(mine)}`, { key: studio.server })
    const { body: match } = await service.call(`GET /v1/matches/${theirs.match_id}`, { key: studio.server })
    const players = match.teams.flatMap(({ players }: Body) => players)
    expect(match.ended_at).toBeNull()
    expect(players.map(({ player_id: id, left_at: at }: Body) => [id, at !== undefined]).sort()).toEqual([
      ['ann', true],
      ['bob', false],
    ])
  })

  test('a player may be in several lobbies, but never twice in one match', async () => {
    await makeQueue(service, studio)
    const lobbies = [await makeLobby(service, studio), await makeLobby(service, studio)]
    for (const lobby of lobbies) await service.call(`POST ${on(lobby, '/queue')}`, as('ann'))
    await service.matchyard.matchmaking.runQueue(`${studio.projectId}/duel`)
    for (const lobby of lobbies) expect((await read(lobby)).status).toBe('in_queue')
    const third = await makeLobby(service, studio, 'bob')
    await service.call(`POST ${on(third, '/queue')}`, as('bob'))
    await service.matchyard.matchmaking.runQueue(`${studio.projectId}/duel`)
    const statuses = await Promise.all(lobbies.map(async (lobby) => (await read(lobby)).status))
    expect(statuses).toEqual(['matched', 'in_queue'])
  })

  test('the host may end a match of one lobby, the backend any', async () => {
    await makeQueue(service, studio)
    const [mine] = await makeMatch(service, studio)
    expect((await service.call(`POST ${on(mine, '/end')}`, as('ann'))).body.code).toBe('NOT_HOST')
    const alone = await makeLobby(service, studio, 'zoe')
    await start(alone, 'zoe')
    await service.settle()
    expect((await service.call(`POST ${on(alone, '/end')}`, as('zoe'))).body.status).toBe('waiting')
    expect((await service.call(`POST ${on(mine, '/end')}`, { key: studio.server })).body.status).toBe('waiting')
    expect((await service.call(`POST ${on(mine, '/end')}`, { key: studio.server })).body.code).toBe(
      'INVALID_LOBBY_STATE',
    )
  })
})

describe('regions', () => {
  const regionOf = async (lobby: Body) =>
    (await service.call(`GET /v1/matches/${(await read(lobby)).match_id}`, { key: studio.server })).body.region

  test.each([
    ['lobby.region', { region: 'fra' }, 'arena_fra', 'fra'],
    ['else the queue’s region', {}, 'arena_syd', 'syd'],
    ['else iad', {}, 'bare', 'iad'],
  ])('a direct start runs in %s', async (_what, fields, queueId, region) => {
    await makeQueue(service, studio, { queue_id: 'arena_fra', server_settings: { region: 'syd' } })
    await makeQueue(service, studio, { queue_id: 'arena_syd', server_settings: { region: 'syd' } })
    await makeQueue(service, studio, { queue_id: 'bare' })
    const lobby = await makeLobby(service, studio, 'ann', { queue_id: queueId, ...fields })
    await start(lobby)
    expect(await regionOf(lobby)).toBe(region)
  })

  test.each([
    ['the region rule decides', { rules: [{ type: 'region' }] }, { region: 'nrt' }, 'ams'],
    ['else the queue’s region', {}, { region: 'nrt' }, 'nrt'],
    ['else the longest-waiting lobby’s', {}, undefined, 'sin'],
  ])('in matchmaking %s', async (_what, matchmaking, serverSettings, region) => {
    await makeQueue(service, studio, {
      matchmaking: { teams: 2, players_per_team: 1, ...matchmaking },
      ...(serverSettings === undefined ? {} : { server_settings: serverSettings }),
    })
    const lobbies: Body[] = []
    for (const [player, at] of [
      ['ann', 'sin'],
      ['bob', 'lhr'],
    ] as const) {
      const lobby = await makeLobby(service, studio, player, { region: at, state: { regions: ['ams', at] } })
      await service.call(`POST ${on(lobby, '/queue')}`, as(player))
      lobbies.push(lobby)
      service.clock.advance(1_000)
    }
    await service.matchyard.matchmaking.runQueue(`${studio.projectId}/duel`)
    expect(await regionOf(lobbies[0])).toBe(region)
  })
})
