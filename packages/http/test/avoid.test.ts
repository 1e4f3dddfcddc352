import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Body, CallOptions } from './harness/client'
import { withServer } from './harness/lobby-calls'
import { type Service, startService } from './harness/service'
import { type Listening, listen } from './harness/sockets'
import { StreamReader } from './harness/stream-reader'
import { makeBuild, makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

const AVOIDING = { teams: 2, players_per_team: 1, max_party_size: 2, rules: [{ type: 'avoid' }] }
const LIST = { avoid: ['zed'], hat: 'red' }

let service: Service
let studio: Studio
let listening: Listening

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeBuild(service, studio)
  await makeQueue(service, studio, {
    ...withServer,
    max_players: 4,
    matchmaking: { ...AVOIDING, players_per_team: 2, min_players_per_team: 1, partial_after: 0 },
  })
  await makeQueue(service, studio, { queue_id: 'plain', max_players: 4 })
  listening = await listen(service.app)
})
afterEach(() => listening.close())

const as = (player: string, body?: Body): CallOptions => ({
  ...{ key: studio.client, player },
  ...(body === undefined ? {} : { body }),
})
const call = async (what: string, options: CallOptions) => (await service.call(what, options)).body
const stateOf = (body: Body, player = 'ann') =>
  body.players.find((one: { player_id: string }) => one.player_id === player)?.state
/** Returns the lobby of ann, whose list names zed, with bob as a mate. */
async function annAndBob() {
  const lobby = await makeLobby(service, studio, 'ann', { state: LIST })
  const joined = await call(`POST /v1/lobbies/${lobby.lobby_id}/join`, as('bob'))
  return { lobby, joined, path: `/v1/lobbies/${lobby.lobby_id}` }
}

