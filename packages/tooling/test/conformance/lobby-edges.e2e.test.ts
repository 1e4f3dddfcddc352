import { beforeEach, expect, vi } from 'vitest'
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

const duel = (fields: object = {}) => ({ teams: 2, players_per_team: 1, ...fields })
const regionOf = async (lobby: Body) => {
  const { match_id: id } = await studio.read(lobby)
  return (await studio.backend(`GET /v1/matches/${id}`)).body.region
}
const rosterOf = async (id: string): Promise<Body[]> =>
  (await studio.backend(`GET /v1/matches/${id}`)).body.teams.flatMap((team: Body) => team.players)

rule('C-6-19', async () => {
  const rules = [
    {
      type: 'difference',
      field: 'mmr',
      max_difference: 10,
      expansions: [{ after_seconds: 60, max_difference: 100 }],
    },
  ]
  await studio.queue({ matchmaking: duel({ rules }) })
  const lobby = await studio.queued('ann', { state: { mmr: 1 } })
  await studio.queued('bob', { state: { mmr: 50 } })
  world.clock.advance(20_000)
  const { status, body } = await studio.act('ann', lobby, 'GET', '/queue')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    lobby_id: lobby.lobby_id,
    waited_seconds: 20,
    rules: [{ type: 'difference', field: 'mmr', passing: 0, failing: 1 }],
    fitting_all: 0,
    next_relaxation_seconds: 40,
    estimated_wait_seconds: null,
  })
})

rule('C-6-20', async () => {
  await studio.queueWithServer()
  const [mine, theirs] = await studio.match()
  const { body } = await studio.player('ann')(`GET /v1/matches/${mine.match_id}`)
  const seat = (player: string, lobby: Body) => ({ player_id: player, lobby_id: lobby.lobby_id, role: null })
  expect(body).toEqual({
    match_id: mine.match_id,
    status: 'running',
    version: expect.any(Number),
    queue_id: 'duel',
    region: 'iad',
    teams: [
      { name: 'team_1', players: [expect.anything()] },
      { name: 'team_2', players: [expect.anything()] },
    ],
    server: mine.server,
    server_id: mine.server.instance_id,
    // Builds are told to backends alone.
    build_id: null,
    version_tag: null,
    build_version: null,
    created_at: expect.any(String),
    started_at: expect.any(String),
    result: null,
    ended_at: null,
    end_reason: null,
    exit_code: null,
    exit_signal: null,
  })
  const players = body.teams.flatMap((team: Body) => team.players)
  expect(players).toEqual(expect.arrayContaining([seat('ann', mine), seat('bob', theirs)]))
  const other = await world.studio()
  for (const what of [`GET /v1/matches/${mine.match_id}`, 'GET /v1/matches/mat_none']) {
    expect(outcome(await other.backend(what))).toEqual([404, 'MATCH_NOT_FOUND'])
  }
})

rule('C-6-25', async () => {
  await studio.queue({ server_settings: { region: 'syd' } })
  await studio.queue({ queue_id: 'bare' })
  for (const [player, fields, region] of [
    ['ann', { region: 'fra' }, 'fra'],
    ['bob', {}, 'syd'],
    ['cat', { queue_id: 'bare' }, 'iad'],
    ['dan', { queue_id: 'bare', region: 'nrt' }, 'nrt'],
  ] as const) {
    expect(await regionOf(await studio.inGame(player, fields))).toBe(region)
  }
})

rule('C-6-26', async () => {
  const shared = { rules: [{ type: 'region' }] }
  await studio.queue({ queue_id: 'ruled', server_settings: { region: 'nrt' }, matchmaking: duel(shared) })
  await studio.queue({ queue_id: 'fixed', server_settings: { region: 'nrt' } })
  await studio.queue({ queue_id: 'bare' })
  let players = 0
  const match = async (queueId: string, ...regions: (string | undefined)[]) => {
    const lobbies: Body[] = []
    for (const region of regions) {
      const state = { regions: ['ams', region ?? 'iad'] }
      const fields = { queue_id: queueId, state, ...(region === undefined ? {} : { region }) }
      lobbies.push(await studio.queued(`player ${++players}`, fields))
      world.clock.advance(1_000)
    }
    await studio.tick(queueId)
    return regionOf(lobbies[0])
  }
  expect(await match('ruled', 'sin', 'lhr')).toBe('ams')
  expect(await match('fixed', 'sin', 'lhr')).toBe('nrt')
  expect(await match('bare', 'sin', 'lhr')).toBe('sin')
  expect(await match('bare', undefined, undefined)).toBe('iad')
})

