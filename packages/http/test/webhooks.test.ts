import { createHmac } from 'node:crypto'
import { MESSAGE_TYPES } from '@matchyard/core'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it } from 'vitest'
import { WEBHOOK_BODIES } from '../src/wire/message'
import { type Service, startService } from './harness/service'
import { makeLobby, makeMatch, makeQueue, openStudio, type Studio } from './harness/studio'

const DAY = 86_400_000
const URL = 'https://studio.example/hooks'

let service: Service
let studio: Studio
beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service)
})

const by = (of: Studio, body?: object) => ({ key: of.server, ...(body === undefined ? {} : { body }) })
const make = async (body: object = {}, of = studio) =>
  (await service.call('POST /v1/webhooks', by(of, { url: URL, ...body }))).body
const sent = () =>
  service.receiver.requests.map(({ request }) => ({
    url: request.url,
    headers: request.headers as Record<string, string>,
    text: String(request.body),
    body: JSON.parse(String(request.body)),
  }))
const endLobby = async (of = studio) => {
  const { lobby_id: id } = await makeLobby(service, of)
  await service.call(`DELETE /v1/lobbies/${id}`, { key: of.server })
  return id as string
}

describe('the endpoints of webhooks', () => {
  it('show a secret at creation and at rotation only', async () => {
    const made = await make({ description: 'ours', types: ['match.found', 'build.ready'] })
    expect(made).toEqual({
      webhook_id: expect.stringMatching(/^whk_/),
      url: URL,
      types: ['match.found', 'build.ready'],
      description: 'ours',
      format: 'plain',
      enabled: true,
      disabled_reason: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    })
    const { secret, ...shown } = made
    const on = `/v1/webhooks/${made.webhook_id}`
    expect((await service.call(`GET ${on}`, by(studio))).body).toEqual(shown)
    expect((await service.call('GET /v1/webhooks', by(studio))).body).toEqual({
      data: [shown],
      total: 1,
      has_more: false,
      limit: 50,
      offset: 0,
    })
    const rotated = (await service.call(`POST ${on}/rotate-secret`, by(studio))).body
    expect(rotated.secret).not.toBe(secret)
    const stored = JSON.stringify(await service.storage.get('webhook', made.webhook_id))
    const logged = JSON.stringify(service.logger.lines)
    for (const one of [secret, rotated.secret]) {
      const bare = one.slice('whsec_'.length)
      expect([stored.includes(bare), logged.includes(bare)]).toEqual([false, false])
    }
  })

  it('tell everything where no types are named, and change by PATCH', async () => {
    const made = await make()
    expect(made.types).toEqual(MESSAGE_TYPES)
    expect(made.description).toBeNull()
    const on = `/v1/webhooks/${made.webhook_id}`
    const changed = await service.call(`PATCH ${on}`, by(studio, { enabled: false, types: ['lobby.deleted'] }))
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({ enabled: false, disabled_reason: null, types: ['lobby.deleted'], url: URL })
    expect((await service.call(`DELETE ${on}`, by(studio))).status).toBe(204)
    expect((await service.call(`GET ${on}`, by(studio))).body.code).toBe('WEBHOOK_NOT_FOUND')
    expect((await service.call('GET /v1/webhooks', by(studio))).body.total).toBe(0)
  })

  it('refuse what is not one, before anything is made', async () => {
    const refused = async (body: object) => {
      const { status, body: problem } = await service.call('POST /v1/webhooks', by(studio, body))
      return [status, problem.code, problem.details?.issues?.[0]?.path]
    }
    expect(await refused({})).toEqual([400, 'VALIDATION_FAILED', 'url'])
    expect(await refused({ url: URL, types: [] })).toEqual([400, 'VALIDATION_FAILED', 'types'])
    expect(await refused({ url: URL, types: ['match.lost'] })).toEqual([400, 'VALIDATION_FAILED', 'types.0'])
    expect(await refused({ url: URL, types: ['match.found', 'match.found'] })).toEqual([
      400,
      'VALIDATION_FAILED',
      'types.1',
    ])
    expect(await refused({ url: URL, description: 'x'.repeat(257) })).toEqual([400, 'VALIDATION_FAILED', 'description'])
    expect(await refused({ url: URL, colour: 'red' })).toEqual([400, 'VALIDATION_FAILED', 'colour'])
    expect(await refused({ url: 'http://studio.example/' })).toEqual([400, 'WEBHOOK_ADDRESS_REFUSED', undefined])
    service.receiver.refuses = () => '10.0.0.1 is a private address'
    expect(await refused({ url: URL })).toEqual([400, 'WEBHOOK_ADDRESS_REFUSED', undefined])
    expect((await service.call('GET /v1/webhooks', by(studio))).body.total).toBe(0)
  })

  it('are the server key’s and the session’s, and nobody else’s', async () => {
    const made = await make()
    const on = `/v1/webhooks/${made.webhook_id}`
    const asClient = await service.call('POST /v1/webhooks', { key: studio.client, body: { url: URL } })
    expect([asClient.status, asClient.body.code]).toEqual([403, 'CREDENTIAL_NOT_ALLOWED'])
    const other = await openStudio(service)
    expect((await service.call(`GET ${on}`, by(other))).body.code).toBe('WEBHOOK_NOT_FOUND')
    expect((await service.call(`DELETE ${on}`, { token: other.token })).body.code).toBe('WEBHOOK_NOT_FOUND')
    expect((await service.call(`GET ${on}`, { token: studio.token })).status).toBe(200)
    const unnamed = await service.call('POST /v1/webhooks', { token: studio.token, body: { url: URL } })
    expect(unnamed.body.code).toBe('VALIDATION_FAILED')
    const named = await service.call(`POST /v1/webhooks?project_id=${studio.projectId}`, {
      token: studio.token,
      body: { url: URL },
    })
    expect(named.status).toBe(201)
    const listed = await service.call(`GET /v1/webhooks?project_id=${studio.projectId}&limit=1&offset=1`, {
      token: studio.token,
    })
    expect([listed.body.total, listed.body.data.length]).toEqual([2, 1])
  })

  it('answer a repeated POST from its record, without the secret', async () => {
    const call = () =>
      service.call('POST /v1/webhooks', { ...by(studio, { url: URL }), headers: { 'idempotency-key': 'once' } })
    const [first, again] = [await call(), await call()]
    const { secret, ...shown } = first.body
    expect(secret).toMatch(/^whsec_/)
    expect([again.status, again.body]).toEqual([201, shown])
    expect((await service.call('GET /v1/webhooks', by(studio))).body.total).toBe(1)
  })
})

