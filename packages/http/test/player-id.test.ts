import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from './harness/service'
import { bodyOf, type Listening, listen, rawExchange, rawRequest } from './harness/sockets'
import { makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio
let listening: Listening

beforeAll(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeQueue(service, studio)
  listening = await listen(service.app)
})
afterAll(() => listening.close())

const hostOf = async (playerId: string) =>
  (await service.call('POST /v1/lobbies', { key: studio.client, player: playerId, body: { queue_id: 'duel' } })).body

/** Creates a lobby over a real socket, with these bytes as `x-player-id` headers. */
async function createRaw(...headers: Buffer[]) {
  const body = '{"queue_id":"duel"}'
  const head = rawRequest('POST /v1/lobbies', [`api-key: ${studio.client}`, 'content-type: application/json'], '')
  const [lines = ''] = head.split('\r\n\r\n')
  const parts: Buffer[] = [Buffer.from(`${lines}\r\ncontent-length: ${body.length}\r\n`)]
  for (const value of headers) parts.push(Buffer.from('x-player-id: '), value, Buffer.from('\r\n'))
  return bodyOf(await rawExchange(listening.port, Buffer.concat([...parts, Buffer.from(`\r\n${body}`)])))
}

describe('x-player-id', () => {
  test.each([
    'ann',
    'a, b',
    'a,b',
    'Ann',
    'é',
    '玩家',
    '😀'.repeat(128),
    'a'.repeat(128),
    'a/b?c=d#e%20',
    '"',
    '..a',
    'A\u00a0b',
  ])('%j is trusted verbatim', async (playerId) => {
    const lobby = await hostOf(playerId)
    expect(lobby.host_player_id).toBe(playerId)
    const path = `/v1/lobbies/${lobby.lobby_id}/players/${encodeURIComponent(playerId)}`
    const options = { key: studio.client, player: playerId, body: { state: { a: 1 } } }
    const { status, body } = await service.call(`PATCH ${path}`, options)
    expect([status, body.player_id]).toEqual([200, playerId])
  })

  test.each([
    ['empty', ''],
    ['129 characters', 'a'.repeat(129)],
    ['129 characters beyond the first plane', '😀'.repeat(129)],
    ['a C1 control character', 'a\u0085b'],
    ['DEL', 'a\u007fb'],
  ])('%s is INVALID_PLAYER_ID', async (_what, playerId) => {
    expect((await hostOf(playerId)).code).toBe('INVALID_PLAYER_ID')
  })

  test('is of no meaning where the operation knows no players', async () => {
    const { status } = await service.call('GET /v1/queues', { key: studio.server, headers: { 'x-player-id': '' } })
    expect(status).toBe(200)
  })
})

describe('on a socket', () => {
  test('UTF-8 bytes are read as UTF-8, and a comma is legal', async () => {
    expect((await createRaw(Buffer.from('玩家, é'))).host_player_id).toBe('玩家, é')
  })
  test('the header sent twice is refused, even with the same value', async () => {
    expect((await createRaw(Buffer.from('ann'), Buffer.from('ann'))).code).toBe('INVALID_PLAYER_ID')
    expect((await createRaw(Buffer.from('a, b'), Buffer.from('c'))).code).toBe('INVALID_PLAYER_ID')
  })
  test('latin1 bytes are not guessed at', async () => {
    expect((await createRaw(Buffer.from('caf\u00e9', 'latin1'))).code).toBe('INVALID_PLAYER_ID')
  })
})