rule('C-6-27', async () => {
  const rules = [{ type: 'difference', field: 'mmr', max_difference: 10 }]
  await studio.queue({ matchmaking: duel({ rules }) })
  const far = await studio.queued('ann', { state: { mmr: 1 } })
  world.clock.advance(30_000)
  const near = await studio.queued('bob', { state: { mmr: 100 } })
  await studio.tick()
  expect((await studio.read(far)).status).toBe('in_queue')
  expect((await studio.act('ann', far, 'PATCH', '/players/ann', { state: { mmr: 95 } })).status).toBe(200)
  expect((await studio.act('ann', far, 'GET', '/queue')).body.waited_seconds).toBe(30)
  await studio.tick()
  for (const lobby of [far, near]) expect((await studio.read(lobby)).status).toBe('matched')
})

rule('C-6-28', async () => {
  const rules = [{ type: 'difference', field: 'mmr', max_difference: 10 }]
  await studio.queue({ matchmaking: { teams: 2, players_per_team: 2, rules } })
  const lobby = await studio.lobby('ann', { state: { mmr: 1 } })
  await studio.act('bob', lobby, 'POST', '/join', { state: { mmr: 5 } })
  const queued = (await studio.act('ann', lobby, 'POST', '/queue')).body
  const refused = await studio.act('bob', lobby, 'PATCH', '/players/bob', { state: { mmr: 50 } })
  expect(outcome(refused)).toEqual([409, 'PARTY_CANNOT_MATCH'])
  expect(await studio.read(lobby)).toEqual(queued)
})

rule('C-6-33', async () => {
  await studio.queue({ lobby_ttl: 60 })
  const [kept, lost] = [await studio.lobby('ann'), await studio.lobby('bob')]
  for (let n = 0; n < 4; n++) {
    await world.wait(20)
    await studio.act('ann', kept, 'GET')
    await studio.read(lost)
    await studio.act('stranger', lost, 'GET')
    const path = `GET /v1/lobbies/${lost.lobby_id}`
    await world.as({ 'api-key': studio.clientKey })(path)
    await studio.backend(path, undefined, { 'x-player-id': 'bob' })
  }
  expect((await studio.read(kept)).status).toBe('waiting')
  expect((await studio.read(lost)).code).toBe('LOBBY_NOT_FOUND')
})

rule('C-6-34', async () => {
  await studio.queueWithServer({}, { lobby_ttl: 60 })
  const lobby = await studio.inGame()
  for (let n = 0; n < 4; n++) await world.wait(60)
  expect((await studio.read(lobby)).status).toBe('in_game')
})

rule('C-6-35', async () => {
  await studio.queueWithServer()
  const [mine, theirs] = await studio.match()
  world.clock.advance(5_000)
  await studio.act('ann', mine, 'DELETE')
  await world.settle()
  expect(await studio.read(theirs)).toMatchObject({ status: 'in_game', match_id: mine.match_id })
  const roster = await rosterOf(mine.match_id)
  const left = Object.fromEntries(roster.map((player) => [player.player_id, player.left_at]))
  expect(left).toEqual({ ann: world.instant(), bob: undefined })
})

rule('C-6-36', async () => {
  await studio.queue()
  const twice = [await studio.queued('ann'), await studio.queued('ann')]
  await studio.tick()
  for (const lobby of twice) expect((await studio.read(lobby)).status).toBe('in_queue')
  await studio.queued('bob')
  await studio.tick()
  const statuses = await Promise.all(twice.map(async (lobby) => (await studio.read(lobby)).status))
  expect(statuses.sort()).toEqual(['in_queue', 'matched'])
})

rule('C-6-44', async () => {
  await studio.queue({ heartbeat: true, heartbeat_timeout: 10 })
  const lobby = await studio.lobby()
  for (const player of ['bob', 'cat', 'dan']) {
    world.clock.advance(1_000)
    await studio.act(player, lobby, 'POST', '/join')
  }
  await studio.act('ann', lobby, 'DELETE', '/players/ann')
  expect((await studio.read(lobby)).host_player_id).toBe('bob')
  for (let second = 0; second < 12; second++) {
    for (const player of ['cat', 'dan']) await studio.act(player, lobby, 'POST', '/heartbeat')
    await world.wait(1)
  }
  expect(await studio.read(lobby)).toMatchObject({ host_player_id: 'cat', current_players: 2 })
  await studio.act('cat', lobby, 'POST', '/leave')
  expect((await studio.read(lobby)).host_player_id).toBe('dan')
})

rule('C-6-46', async () => {
  await studio.queue({ lobby_ttl: 60, heartbeat: true, heartbeat_timeout: 30 })
  const lobby = await studio.lobby()
  await world.wait(20)
  // The service restarts after an hour, on the same storage.
  const startAt = world.clock.now() + 3_600_000
  const back = await World.open({ startAt, seed: 2, core: { storage: world.storage } })
  await back.settle()
  const read = async () => (await back.as({ 'api-key': studio.serverKey })(`GET /v1/lobbies/${lobby.lobby_id}`)).body
  expect(await read()).toMatchObject({ status: 'waiting', current_players: 1 })
  await back.wait(29)
  expect(await read()).toMatchObject({ status: 'waiting', current_players: 1 })
  await back.wait(31)
  expect((await read()).code).toBe('LOBBY_NOT_FOUND')
})

