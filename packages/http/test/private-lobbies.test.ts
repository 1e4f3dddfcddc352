import { beforeEach, describe, expect, test } from 'vitest'
import type { Body } from './harness/client'
import { type Service, startService } from './harness/service'
import { makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

// The view of a private lobby for players who are not members: docs/http-api.md §6, "Private lobbies".
let service: Service
let studio: Studio
let lobby: Body

const SETTINGS = { map: 'cellar' }
const STATE = { mmr: 1_500 }

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeQueue(service, studio)
  lobby = await makeLobby(service, studio, 'ann', { is_private: true, settings: SETTINGS, state: STATE })
})

const get = async (query = '', by: { key?: string; player?: string } = {}) =>
  (await service.call(`GET /v1/lobbies/${lobby.lobby_id}${query}`, { key: studio.client, ...by })).body

/** Returns the lobby without the fields that only its members and the backend see. */
const outside = () => ({
  ...lobby,
  invite_code: null,
  settings: {},
  banned: undefined,
  players: lobby.players.map((player: Body) => ({ ...player, state: {} })),
})

describe('a private lobby', () => {
  test('shows its code, settings and states to members and server keys alone, whoever has read it before', async () => {
    expect(lobby).toMatchObject({ invite_code: expect.any(String), settings: SETTINGS, players: [{ state: STATE }] })
    for (let round = 0; round < 3; round++) {
      expect(await get('', { player: 'ann' })).toEqual(lobby)
      expect(await get('', { player: 'bob' })).toEqual(outside())
      expect(await get('', { key: studio.server })).toEqual(lobby)
      expect(await get()).toEqual(outside())
    }
  })

  test('shows the same to one who waits for its next version, as a member or not', async () => {
    const asked = '?after_version=0'
    expect(await get(asked, { player: 'bob' })).toEqual(outside())
    expect(await get(asked, { player: 'ann' })).toEqual(lobby)
    const next = ['bob', 'ann'].map((player) => get('?after_version=1&wait=20', { player }))
    const body = { name: 'renamed' }
    const path = `PATCH /v1/lobbies/${lobby.lobby_id}/settings`
    lobby = (await service.call(path, { key: studio.client, player: 'ann', body })).body
    expect(await Promise.all(next)).toEqual([outside(), lobby])
  })

  test('hides from one who was removed what it showed before, and shows a member who has just joined', async () => {
    const join = { key: studio.client, player: 'bob', body: { invite_code: lobby.invite_code } }
    const joined = (await service.call('POST /v1/lobbies/join', join)).body
    expect(joined).toMatchObject({ invite_code: lobby.invite_code, settings: SETTINGS })
    expect(await get('', { player: 'bob' })).toEqual(joined)
    await service.call(`POST /v1/lobbies/${lobby.lobby_id}/leave`, { key: studio.client, player: 'bob' })
    expect(await get('', { player: 'bob' })).toMatchObject({
      invite_code: null,
      settings: {},
      players: [{ state: {} }],
    })
  })

  test('is whole in what members and the backend list', async () => {
    const mine = await service.call('GET /v1/players/me/lobbies', { key: studio.client, player: 'ann' })
    const all = await service.call('GET /v1/lobbies?include_private=true', { key: studio.server })
    const project = await service.call('GET /v1/lobbies?scope=project', { key: studio.server })
    for (const { body } of [mine, all, project]) expect(body.data).toEqual([lobby])
  })

  test('shows everything but its bans to everybody once it is public', async () => {
    const open = { key: studio.client, player: 'ann', body: { is_private: false } }
    lobby = (await service.call(`PATCH /v1/lobbies/${lobby.lobby_id}/settings`, open)).body
    expect(await get('', { player: 'bob' })).toEqual({ ...lobby, banned: undefined })
    expect(lobby).toMatchObject({ settings: SETTINGS, players: [{ state: STATE }] })
  })
})

test('an embedder that reads a private lobby for a player who is no member sees the same', async () => {
  const on = { projectId: studio.projectId, lobbyId: lobby.lobby_id, backend: false }
  const shown = await service.matchyard.lobbies.get({ ...on, playerId: 'bob' })
  expect(shown).toMatchObject({ inviteCode: null, settings: {}, players: [{ playerId: 'ann', state: {} }] })
  expect(await service.matchyard.lobbies.get({ ...on, playerId: 'ann' })).toMatchObject({ settings: SETTINGS })
})