describe('a list of players to avoid', () => {
  test('is in answers to its owner and to server keys alone', async () => {
    const { lobby, joined, path } = await annAndBob()
    expect([stateOf(lobby), stateOf(joined)]).toEqual([LIST, { hat: 'red' }])
    const seenBy = async (options: CallOptions) => stateOf(await call(`GET ${path}`, options))
    expect(await seenBy(as('ann'))).toEqual(LIST)
    expect(await seenBy({ key: studio.server })).toEqual(LIST)
    expect(await seenBy(as('bob'))).toEqual({ hat: 'red' })
    expect(await seenBy({ key: studio.client })).toEqual({ hat: 'red' })
    const listed = async (options: CallOptions, query = '') =>
      stateOf((await call(`GET /v1/lobbies${query}`, options)).data[0])
    expect(await listed(as('ann'))).toEqual(LIST)
    expect(await listed(as('bob'))).toEqual({ hat: 'red' })
    expect(await listed({ key: studio.server }, '?scope=project')).toEqual(LIST)
    const [me, found] = [
      await call('GET /v1/players/me', as('ann')),
      await call('GET /v1/players/ann', { key: studio.server }),
    ]
    expect([stateOf(me.lobbies[0]), stateOf(found.lobbies[0])]).toEqual([LIST, LIST])
    expect(stateOf((await call('GET /v1/players/me', as('bob'))).lobbies[0])).toEqual({ hat: 'red' })
    const kicked = await service.call(`DELETE ${path}/players/bob`, as('ann'))
    expect(kicked.status).toBe(204)
    const settings = { settings: { map: 'a' } }
    expect(stateOf(await call(`PATCH ${path}/settings`, as('ann', settings)))).toEqual(LIST)
  })

  test('is in no stream of the lobby, and in the feed of a backend', async () => {
    const { path } = await annAndBob()
    const open = (at: string, options: { key: string; player: string }) =>
      new StreamReader(`${listening.url}${at}`, options)
    const readers = ['ann', 'bob'].map((player) => open(`${path}/events`, { key: studio.client, player }))
    const feed = open('/v1/events', { key: studio.server, player: 'x' })
    await Promise.all([...readers, feed].map((reader) => reader.untilEvents(1)))
    await call(`PATCH ${path}/players/ann`, as('ann', { state: { avoid: ['mallory'] } }))
    await Promise.all(readers.map((reader) => reader.untilEvents(2)))
    for (const reader of readers) {
      expect(reader.text).not.toMatch(/zed|mallory|avoid/)
      reader.cut()
    }
    for (let turn = 0; turn < 100 && !feed.text.includes('mallory'); turn++) {
      service.clock.advance(100)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await feed.until(({ text }) => text.includes('mallory'))
    feed.cut()
  })

  test('is answered to its owner by a long poll', async () => {
    const { path } = await annAndBob()
    const poll = (player: string) => call(`GET ${path}?after_version=2&wait=20`, as(player))
    const waiting = [poll('ann'), poll('bob')]
    await new Promise((resolve) => setImmediate(resolve))
    await call(`PATCH ${path}/players/ann`, as('ann', { state: { hat: 'blue' } }))
    const [own, mates] = await Promise.all(waiting)
    expect([stateOf(own), stateOf(mates)]).toEqual([{ ...LIST, hat: 'blue' }, { hat: 'blue' }])
  })

  test('is not lost when somebody else replaces the state, and not shown by the answer', async () => {
    const lobby = await makeLobby(service, studio, 'bob')
    const path = `/v1/lobbies/${lobby.lobby_id}`
    await call(`POST ${path}/join`, as('ann', { state: LIST }))
    const replaced = { state: { hat: 'blue' }, merge: false }
    expect((await call(`PATCH ${path}/players/ann`, as('bob', replaced))).state).toEqual({ hat: 'blue' })
    const backend = { key: studio.server, player: 'bob', body: { state: { hat: 'green' }, merge: false } }
    expect((await call(`PATCH ${path}/players/ann`, backend)).state).toEqual({ avoid: ['zed'], hat: 'green' })
    expect((await call(`PATCH ${path}/players/ann`, as('ann', replaced))).state).toEqual({ hat: 'blue' })
  })

  test.each([[['a'].concat(Array.from({ length: 50 }, (_, n) => `p${n}`))], ['zed'], [[7]], [{ zed: true }]])(
    'is refused as %j on each way in',
    async (avoid) => {
      const issues = [{ path: 'state.avoid', message: 'must be a list of at most 50 player ids' }]
      const refused = { code: 'VALIDATION_FAILED', details: { issues } }
      const state = { avoid }
      expect(await call('POST /v1/lobbies', as('eve', { queue_id: 'duel', state }))).toMatchObject(refused)
      expect(await call('POST /v1/lobbies/quick-join', as('eve', { queue_id: 'duel', state }))).toMatchObject(refused)
      const { path } = await annAndBob()
      expect(await call(`POST ${path}/join`, as('eve', { state }))).toMatchObject(refused)
      expect(await call(`PATCH ${path}/players/ann`, as('ann', { state }))).toMatchObject(refused)
      expect(stateOf(await call(`GET ${path}`, as('ann')))).toEqual(LIST)
    },
  )

  test('is refused on entering where an older state of another queue has no such list, or names a mate', async () => {
    const { lobby_id: id } = await makeLobby(service, studio, 'ann', { queue_id: 'plain', state: { avoid: 'zed' } })
    await call(`PATCH /v1/lobbies/${id}/settings`, as('ann', { queue_id: 'duel' }))
    expect(await call(`POST /v1/lobbies/${id}/queue`, as('ann'))).toMatchObject({
      ...{ code: 'PARTY_CANNOT_MATCH', details: { rule: 'avoid', field: 'avoid', player: 'ann' } },
    })
    const { path } = await annAndBob()
    await call(`PATCH ${path}/players/bob`, as('bob', { state: { avoid: ['ann'] } }))
    const refused = await call(`POST ${path}/queue`, as('ann'))
    expect(refused).toMatchObject({ code: 'PARTY_CANNOT_MATCH', details: { rule: 'avoid' } })
    expect(refused.details).not.toHaveProperty('values')
  })

  test('keeps two players apart; another takes the place, and the server file has no list', async () => {
    const enter = async (player: string, avoid: readonly string[] = []) => {
      const { lobby_id: id } = await makeLobby(service, studio, player, { state: { avoid, hat: player } })
      await call(`POST /v1/lobbies/${id}/queue`, as(player))
      return id as string
    }
    const tick = async () => {
      const { matches } = await service.matchyard.matchmaking.runQueue(`${studio.projectId}/duel`)
      await service.settle()
      return matches
    }
    const waiting = await enter('ann', ['zed'])
    await enter('zed')
    expect(await tick()).toBe(0)
    const why = await call(`GET /v1/lobbies/${waiting}/queue`, as('ann'))
    expect(why.rules).toEqual([{ type: 'avoid', field: 'avoid', passing: 0, failing: 1 }])
    await enter('cat')
    expect(await tick()).toBe(1)
    expect((await call(`GET /v1/lobbies/${waiting}`, as('ann'))).status).toBe('in_game')
    const teams = JSON.stringify(service.orchestrator.launches[0]?.config.teams)
    expect(teams).toContain('"hat":"ann"')
    expect(teams).not.toMatch(/avoid|zed/)
  })

  test('is not in the server file when it is written while the players answer a ready check', async () => {
    const matchmaking = { ...AVOIDING, ready_check: { timeout: 30 } }
    await call('PATCH /v1/queues/duel', { key: studio.server, body: { matchmaking } })
    const ids: string[] = []
    for (const player of ['ann', 'bob']) {
      const { lobby_id: id } = await makeLobby(service, studio, player)
      await call(`POST /v1/lobbies/${id}/queue`, as(player))
      ids.push(id)
    }
    await service.matchyard.matchmaking.runQueue(`${studio.projectId}/duel`)
    await call(`PATCH /v1/lobbies/${ids[0]}/players/ann`, as('ann', { state: LIST }))
    await call(`POST /v1/lobbies/${ids[0]}/proposal/accept`, as('ann'))
    await call(`POST /v1/lobbies/${ids[1]}/proposal/accept`, as('bob'))
    await service.settle()
    const teams = JSON.stringify(service.orchestrator.launches[0]?.config.teams)
    expect(teams).toContain('"hat":"red"')
    expect(teams).not.toMatch(/avoid|zed/)
  })

  test('becomes private when the queue gets the rule, also in lobbies that are there', async () => {
    const { lobby_id: id } = await makeLobby(service, studio, 'ann', { queue_id: 'plain', state: LIST })
    const seen = async (player: string) => stateOf(await call(`GET /v1/lobbies/${id}`, as(player)))
    expect(await seen('bob')).toEqual(LIST)
    const rules = { matchmaking: { ...AVOIDING, rules: [{ type: 'avoid', scope: 'team' }] } }
    await call('PATCH /v1/queues/plain', { key: studio.server, body: rules })
    await service.settle()
    expect([await seen('ann'), await seen('bob')]).toEqual([LIST, { hat: 'red' }])
  })
})
