import { createHmac } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { provingService } from './harness/player-auth'
import type { Service } from './harness/service'
import { makeBuild, makeMatch, makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio
beforeEach(async () => {
  service = await provingService()
  studio = await openStudio(service)
})

const ask = (matchId: string, player: string, headers: Record<string, string> = {}) =>
  service.call(`POST /v1/matches/${matchId}/join-token`, { key: studio.client, player, headers })

/** Returns the claims of a token as a game server reads them offline; undefined for a signature by another key. */
function read(token: string, key: string): Record<string, unknown> | undefined {
  const [header, payload, signature] = token.split('.')
  const expected = createHmac('sha256', Buffer.from(key, 'base64url'))
    .update(`${header}.${payload}`)
    .digest('base64url')
  return signature === expected ? JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()) : undefined
}

it('lets a player in, by the key in the server file', async () => {
  await makeBuild(service, studio)
  await makeQueue(service, studio, { server_settings: { version_tag: 'arena' } })
  const [lobby] = await makeMatch(service, studio)
  await service.settle()
  const { status, body } = await ask(lobby.match_id, 'ann')
  expect([status, Object.keys(body)]).toEqual([200, ['token', 'expires_at']])
  const config = service.orchestrator.launches.at(-1)?.config as unknown as Record<
    'join_token_key' | 'instance_id',
    string
  >
  expect(config.join_token_key).toMatch(/^[\w-]{43}$/)
  const claims = read(body.token, config.join_token_key)
  const at = Math.floor(service.clock.now() / 1_000)
  expect(claims).toEqual({
    ...{ aud: lobby.match_id, sub: 'ann', instance_id: config.instance_id, role: null, iat: at, exp: at + 300 },
    team: expect.stringMatching(/^team_[12]$/),
  })
  expect(body.expires_at).toBe(new Date((at + 300) * 1_000).toISOString())
})

it('is for players of the match while it is on', async () => {
  await makeQueue(service, studio, { server_settings: { source: 'external' } })
  const [lobby] = await makeMatch(service, studio)
  const place = { host: 'a.example', ports: [{ name: 'game', port: 7_000 }] }
  const assigned = await service.call(`POST /v1/matches/${lobby.match_id}/server`, { key: studio.server, body: place })
  const { body } = await ask(lobby.match_id, 'bob')
  expect(read(body.token, assigned.body.join_token_key)).toMatchObject({
    sub: 'bob',
    instance_id: assigned.body.instance_id,
  })
  expect((await ask(lobby.match_id, 'eve')).body.code).toBe('MATCH_NOT_FOUND')
  expect((await ask('mat_none', 'ann')).body.code).toBe('MATCH_NOT_FOUND')
  const other = await openStudio(service)
  const theirs = await service.call(`POST /v1/matches/${lobby.match_id}/join-token`, {
    key: other.client,
    player: 'ann',
  })
  expect(theirs.body.code).toBe('MATCH_NOT_FOUND')
  await service.call(`POST /v1/lobbies/${lobby.lobby_id}/leave`, { key: studio.client, player: 'ann' })
  expect((await ask(lobby.match_id, 'ann')).body.code).toBe('MATCH_NOT_FOUND')
  const { body: lobbies } = await service.call('GET /v1/players/me/lobbies', { key: studio.client, player: 'bob' })
  await service.call(`POST /v1/lobbies/${lobbies.data[0].lobby_id}/end`, { key: studio.server })
  expect((await ask(lobby.match_id, 'bob')).body.code).toBe('INVALID_MATCH_STATE')
})

it('is repeated under an idempotency key while it is good, and made anew after; no record holds it', async () => {
  await makeQueue(service, studio)
  const [lobby] = await makeMatch(service, studio)
  const headers = { 'idempotency-key': 'k' }
  const first = await ask(lobby.match_id, 'ann', headers)
  service.clock.advance(299_000)
  expect((await ask(lobby.match_id, 'ann', headers)).body).toEqual(first.body)
  service.clock.advance(1_000)
  const later = await ask(lobby.match_id, 'ann', headers)
  expect(later.status).toBe(200)
  expect(later.body.token).not.toBe(first.body.token)
})

it('is not for who is only proposed a match', async () => {
  await makeQueue(service, studio, { matchmaking: { teams: 2, players_per_team: 1, ready_check: { timeout: 15 } } })
  const [lobby] = await makeMatch(service, studio)
  const { body } = await service.call(`GET /v1/lobbies/${lobby.lobby_id}`, { key: studio.server })
  expect((await ask(body.proposal.match_id, 'ann')).body.code).toBe('MATCH_NOT_FOUND')
})
