import { beforeEach, describe, expect, it } from 'vitest'
import { provingService, type SignedStudio, signedStudio, tokenOf } from './harness/player-auth'
import type { Service } from './harness/service'
import { makeQueue } from './harness/studio'

let service: Service
let studio: SignedStudio

beforeEach(async () => {
  service = await provingService()
  studio = await signedStudio(service)
  await makeQueue(service, studio, { trusted_fields: ['mmr', 'rank'] })
  await makeQueue(service, studio, { queue_id: 'open' })
})

type More = { proven?: Record<string, never> | object; body?: object; headers?: Record<string, string> }
/** Calls as a player's client, with a token that proves these fields of the player's state. */
const as = (player: string, what: string, { proven, body, headers }: More = {}) =>
  service.call(what, {
    key: studio.client,
    token: tokenOf(service, studio, player, proven === undefined ? {} : { state: proven as never }),
    ...(body === undefined ? {} : { body }),
    ...(headers === undefined ? {} : { headers }),
  })
const byBackend = (player: string, what: string, body?: object) =>
  service.call(what, { key: studio.server, player, ...(body === undefined ? {} : { body }) })
const create = (player: string, more: More = {}) =>
  as(player, 'POST /v1/lobbies', { ...more, body: { queue_id: 'duel', ...more.body } })
const lobbyOf = async (player: string, more: More = {}) => (await create(player, more)).body.lobby_id as string
const stateOf = async (id: string, player = 'ann') => {
  const { body } = await service.call(`GET /v1/lobbies/${id}`, { key: studio.server })
  return body.players.find((one: { player_id: string }) => one.player_id === player)?.state
}
const forbidden = (fields: string[]) => ({ status: 403, code: 'PLAYER_STATE_FORBIDDEN', details: { fields } })
const setQueue = (id: string, body: object) => service.call(`PATCH /v1/queues/${id}`, { key: studio.server, body })

