import { beforeAll, describe, expect, test } from 'vitest'
import type { CallOptions } from './harness/client'
import { type Service, startService } from './harness/service'
import { makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio

beforeAll(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeQueue(service, studio)
})

const create = (key: string, options: CallOptions = {}) =>
  service.call('POST /v1/lobbies', {
    key: studio.client,
    player: 'ann',
    body: { queue_id: 'duel' },
    ...options,
    headers: { 'idempotency-key': key, ...options.headers },
  })

describe('idempotency-key', () => {
  test('replays the answer and does the work once', async () => {
    const first = await create('k1')
    const again = await create('k1')
    expect([again.status, again.body]).toEqual([201, first.body])
    const { body } = await service.call('GET /v1/lobbies', { key: studio.server })
    expect(body.data.filter(({ lobby_id: id }: { lobby_id: string }) => id === first.body.lobby_id)).toHaveLength(1)
  })

  test('another body under the same key is IDEMPOTENCY_MISMATCH', async () => {
    await create('k2')
    const { status, body } = await create('k2', { body: { queue_id: 'duel', name: 'Other' } })
    expect([status, body.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH'])
  })

  test('white space is not another body', async () => {
    const first = await create('k3')
    const headers = { 'content-type': 'application/json' }
    const again = await service.call('POST /v1/lobbies', {
      key: studio.client,
      player: 'ann',
      raw: ' {"queue_id" : "duel"} ',
      headers: { ...headers, 'idempotency-key': 'k3' },
    })
    expect(again.body).toEqual(first.body)
  })

  test('is scoped to the credential, the player and the route', async () => {
    const first = (await create('k4')).body.lobby_id
    expect((await create('k4', { player: 'bob' })).body.lobby_id).not.toBe(first)
    expect((await create('k4', { key: studio.server })).body.lobby_id).not.toBe(first)
    const leave = `POST /v1/lobbies/${first}/leave`
    const options = { key: studio.client, player: 'ann', headers: { 'idempotency-key': 'k4' } }
    expect((await service.call(leave, options)).status).toBe(204)
    expect((await service.call(leave, options)).status).toBe(204)
    expect((await service.call(leave, { key: studio.client, player: 'ann' })).body.code).toBe('LOBBY_NOT_FOUND')
  })

  test('is forgotten after 24 hours', async () => {
    const first = (await create('k5')).body.lobby_id
    service.clock.advance(24 * 3_600_000)
    expect((await create('k5')).body.lobby_id).not.toBe(first)
  })

  test('of n calls at once one does the work, the others are told or replayed', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => create('k6')))
    const made = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.lobby_id))
    expect(made.size).toBe(1)
    for (const { status, body } of answers) if (status !== 201) expect(body.code).toBe('CONFLICT')
  })

  test('of a minted key and of a project replay without the values', async () => {
    const headers = { 'idempotency-key': 'k7' }
    const mint = () =>
      service.call(`POST /v1/projects/${studio.projectId}/keys`, {
        token: studio.token,
        body: { type: 'client' },
        headers,
      })
    const first = await mint()
    const again = await mint()
    expect(first.body.key).toMatch(/^ck_live_[0-9A-Za-z]{36}$/)
    const { key: _, ...rest } = first.body
    expect([again.status, again.body]).toEqual([201, rest])
    const project = () => service.call('POST /v1/projects', { token: studio.token, body: { name: 'Twice' }, headers })
    const { project_id: id, keys } = (await project()).body
    const replayed = (await project()).body
    expect(replayed.project_id).toBe(id)
    expect(keys.every(({ key }: { key?: string }) => key !== undefined)).toBe(true)
    expect(replayed.keys.some(({ key }: { key?: string }) => key !== undefined)).toBe(false)
  })

  test.each([0, 256])('of %i characters is refused', async (length) => {
    const { status, body } = await create('x'.repeat(length))
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
  })
  test('of 255 characters is taken', async () => expect((await create('x'.repeat(255))).status).toBe(201))

  test('means nothing on other methods', async () => {
    const headers = { 'idempotency-key': '' }
    expect((await service.call('GET /v1/lobbies', { key: studio.client, headers })).status).toBe(200)
  })
})