describe('a message', () => {
  it('is verified by the published library, with the secret as it was shown', async () => {
    const { secret } = await make({ types: ['lobby.deleted'] })
    await makeQueue(service, studio)
    const id = await endLobby()
    await service.settle()
    const [message, ...more] = sent()
    expect(more).toEqual([])
    const opened = verify(secret, message)
    expect(opened).toMatchObject({ type: 'lobby.deleted', project_id: studio.projectId })
    expect(opened).toMatchObject({ id: message?.headers['webhook-id'], data: { lobby_id: id, version: 2 } })
    expect(message?.headers['content-type']).toBe('application/json')
    expect(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`, message)).toThrow()
  })

  it('is signed with the old secret too for a day', async () => {
    const { secret: old, webhook_id: id } = await make({ types: ['lobby.deleted'] })
    await makeQueue(service, studio)
    const { secret: fresh } = (await service.call(`POST /v1/webhooks/${id}/rotate-secret`, by(studio))).body
    await endLobby()
    await service.settle()
    const [both] = sent()
    expect(both?.headers['webhook-signature']?.split(' ')).toHaveLength(2)
    for (const secret of [old, fresh]) expect(verify(secret, both)).toMatchObject({ type: 'lobby.deleted' })
    service.clock.advance(DAY)
    await endLobby()
    await service.settle()
    const alone = sent().at(-1)
    expect(alone?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
    expect(verify(fresh, alone)).toMatchObject({ type: 'lobby.deleted' })
    expect(() => verify(old, alone)).toThrow()
  })

  it('shows a match as its GET does, and goes to nobody else', async () => {
    await make({ types: ['match.found', 'match.started', 'match.ended'] })
    const other = await openStudio(service)
    await make({ url: 'https://other.example/' }, other)
    await makeQueue(service, studio)
    const [lobby] = await makeMatch(service, studio)
    await service.settle()
    const matchId = (await service.call(`GET /v1/lobbies/${lobby.lobby_id}`, by(studio))).body.match_id
    const shown = (await service.call(`GET /v1/matches/${matchId}`, by(studio))).body
    const [found, started] = sent().map(({ body }) => body)
    expect([found.type, started.type]).toEqual(['match.found', 'match.started'])
    expect(started.data).toEqual(shown)
    expect(found.data).toEqual({ ...shown, status: 'launching', version: 1, started_at: null })
    expect(new Set(sent().map(({ url }) => url))).toEqual(new Set([URL]))
  })

  it('is as the OpenAPI document describes it, type by type, with nothing besides', async () => {
    const { body: document } = await service.call('GET /openapi.json')
    expect(Object.keys(document.webhooks)).toEqual([...MESSAGE_TYPES, 'webhook.test'])
    const data = (type: string) =>
      document.webhooks[type].post.requestBody.content['application/json'].schema.properties.data
    expect(data('match.found')).toMatchObject({ $ref: '#/components/schemas/Match' })
    const { webhook_id: id } = await make()
    await makeQueue(service, studio)
    await makeMatch(service, studio)
    await endLobby()
    await service.call(`POST /v1/webhooks/${id}/test`, by(studio))
    await service.settle()
    const bodies = sent().map(({ body }) => body)
    expect(bodies.map(({ type }) => type).sort()).toEqual([
      'lobby.deleted',
      'match.found',
      'match.started',
      'webhook.test',
    ])
    for (const body of bodies) expect(WEBHOOK_BODIES[body.type]?.parse(body)).toEqual(body)
  })

  it('is sent again by hand under the same id, and a test by itself', async () => {
    const { webhook_id: id } = await make({ types: ['lobby.deleted'] })
    await makeQueue(service, studio)
    await endLobby()
    await service.settle()
    const on = `/v1/webhooks/${id}`
    const first = (await service.call(`GET ${on}/deliveries`, by(studio))).body.data[0]
    expect(first).toMatchObject({ webhook_id: id, type: 'lobby.deleted', status: 'delivered', next_attempt_at: null })
    expect(first.attempts).toEqual([
      { at: expect.any(String), status_code: 200, error: null, duration_ms: expect.any(Number) },
    ])
    await service.call(`PATCH ${on}`, by(studio, { enabled: false }))
    const again = await service.call(`POST ${on}/deliveries/${first.delivery_id}/redeliver`, by(studio))
    expect([again.status, again.body.message_id]).toEqual([202, first.message_id])
    expect(again.body.delivery_id).not.toBe(first.delivery_id)
    const test = await service.call(`POST ${on}/test`, by(studio))
    expect([test.status, test.body.status]).toEqual([202, 'pending'])
    await service.settle()
    expect(sent().map(({ headers }) => headers['webhook-id'])).toEqual([
      first.message_id,
      first.message_id,
      test.body.message_id,
    ])
    expect(sent().at(-1)?.body).toMatchObject({ type: 'webhook.test', data: { webhook_id: id } })
    const delivered = await service.call(`GET ${on}/deliveries?status=delivered&limit=2`, by(studio))
    expect([delivered.body.total, delivered.body.data.length]).toEqual([3, 2])
    expect((await service.call(`GET ${on}/deliveries?status=lost`, by(studio))).body.code).toBe('VALIDATION_FAILED')
    const unknown = await service.call(`POST ${on}/deliveries/dlv_none/redeliver`, by(studio))
    expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND'])
  })

  it('names an erased player no more, however often it is sent again', async () => {
    const { webhook_id: id } = await make({ types: ['lobby.deleted'] })
    await makeQueue(service, studio)
    await endLobby()
    await service.settle()
    expect(sent()[0]?.text).toContain('"ann"')
    await service.call('DELETE /v1/players/ann', by(studio))
    await service.settle()
    const [first] = (await service.call(`GET /v1/webhooks/${id}/deliveries`, by(studio))).body.data
    await service.call(`POST /v1/webhooks/${id}/deliveries/${first.delivery_id}/redeliver`, by(studio))
    await service.settle()
    expect(sent()).toHaveLength(2)
    expect(sent()[1]?.text).not.toContain('"ann"')
  })
})

function verify(secret: string, message: ReturnType<typeof sent>[number] | undefined): unknown {
  if (message === undefined) throw new Error('nothing was sent')
  // The library reads the clock of the machine, so it gets the same signature, made for the present time.
  const { 'webhook-id': id = '', 'webhook-timestamp': at = '', 'webhook-signature': signatures = '' } = message.headers
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const sign = (timestamp: string) =>
    `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${message.text}`).digest('base64')}`
  if (!signatures.split(' ').includes(sign(at))) throw new Error('no signature is of this secret')
  const now = String(Math.floor(Date.now() / 1000))
  return new Webhook(secret).verify(message.text, {
    'webhook-id': id,
    'webhook-timestamp': now,
    'webhook-signature': sign(now),
  })
}