rule('C-6-47', async () => {
  await studio.queue({ lobby_ttl: 60 })
  const lobby = await studio.lobby()
  const stream = await studio.stream(lobby)
  await stream.untilEvents(1)
  for (let n = 0; n < 20; n++) {
    world.clock.advance(10_000)
    await world.notePresence()
    await world.settle()
  }
  expect((await studio.read(lobby)).status).toBe('waiting')
  await stream.close()
  for (let n = 0; n < 13; n++) {
    world.clock.advance(10_000)
    await world.notePresence()
    await world.settle()
  }
  expect((await studio.read(lobby)).code).toBe('LOBBY_NOT_FOUND')
})

rule('C-6-48', async () => {
  await studio.queue()
  const lobby = await studio.inGame()
  const client = world.as({ 'api-key': studio.clientKey })
  for (const id of [lobby.lobby_id, 'lob_none']) {
    for (const what of [`POST /v1/lobbies/${id}/end`, `DELETE /v1/lobbies/${id}`]) {
      expect(outcome(await client(what)), what).toEqual([400, 'PLAYER_ID_REQUIRED'])
    }
  }
})

rule('C-6-49', async () => {
  await studio.queue({ matchmaking: { teams: 2, players_per_team: 2 } })
  const lobby = await studio.lobby()
  await studio.act('bob', lobby, 'POST', '/join')
  await studio.act('ann', lobby, 'POST', '/queue')
  expect((await studio.act('ann', lobby, 'DELETE', '/players/bob')).status).toBe(204)
  expect(await studio.read(lobby)).toMatchObject({ status: 'waiting', current_players: 1 })
})

rule('C-6-50', async () => {
  world = await World.open({ app: { trustProxy: 1 } })
  studio = await world.studio()
  const join = (by: Studio, n: number) =>
    by.player('bob')('POST /v1/lobbies/join', { invite_code: 'NOBODY' }, { 'x-forwarded-for': `203.0.113.${n % 250}` })
  for (let n = 0; n < 300; n++) expect(outcome(await join(studio, n))).toEqual([404, 'INVALID_INVITE_CODE'])
  const before = world.clock.waiting
  let isAnswered = false
  const late = join(studio, 300).finally(() => {
    isAnswered = true
  })
  await vi.waitFor(() => expect(world.clock.waiting).toBeGreaterThan(before))
  await studio.queue()
  const lobby = await studio.lobby('ann', { is_private: true })
  const right = await studio.player('bob')('POST /v1/lobbies/join', { invite_code: lobby.invite_code })
  expect([right.status, isAnswered]).toEqual([200, false])
  world.clock.advance(1_000)
  expect(outcome(await late)).toEqual([404, 'INVALID_INVITE_CODE'])
  const other = await world.studio()
  expect(outcome(await join(other, 300))).toEqual([404, 'INVALID_INVITE_CODE'])
})

rule('C-6-51', async () => {
  await studio.queueWithServer()
  world.orchestrator.script = () => 'starting'
  const [mine, theirs] = await studio.match()
  expect(mine).toMatchObject({ status: 'matched', server: { status: 'launching' } })
  await studio.backend(`DELETE /v1/servers/${mine.server.instance_id}`)
  await world.settle()
  for (const lobby of [mine, theirs]) {
    expect(await studio.read(lobby)).toMatchObject({ status: 'waiting', match_id: null, server: null })
  }
})

rule('C-6-52', async () => {
  await studio.queueWithServer()
  world.orchestrator.script = () => 'starting'
  for (const settleFirst of [true, false]) {
    const lobby = await studio.lobby()
    const { match_id: id } = (await studio.act('ann', lobby, 'POST', '/start')).body
    if (settleFirst) await world.settle()
    await studio.act('ann', lobby, 'DELETE')
    await world.settle()
    const { data } = (await studio.backend(`GET /v1/servers?match_id=${id}`)).body
    expect(data.map((server: Body) => server.status)).toEqual(['stopped'])
    const running = (await world.orchestrator.observe()).filter(({ state }) => state !== 'exited')
    expect(running).toEqual([])
  }
})

rule('C-6-53', async () => {
  const other = await world.studio()
  const cancel = async (by: Studio) => outcome(await by.player('ann')('DELETE /v1/lobbies/lob_none/queue'))
  for (let n = 0; n < 5; n++) expect(await cancel(studio)).toEqual([404, 'LOBBY_NOT_FOUND'])
  expect(await cancel(studio)).toEqual([429, 'RATE_LIMITED'])
  expect(await cancel(other)).toEqual([404, 'LOBBY_NOT_FOUND'])
})
