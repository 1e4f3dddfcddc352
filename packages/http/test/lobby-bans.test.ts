import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Body, CallOptions } from './harness/client'
import { type Service, startService } from './harness/service'
import { type Listening, listen } from './harness/sockets'
import { StreamReader } from './harness/stream-reader'
import { makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio
let lobby: Body
let listening: Listening

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeQueue(service, studio)
  lobby = await makeLobby(service, studio)
  listening = await listen(service.app)
})
afterEach(() => listening.close())

const on = () => `/v1/lobbies/${lobby.lobby_id}`
const as = (player: string, body?: Body): CallOptions => ({
  key: studio.client,
  player,
  ...(body === undefined ? {} : { body }),
})
const ban = (playerId: unknown, by: CallOptions = as('ann')) =>
  service.call(`POST ${on()}/bans`, { ...by, body: { player_id: playerId } })
const codeOf = async (answer: Promise<{ status: number; body: Body }>) => {
  const { status, body } = await answer
  return [status, body?.code]
}

describe('a ban', () => {
  test('kicks, keeps out by id and by code, and is taken back', async () => {
    await service.call(`POST ${on()}/join`, as('bob'))
    const { status, body } = await ban('bob')
    expect([status, body.banned, body.current_players, body.version]).toEqual([200, ['bob'], 1, 3])
    expect((await ban('bob')).body).toEqual(body)
    const code = { invite_code: lobby.invite_code }
    expect(await codeOf(service.call(`POST ${on()}/join`, as('bob')))).toEqual([403, 'PLAYER_BANNED'])
    expect(await codeOf(service.call('POST /v1/lobbies/join', as('bob', code)))).toEqual([403, 'PLAYER_BANNED'])
    const onBehalf = { key: studio.server, player: 'bob' }
    expect(await codeOf(service.call(`POST ${on()}/join`, onBehalf))).toEqual([403, 'PLAYER_BANNED'])
    expect((await service.call(`DELETE ${on()}/bans/bob`, as('ann'))).status).toBe(204)
    expect(await codeOf(service.call(`DELETE ${on()}/bans/bob`, as('ann')))).toEqual([404, 'BAN_NOT_FOUND'])
    expect((await service.call(`POST ${on()}/join`, as('bob'))).body.banned).toEqual([])
  })

  test('is made by a server key that names nobody', async () => {
    const backend = { key: studio.server }
    expect((await ban('bob', backend)).body.banned).toEqual(['bob'])
    expect((await service.call(`DELETE ${on()}/bans/bob`, backend)).status).toBe(204)
    expect(await codeOf(ban('bob', { key: studio.client }))).toEqual([400, 'PLAYER_ID_REQUIRED'])
  })

  test.each([
    ['ann', 'must be another player: players cannot ban themselves'],
    ['a\u0000b', 'contains a control character'],
    ['', 'must be 1 to 128 characters long'],
    [7, undefined],
  ])('of %j is refused as the body is, and names its field', async (playerId, message) => {
    const { status, body } = await ban(playerId)
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(body.details.issues).toMatchObject([{ path: 'player_id', ...(message === undefined ? {} : { message }) }])
  })

  test('is shown to members and server keys alone, wherever the lobby is', async () => {
    const url = `${listening.url}${on()}/events`
    await service.call(`POST ${on()}/join`, as('cat'))
    const streams = ['ann', 'cat'].map((player) => new StreamReader(url, { key: studio.client, player }))
    await Promise.all(streams.map((stream) => stream.untilEvents(1)))
    await ban('bob')
    await ban('cat')
    const [host, removed] = streams
    await host?.untilEvents(3)
    await removed?.untilEnd()
    expect(host?.events.map(({ data }) => data.banned)).toEqual([[], ['bob'], ['bob', 'cat']])
    expect(removed?.events.map(({ data }) => data.banned)).toEqual([[], ['bob'], undefined])
    host?.cut()
    const ways = [on(), `${on()}?after_version=1`, `${on()}?after_version=1&wait=1`, '/v1/lobbies']
    const seen = async (by: CallOptions) =>
      Promise.all(
        ways.map(async (way) => {
          const { body } = await service.call(`GET ${way}`, by)
          return (body.data?.[0] ?? body).banned
        }),
      )
    const all = ways.map(() => ['bob', 'cat'])
    const none = ways.map(() => undefined)
    expect(await seen(as('ann'))).toEqual(all)
    expect(await seen({ key: studio.server })).toEqual(all)
    expect(await seen(as('bob'))).toEqual(none)
    expect(await seen({ key: studio.client })).toEqual(none)
  })
})

describe('a new invite code', () => {
  test('is drawn by the host and by a backend', async () => {
    const draw = (by: CallOptions) => service.call(`POST ${on()}/invite-code`, by)
    const codes = [lobby.invite_code]
    for (const by of [as('ann'), { key: studio.server }]) codes.push((await draw(by)).body.invite_code)
    expect(new Set(codes).size).toBe(3)
  })
})