describe('trusted fields of a queue', () => {
  it('are shown, and refused where they can be none', async () => {
    const { body } = await service.call('GET /v1/queues/duel', { key: studio.server })
    expect(body.trusted_fields).toEqual(['mmr', 'rank'])
    const { body: open } = await service.call('GET /v1/queues/open', { key: studio.server })
    expect(open).not.toHaveProperty('trusted_fields')
    for (const fields of [['a', 'a'], [''], ['__proto__'], 'mmr', [7], Array.from({ length: 33 }, (_, n) => `f${n}`)]) {
      expect((await setQueue('duel', { trusted_fields: fields })).body.code).toBe('VALIDATION_FAILED')
    }
  })

  it('come from the token on creating, and no other field of it is applied', async () => {
    const id = await lobbyOf('ann', { proven: { mmr: 1500, admin: true }, body: { state: { team: 'a' } } })
    expect(await stateOf(id)).toEqual({ team: 'a', mmr: 1500 })
  })

  it('are refused from a client, by name, on each way in', async () => {
    const state = { mmr: 9000, rank: 'gold', team: 'a' }
    expect((await create('ann', { body: { state } })).body).toMatchObject(forbidden(['mmr', 'rank']))
    expect((await create('ann', { proven: { mmr: 1 }, body: { state: { mmr: 2 } } })).body).toMatchObject(
      forbidden(['mmr']),
    )
    const id = await lobbyOf('zoe')
    expect((await as('bob', `POST /v1/lobbies/${id}/join`, { body: { state } })).body).toMatchObject(
      forbidden(['mmr', 'rank']),
    )
    const coded = await setQueue('duel', { invite_code_config: { enabled: true } })
    expect(coded.status).toBe(200)
    const { body: withCode } = await create('zed')
    const invite = { invite_code: withCode.invite_code, state }
    expect((await as('bob', 'POST /v1/lobbies/join', { body: invite })).body).toMatchObject(forbidden(['mmr', 'rank']))
    for (const make of [true, false]) {
      const body = { queue_id: 'duel', create: make, state }
      expect((await as('bob', 'POST /v1/lobbies/quick-join', { body })).body).toMatchObject(forbidden(['mmr', 'rank']))
    }
    const own = await lobbyOf('ann')
    for (const merge of [true, false]) {
      const answer = await as('ann', `PATCH /v1/lobbies/${own}/players/ann`, { body: { state: { mmr: 2 }, merge } })
      expect(answer.body).toMatchObject(forbidden(['mmr']))
    }
    expect(await stateOf(own)).toEqual({})
  })

  it('pass with the value that is there, and are kept by a replace', async () => {
    const id = await lobbyOf('ann', { proven: { mmr: 1500 }, body: { state: { mmr: 1500, team: 'a' } } })
    const path = `PATCH /v1/lobbies/${id}/players/ann`
    expect((await as('ann', path, { body: { state: { mmr: 1500, team: 'b' } } })).status).toBe(200)
    expect((await as('ann', path, { body: { state: { hat: 1 }, merge: false } })).body.state).toEqual({
      hat: 1,
      mmr: 1500,
    })
    expect((await as('ann', path, { body: { state: { mmr: 1500 }, merge: false } })).body.state).toEqual({ mmr: 1500 })
  })

  it('are brought up to date by an update of one own state, also one that says nothing', async () => {
    const id = await lobbyOf('ann', { proven: { mmr: 1500 } })
    await as('ann', `PATCH /v1/lobbies/${id}/players/ann`, { proven: { mmr: 1600 }, body: {} })
    expect(await stateOf(id)).toEqual({ mmr: 1600 })
    await as('ann', `POST /v1/lobbies/${id}/join`, { proven: { mmr: 1700 } })
    expect(await stateOf(id)).toEqual({ mmr: 1700 })
  })

  it("of another are neither the host's to write nor in the host's token", async () => {
    const id = await lobbyOf('ann', { proven: { mmr: 1500 } })
    await as('bob', `POST /v1/lobbies/${id}/join`, { proven: { mmr: 900 } })
    const path = `PATCH /v1/lobbies/${id}/players/bob`
    const high = { proven: { mmr: 3000 } }
    expect((await as('ann', path, { ...high, body: { state: { mmr: 3000 } } })).body).toMatchObject(forbidden(['mmr']))
    expect((await as('ann', path, { ...high, body: { state: { team: 'a' } } })).status).toBe(200)
    expect(await stateOf(id, 'bob')).toEqual({ mmr: 900, team: 'a' })
  })

  it("are the backend's to write, and count as proven", async () => {
    const id = await lobbyOf('ann')
    await byBackend('ann', `PATCH /v1/lobbies/${id}/players/ann`, { state: { mmr: 1200 } })
    expect(await stateOf(id)).toEqual({ mmr: 1200 })
    await as('ann', `POST /v1/lobbies/${id}/queue`)
    expect(await stateOf(id)).toEqual({ mmr: 1200 })
  })

  it('work where players are trusted, too', async () => {
    const trusted = await signedStudio(service, 'trusted')
    await makeQueue(service, trusted, { trusted_fields: ['mmr'] })
    const call = (more: object) => service.call('POST /v1/lobbies', { key: trusted.client, ...more })
    const body = { queue_id: 'duel', state: { mmr: 7 } }
    expect((await call({ player: 'ann', body })).body).toMatchObject(forbidden(['mmr']))
    const token = tokenOf(service, trusted, 'ann', { state: { mmr: 7 } })
    expect((await call({ token, body })).body.players[0].state).toEqual({ mmr: 7 })
  })

  it('drop what nobody vouches for when the lobby moves to the queue, and keep what somebody does', async () => {
    const { body } = await as('ann', 'POST /v1/lobbies', { body: { queue_id: 'open', state: { mmr: 9000, hat: 1 } } })
    await byBackend('bob', `POST /v1/lobbies/${body.lobby_id}/join`, { state: { mmr: 1200 } })
    const move = { body: { queue_id: 'duel' } }
    expect((await as('ann', `PATCH /v1/lobbies/${body.lobby_id}/settings`, move)).status).toBe(200)
    expect(await stateOf(body.lobby_id)).toEqual({ hat: 1 })
    expect(await stateOf(body.lobby_id, 'bob')).toEqual({ mmr: 1200 })
  })

  it('are no longer vouched for once a client has changed them where it may', async () => {
    const { body } = await byBackend('ann', 'POST /v1/lobbies', {
      queue_id: 'open',
      state: { mmr: 1200, rank: 'gold' },
    })
    const path = `/v1/lobbies/${body.lobby_id}`
    await as('ann', `PATCH ${path}/players/ann`, { body: { state: { mmr: 9000, rank: 'gold' } } })
    await as('ann', `PATCH ${path}/settings`, { body: { queue_id: 'duel' } })
    expect(await stateOf(body.lobby_id)).toEqual({ rank: 'gold' })
  })

  it('drop what clients wrote before, by the PATCH that makes them trusted, also of those who search', async () => {
    const claims = { body: { queue_id: 'open', state: { skill: 9000, hat: 1 } } }
    const { body: waiting } = await as('ann', 'POST /v1/lobbies', claims)
    const { body: searching } = await as('bob', 'POST /v1/lobbies', claims)
    await as('bob', `POST /v1/lobbies/${searching.lobby_id}/queue`)
    await setQueue('open', { trusted_fields: ['skill'] })
    await service.settle()
    expect(await stateOf(waiting.lobby_id)).toEqual({ hat: 1 })
    expect(await stateOf(searching.lobby_id, 'bob')).toEqual({ hat: 1 })
    const { body } = await service.call(`GET /v1/lobbies/${searching.lobby_id}`, { key: studio.server })
    expect(body.status).toBe('in_queue')
  })

  it('make no match by a value that is about to be dropped, and send back who cannot match without it', async () => {
    const matchmaking = { teams: 2, players_per_team: 1, use_version_from_state: true }
    await makeQueue(service, studio, { queue_id: 'rated', matchmaking })
    const ids: string[] = []
    for (const player of ['ann', 'bob']) {
      const { body } = await as(player, 'POST /v1/lobbies', {
        body: { queue_id: 'rated', state: { game_version: 'a' } },
      })
      await as(player, `POST /v1/lobbies/${body.lobby_id}/queue`)
      ids.push(body.lobby_id)
    }
    await setQueue('rated', { trusted_fields: ['game_version'] })
    // The queue runs before the follow-up jobs of the change have run.
    await service.matchyard.matchmaking.runQueue(`${studio.projectId}/rated`)
    await service.settle()
    await service.matchyard.matchmaking.runQueue(`${studio.projectId}/rated`)
    for (const id of ids) {
      const { body } = await service.call(`GET /v1/lobbies/${id}`, { key: studio.server })
      expect(body).toMatchObject({ status: 'waiting', match_id: null, players: [{ state: {} }] })
      expect(body.last_exit.reason).toBe('unmatchable')
    }
  })

  it('are not written by a repeated call: it is answered, and nothing is done', async () => {
    const headers = { 'idempotency-key': 'k' }
    const id = await lobbyOf('ann', { proven: { mmr: 1500 }, headers })
    await as('ann', `PATCH /v1/lobbies/${id}/players/ann`, { proven: { mmr: 1400 }, body: {} })
    const again = await create('ann', { proven: { mmr: 1500 }, headers })
    expect(again.body.lobby_id).toBe(id)
    expect(await stateOf(id)).toEqual({ mmr: 1400 })
  })

  it('stay with a quick join, whether it makes the lobby or joins it', async () => {
    const body = { queue_id: 'duel', state: { hat: 2 } }
    const made = await as('ann', 'POST /v1/lobbies/quick-join', { proven: { mmr: 5 }, body })
    expect(made.body.players[0].state).toEqual({ hat: 2, mmr: 5 })
    const joined = await as('bob', 'POST /v1/lobbies/quick-join', { proven: { rank: 'gold' }, body })
    expect(joined.body.players[1].state).toEqual({ hat: 2, rank: 'gold' })
  })
})
