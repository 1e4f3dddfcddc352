import { beforeEach, describe, expect, test } from 'vitest'
import type { Body } from './harness/client'
import { type Service, startService } from './harness/service'
import { makeMatch, makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio
let matchId: string
let lobbies: readonly Body[]

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeQueue(service, studio, { server_settings: { source: 'external' } })
  lobbies = await makeMatch(service, studio)
  matchId = lobbies[0].match_id
})

const PLACE = { host: 'eu.studio.example', ports: [{ name: 'game', port: 27_015 }], custom_data: { token: 'x' } }
const assign = (body: object = PLACE, key = studio.server) =>
  service.call(`POST /v1/matches/${matchId}/server`, { key, body })
const lobbyNow = async (lobby: Body) =>
  (await service.call(`GET /v1/lobbies/${lobby.lobby_id}`, { key: studio.server })).body

describe('POST /v1/matches/{match_id}/server', () => {
  test('is 201 once and 200 from then on: the same again changes nothing, another address shows for all', async () => {
    const first = await assign()
    const port = { internal_port: 27_015, external_port: 27_015, tls_enabled: false }
    const told = {
      instance_id: `ext_${matchId.slice('mat_'.length)}`,
      match_id: matchId,
      region: 'iad',
      status: 'running',
      network_ports: [{ name: 'game', protocol: 'udp', host: 'eu.studio.example', ...port }],
    }
    expect([first.status, first.body]).toEqual([
      201,
      { ...told, custom_data: { token: 'x' }, join_token_key: expect.stringMatching(/^[\w-]{43}$/) },
    ])
    const before = await Promise.all(lobbies.map(lobbyNow))
    for (const lobby of before) expect(lobby).toMatchObject({ status: 'in_game', server: told })
    // Players do not see the fields that are only for backends.
    expect(JSON.stringify(before)).not.toContain('token')

    const again = await assign()
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await Promise.all(lobbies.map(lobbyNow))).toEqual(before)

    const moved = await assign({ ...PLACE, host: 'us.studio.example' })
    expect([moved.status, moved.body.network_ports[0].host]).toEqual([200, 'us.studio.example'])
    for (const lobby of await Promise.all(lobbies.map(lobbyNow))) {
      expect(lobby.server.network_ports[0].host).toBe('us.studio.example')
    }
    const { body: match } = await service.call(`GET /v1/matches/${matchId}`, { key: studio.server })
    expect(match.server.network_ports[0].host).toBe('us.studio.example')
  })

  test('is for the backend of the project whose match it is', async () => {
    expect((await assign(PLACE, studio.client)).status).toBe(403)
    const stranger = await openStudio(service)
    const other = await assign(PLACE, stranger.server)
    expect([other.status, other.body.code]).toEqual([404, 'MATCH_NOT_FOUND'])
    for (const lobby of lobbies) expect(await lobbyNow(lobby)).toMatchObject({ status: 'matched', server: null })
  })
})
