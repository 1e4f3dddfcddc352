import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENDPOINTS } from '../src/index'
import { isStream, routeFinder } from '../src/route-table'
import { type Service, startService } from './harness/service'
import { type Listening, listen, rawExchange } from './harness/sockets'
import { makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

// The short way answers requests of Node's own parser without Hono. Two services receive the same requests, each by one
// of the two ways. Their answers must be equal, byte for byte.
const ROUNDS = 4 * Number(process.env.MATCHYARD_PROVE ?? 100)

interface Side {
  readonly service: Service
  readonly studio: Studio
  readonly lobbyId: string
  readonly listening: Listening
}
let sides: readonly [Side, Side]

beforeAll(async () => {
  sides = [await sideOf('short'), await sideOf('fetch')]
})
afterAll(() => Promise.all(sides.map(({ listening }) => listening.close())))

async function sideOf(way: 'short' | 'fetch'): Promise<Side> {
  const service = await startService({ app: { controlPlaneOrigins: ['https://console.example'] } })
  const studio = await openStudio(service)
  await makeQueue(service, studio)
  const lobby = await makeLobby(service, studio)
  return { service, studio, lobbyId: lobby.lobby_id, listening: await listen(service.app, way) }
}

/** A request, with names in place of the values that differ between the sides. */
interface Sent {
  readonly method: string
  readonly target: string
  readonly headers: readonly string[]
  readonly body: string
}

async function answerOf({ studio, lobbyId, listening }: Side, sent: Sent): Promise<string> {
  const filled = (text: string) =>
    text.replaceAll('LOBBY', lobbyId).replaceAll('CLIENT', studio.client).replaceAll('SERVER', studio.server)
  const head = [`${sent.method} ${filled(sent.target)} HTTP/1.1`, ...sent.headers.map(filled), 'connection: close']
  const answer = await rawExchange(listening.port, Buffer.from([...head, '', sent.body].join('\r\n'), 'latin1'))
  return sorted(answer)
    .replaceAll(lobbyId, 'LOBBY')
    .replaceAll(studio.projectId, 'PROJECT')
    .replaceAll(studio.accountId, 'ACCOUNT')
    .replaceAll(/req_[0-9a-f]{32}/g, 'REQUEST')
    .replaceAll(/[0-9A-HJKMNP-TV-Z]{26}/g, 'ULID')
    .replaceAll(String(listening.port), 'PORT')
}

/**
 * Returns an answer without the differences that are allowed: the order of headers, the case of their names, and the
 * `date` header.
 */
function sorted(answer: string): string {
  const [head = '', ...body] = answer.split('\r\n\r\n')
  const [status = '', ...headers] = head.split('\r\n')
  const names = headers.map((header) => header.replace(/^[^:]+/, (name) => name.toLowerCase()))
  return [status, ...names.filter((header) => !header.startsWith('date:')).sort(), '', ...body].join('\n')
}

const PATHS = [
  '/v1/lobbies',
  '/v1/lobbies/LOBBY',
  '/v1/lobbies/LOBBY/join',
  '/v1/lobbies/LOBBY/leave',
  '/v1/lobbies/LOBBY/queue',
  '/v1/lobbies/quick-join',
  '/v1/lobbies/%4C/x',
  '/v1/lobbies/../queues',
  '/v1/lobbies/a.b',
  '/v1/lobbies/.',
  '/v1/lobbies//join',
  '/v1/lobbies/',
  '/v1//lobbies',
  '/v1/lobbies/\u00e9',
  `/v1/lobbies/${'x'.repeat(600)}`,
  '/v1/queues',
  '/v1/queues/duel',
  '/v1/queues/duel/stats',
  '/v1/builds/upload-url',
  '/v1/servers',
  '/v1/projects',
  '/v1/billing/usage',
  '/v1/nothing',
  '/livez',
  '/',
  'http://other.example/v1/queues',
  '*',
]
const QUERIES = [
  '',
  '',
  '',
  '?',
  '?limit=1',
  '?limit=1&limit=2',
  '?limit=x',
  '?state[a]=b',
  '?name=a%20b+c',
  '?x=1#y',
  "?name='",
]
const HEADERS = [
  ['host: localhost'],
  ['host: localhost:80'],
  ['host: UPPER.example'],
  ['host: [::1]:80'],
  ['host: a b'],
  ['host: localhost', 'api-key: nothing'],
  ['host: localhost', 'api-key: CLIENT'],
  ['host: localhost', 'api-key: CLIENT', 'x-player-id: ann'],
  ['host: localhost', 'api-key: CLIENT', 'x-player-id: ann', 'x-player-id: bob'],
  ['host: localhost', 'api-key: CLIENT', 'x-player-id: J\u00c3\u00bcrgen', 'origin: https://console.example'],
  ['host: localhost', 'api-key: CLIENT', 'api-key: SERVER'],
  ['host: localhost', 'api-key: SERVER'],
  ['host: localhost', 'api-key: SERVER', 'idempotency-key: 0123456789abcdef'],
  ['host: localhost', 'authorization: Bearer x', 'authorization: Bearer y'],
  ['host: localhost', 'api-key: CLIENT', 'x-player-id: cid', 'x-request-id: mine', 'origin: https://elsewhere.example'],
]
const TYPES = [
  ['content-type: application/json'],
  ['content-type: application/json; charset=utf-8'],
  ['content-type: text/plain'],
  ['content-type: application/json', 'content-type: text/plain'],
  ['content-type: application/json', 'content-encoding: gzip'],
  [],
]
const BODIES = [
  '',
  '',
  '{}',
  '{"queue_id":"duel"}',
  '{"queue_id":"duel","name":"\u00c3\u00a9","max_players":3}',
  '{"queue_id":"duel","extra":1}',
  '{"name":"arena","executable_path":"server"}',
  '{"queue_id":',
  'null',
  '[]',
  '"\u00ff"',
  '{"__proto__":1}',
]
const arbitrarySent: fc.Arbitrary<Sent> = fc
  .record({
    method: fc.constantFrom('GET', 'GET', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'BREW'),
    path: fc.constantFrom(...PATHS),
    query: fc.constantFrom(...QUERIES),
    headers: fc.constantFrom(...HEADERS),
    type: fc.constantFrom(...TYPES),
    body: fc.constantFrom(...BODIES),
    chunked: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0),
  })
  // Node's own parser refuses such a method, so neither way sees it.
  .filter(({ method }) => method !== 'BREW')
  .map(({ method, path, query, headers, type, body, chunked }) => {
    const length = chunked ? 'transfer-encoding: chunked' : `content-length: ${Buffer.byteLength(body, 'latin1')}`
    const sized = chunked ? `${body.length === 0 ? '' : `${body.length.toString(16)}\r\n${body}\r\n`}0\r\n\r\n` : body
    return { method, target: path + query, headers: [...headers, ...type, length], body: sized }
  })

