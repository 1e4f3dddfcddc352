import { beforeEach, describe, expect, test } from 'vitest'
import type { Body } from './harness/client'
import { lobbyCalls, on, withServer } from './harness/lobby-calls'
import { type Service, startService } from './harness/service'
import { makeBuild, makeLobby, makeMatch, makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio
let lobbies: readonly [Body, Body]
let match: string
let server: { token: string }

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeBuild(service, studio)
  const matchmaking = { teams: 2, players_per_team: 1, late_join: true, backfill: { automatic: true } }
  await makeQueue(service, studio, { ...withServer, matchmaking })
  lobbies = await makeMatch(service, studio)
  match = `/v1/matches/${lobbies[0].match_id}`
  server = { token: String(service.orchestrator.launches[0]?.config.token) }
  await service.call(`POST ${on(lobbies[1], '/leave')}`, as('bob'))
})

const { as, read } = lobbyCalls(() => ({ service, studio }))
const backend = (body?: unknown) => ({ key: studio.server, ...(body === undefined ? {} : { body }) })
const seat = { player_id: 'eve', team: 'team_2', expires_at: expect.stringMatching(/Z$/) }
const codeOf = async (answer: Promise<{ status: number; body: Body }>) => {
  const { status, body } = await answer
  return [status, body?.code]
}

describe('a seat for a friend over HTTP', () => {
  test('is kept by a player, shown to backends alone, and taken by the lobby of the friend', async () => {
    const { status, body } = await service.call(`POST ${match}/seats`, as('ann', { player_id: 'eve', hold: 60 }))
    expect([status, body]).toEqual([201, seat])
    const shown = { ...body, role: null, kept_by: 'ann' }
    const { body: seen } = await service.call(`GET ${match}`, backend())
    expect([seen.kept_seats, seen.backfill.teams]).toEqual([[shown], []])
    expect((await service.call(`GET ${match}`, as('ann'))).body).not.toHaveProperty('kept_seats')
    const lobby = await makeLobby(service, studio, 'eve')
    const joined = await service.call(`POST ${match}/join`, as('eve', { lobby_id: lobby.lobby_id }))
    expect(joined.status).toBe(200)
    expect(joined.body).toMatchObject({
      ...{ status: 'starting', match_id: lobbies[0].match_id, server: { status: 'running' } },
    })
    await service.settle()
    expect(await read(lobby)).toMatchObject({ status: 'in_game', server: joined.body.server })
    expect((await service.call(`GET ${match}`, backend())).body).not.toHaveProperty('kept_seats')
    const token = await service.call(`POST ${match}/join-token`, as('eve'))
    expect(token.status).toBe(200)
    expect((await service.call('GET /v1/players/me', as('eve'))).body.live_match).toMatchObject({
      ...{ match_id: lobbies[0].match_id, lobby_id: lobby.lobby_id },
    })
  })

  test('is given back, after which nobody finds it', async () => {
    await service.call(`POST ${match}/seats`, as('ann', { player_id: 'eve' }))
    expect((await service.call(`DELETE ${match}/seats/eve`, as('ann'))).status).toBe(204)
    expect(await codeOf(service.call(`DELETE ${match}/seats/eve`, as('ann')))).toEqual([404, 'SEAT_NOT_FOUND'])
    const lobby = await makeLobby(service, studio, 'eve')
    const join = service.call(`POST ${match}/join`, as('eve', { lobby_id: lobby.lobby_id }))
    expect(await codeOf(join)).toEqual([404, 'SEAT_NOT_FOUND'])
  })

  test('is kept and given back by the game server with its token, until it closes the match', async () => {
    const self = '/v1/servers/self/seats'
    const { status, body } = await service.call(`POST ${self}`, {
      ...server,
      body: { player_id: 'eve', team: 'team_2' },
    })
    expect([status, body]).toEqual([201, seat])
    expect((await service.call(`DELETE ${self}/eve`, server)).status).toBe(204)
    expect(await codeOf(service.call(`DELETE ${self}/eve`, server))).toEqual([404, 'SEAT_NOT_FOUND'])
    await service.call(`POST ${self}`, { ...server, body: { player_id: 'eve' } })
    await service.call('POST /v1/servers/self/close', server)
    expect((await service.call(`GET ${match}`, backend())).body).not.toHaveProperty('kept_seats')
    for (const again of [
      service.call(`POST ${self}`, { ...server, body: { player_id: 'eve' } }),
      service.call(`POST ${match}/seats`, backend({ player_id: 'eve' })),
    ]) {
      expect(await codeOf(again)).toEqual([409, 'INVALID_MATCH_STATE'])
    }
  })

  test('is refused with the code of the reason, and in the words of the wire', async () => {
    const keep = (body: unknown, by = 'ann') => service.call(`POST ${match}/seats`, as(by, body))
    expect(await codeOf(keep({ player_id: 'eve' }, 'zoe'))).toEqual([404, 'MATCH_NOT_FOUND'])
    for (const [body, path] of [
      [{ player_id: 'eve', hold: 4 }, 'hold'],
      [{ player_id: 'eve', hold: 121 }, 'hold'],
      [{ player_id: '' }, 'player_id'],
      [{}, 'player_id'],
      [{ player_id: 'eve', team: 'team_9' }, 'team'],
    ] as const) {
      const refused = await keep(body)
      expect([refused.status, refused.body.details.issues[0].path]).toEqual([400, path])
    }
    const inMatch = await keep({ player_id: 'ann' })
    expect([inMatch.status, inMatch.body.code, inMatch.body.details]).toEqual([409, 'PLAYER_IN_MATCH', { players: [] }])
    const { body } = await service.call(`POST ${match}/seats`, backend({ player_id: 'ann' }))
    expect(body.details.players).toEqual([{ player_id: 'ann', match_id: lobbies[0].match_id }])
    await keep({ player_id: 'eve' })
    expect(await codeOf(service.call(`POST ${match}/seats`, backend({ player_id: 'fay' })))).toEqual([
      409,
      'MATCH_FULL',
    ])
    expect(await codeOf(service.call(`POST ${match}/join`, as('eve', {})))).toEqual([400, 'VALIDATION_FAILED'])
    const noLobby = service.call(`POST ${match}/join`, as('eve', { lobby_id: 'lob_none' }))
    expect(await codeOf(noLobby)).toEqual([404, 'LOBBY_NOT_FOUND'])
  })
})
