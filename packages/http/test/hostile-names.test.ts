import { beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from './harness/service'
import { makeLobby, makeMatch, makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio

beforeAll(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeQueue(service, studio)
})

const CODE = '\u001b]0;x\u0007'

describe('names with characters that terminals obey', () => {
  const server = () => ({ key: studio.server })
  const session = () => ({ token: studio.token })
  test.each([
    ['POST /v1/auth/register', () => ({}), { email: 'x@y.example', password: 'long enough', name: CODE }, 'name'],
    ['POST /v1/projects', session, { name: CODE }, 'name'],
    ['POST /v1/lobbies', () => ({ key: studio.client, player: 'p1' }), { queue_id: 'duel', name: CODE }, 'name'],
    ['POST /v1/queues', server, { queue_id: 'two', name: CODE }, 'name'],
    ['PATCH /v1/queues/duel', server, { name: `a\u202eb` }, 'name'],
    ['POST /v1/servers', server, { version_tag: 'arena', region: 'iad', tier: '1x-1g', name: CODE }, 'name'],
    ['POST /v1/builds/upload-url', server, { name: CODE, executable_path: 'server' }, 'name'],
    [
      'POST /v1/webhooks',
      server,
      { url: 'https://studio.example/hook', types: ['lobby.created'], description: CODE },
      'description',
    ],
  ] as const)('%s refuses, and names the field', async (route, caller, body, field) => {
    const answer = await service.call(route, { ...caller(), body })
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(answer.body.details.issues).toContainEqual({ path: field, message: expect.stringMatching(/^must /) })
  })

  test('keys and names that change are refused as well', async () => {
    const minted = await service.call(`POST /v1/projects/${studio.projectId}/keys`, {
      ...session(),
      body: { type: 'client', name: CODE },
    })
    expect(minted.body).toMatchObject({ code: 'VALIDATION_FAILED', details: { issues: [{ path: 'name' }] } })
    const lobby = await makeLobby(service, studio, 'p2')
    const renamed = await service.call(`PATCH /v1/lobbies/${lobby.lobby_id}/settings`, {
      key: studio.client,
      player: 'p2',
      body: { name: '\u2066x' },
    })
    expect(renamed.body).toMatchObject({ code: 'VALIDATION_FAILED', details: { issues: [{ path: 'name' }] } })
  })
})

let external = 0
test.each(['javascript:alert(1)', 'studio.example/x', 'studio.example:1', '1.2.3.4.5'])(
  'a server of your own is at no host %s',
  async (host) => {
    const queue = { queue_id: `external_${external++}`, server_settings: { source: 'external' } }
    await makeQueue(service, studio, queue)
    const [lobby] = await makeMatch(service, studio, queue.queue_id)
    const answer = await service.call(`POST /v1/matches/${lobby?.match_id}/server`, {
      key: studio.server,
      body: { host, ports: [{ name: 'game', port: 27_015 }] },
    })
    expect(answer.body).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { issues: [{ path: 'host', message: expect.stringMatching(/^must be a host name/) }] },
    })
  },
)

describe('bodies that are wrong in thousands of ways', () => {
  const create = (body: unknown) => service.call('POST /v1/lobbies', { key: studio.client, player: 'p1', body })
  const names = (count: number, of: (n: number) => string) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [of(n), 1]))

  test('are told their first twenty unknown fields, eight of them with the name that was meant', async () => {
    const { body } = await create({ queue_id: 'duel', ...names(4_000, (n) => `nam${n}`) })
    const { issues } = body.details
    expect(issues).toHaveLength(20)
    const hints = issues.filter(({ message }: { message: string }) => message.includes('did you mean'))
    expect(hints).toHaveLength(8)
    expect(body.detail).toMatch(/ \(and 3999 more\)$/)
  })

  test('are answered in a few kB, however long the names are that they hold', async () => {
    const { text } = await create({ queue_id: 'duel', ...names(3, (n) => `${n}`.padEnd(20_000, 'x')) })
    expect(text.length).toBeLessThan(8_000)
    const longQueue = await create({ queue_id: 'q'.repeat(60_000) })
    expect([longQueue.status, longQueue.text.length < 4_000]).toEqual([404, true])
  })

  test.each([
    ['too deep', '['.repeat(60_000)],
    ['deep and closed', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['a long number', `{"queue_id":${'9'.repeat(60_000)}}`],
    ['one name again and again', `{${'"name":1,'.repeat(6_000)}"name":1}`],
  ])('%s is VALIDATION_FAILED', async (_, raw) => {
    const answer = await service.call('POST /v1/lobbies', {
      key: studio.client,
      player: 'p1',
      raw,
      headers: { 'content-type': 'application/json' },
    })
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(answer.text.length).toBeLessThan(8_000)
  })
})