describe('the short way', () => {
  test('answers whatever is sent as the way over fetch does', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySent, async (sent) => {
        const [short, byFetch] = await Promise.all(sides.map((side) => answerOf(side, sent)))
        expect(short).toBe(byFetch)
      }),
      { numRuns: ROUNDS },
    )
  })

  test('answers what is common itself, and leaves streams, uploads and unusual addresses to fetch', async () => {
    const taken: string[] = []
    const [{ service, studio, lobbyId }] = sides
    const spied = await listen({
      ...service.app,
      fetch: service.app.fetch,
      answer: (incoming, outgoing) => {
        const own = service.app.answer(incoming, outgoing)
        taken.push(`${incoming.method} ${incoming.url?.replace(lobbyId, 'LOBBY')} ${own}`)
        return own
      },
    } as typeof service.app)
    const call = (path: string, init: RequestInit = {}) =>
      fetch(`${spied.url}${path}`, { ...init, headers: { 'api-key': studio.client, 'x-player-id': 'ann' } })
    await call(`/v1/lobbies/${lobbyId}`)
    await call(`/v1/lobbies/${lobbyId}`, { method: 'HEAD' })
    await call('/v1/lobbies?limit=1')
    await call('/v1/lobbies/%4C')
    await call('/v1/uploads/x', { method: 'PUT', body: 'PK' })
    await call('/livez')
    const stream = await call(`/v1/lobbies/${lobbyId}/events`)
    await stream.body?.cancel()
    await spied.close()
    expect(taken).toEqual([
      'GET /v1/lobbies/LOBBY true',
      'HEAD /v1/lobbies/LOBBY false',
      'GET /v1/lobbies?limit=1 true',
      'GET /v1/lobbies/%4C false',
      'PUT /v1/uploads/x false',
      'GET /livez false',
      'GET /v1/lobbies/LOBBY/events false',
    ])
  })
})

describe('a route finder', () => {
  const routes = ENDPOINTS.filter(({ operation }) => !isStream(operation)).map(({ method, path, operation }) => ({
    method: method.toUpperCase(),
    path,
    value: operation as string,
  }))
  const find = routeFinder(routes)

  test('finds every route with the values of its parameters', () => {
    for (const { method, path, value } of routes) {
      const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '')
      const found = find(method, path.replaceAll(/\{([^}]+)\}/g, 'of-$1'))
      expect([found?.value, found?.params]).toEqual([
        value,
        Object.fromEntries(names.map((name) => [name, `of-${name}`])),
      ])
    }
  })

  test('goes back from a literal that leads nowhere to the parameter beside it', () => {
    const small = routeFinder([
      { method: 'GET', path: '/a/{id}/c', value: 'by id' },
      { method: 'GET', path: '/a/b/d', value: 'literal' },
    ])
    expect(small('GET', '/a/b/c')).toEqual({ value: 'by id', params: { id: 'b' } })
    expect(small('GET', '/a/b/d')).toEqual({ value: 'literal', params: {} })
    expect([small('POST', '/a/b/c'), small('GET', '/a//c'), small('GET', '/a/b'), small('GET', '/a/b/c/')]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})
