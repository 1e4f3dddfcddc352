import { mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAdmin } from '@matchyard/client/admin'
import { ERROR_CATALOGUE } from '@matchyard/core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, type TestContext } from 'vitest'
import { compileCpp, whyNoCpp } from '../../src/engines/cpp'
import { CPP_CLIENT_FILE, withErrorCodes } from '../../src/engines/error-codes'
import { TalkingProgram } from '../../src/engines/talking-program'
import { skipWithout } from '../../src/needs'
import { ServiceProcess } from '../../src/service-process'
import { bytesOf, eventOf, lobbyOf, STREAM, serverOf } from './cpp/servers'
import { Unreliable } from './godot/unreliable'
import { differences, jsonTexts } from './json-texts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const lacking = whyNoCpp()
const needsCpp = (context: TestContext) => {
  if (lacking !== undefined) skipWithout(context, 'a C++ compiler with libcurl', lacking)
}

describe('the C++ client', () => {
  const directory = mkdtempSync(join(tmpdir(), 'matchyard-cpp-'))
  const program = join(directory, 'driver')
  let service: ServiceProcess

  beforeAll(async () => {
    if (lacking !== undefined) return
    compileCpp(fileURLToPath(new URL('cpp/driver.cpp', import.meta.url)), program)
    service = await ServiceProcess.start(join(directory, 'service'), 0)
  }, 120_000)
  afterAll(async () => {
    if (lacking === undefined) await service.end('SIGINT')
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })

  /** Runs a scenario of the driver to its end, and returns its lines. */
  async function run(scenario: string, url = service.credentials.base_url, player = 'ann'): Promise<readonly string[]> {
    const driver = new TalkingProgram(program, [scenario, url, service.credentials.client_key, player])
    onTestFinished(() => driver.kill())
    expect(await driver.end()).toBe(0)
    return driver.said
  }
  it('names every code of the catalogue by its number', () => {
    const client = readFileSync(join(ROOT, CPP_CLIENT_FILE), 'utf8')
    expect(client).toContain('lobby_full = 4002,')
    expect(client, 'matchyard.hpp is out of date: run `npm run generate`').toBe(withErrorCodes(client, ERROR_CATALOGUE))
  })

  it('reads JSON as JSON.parse does, and refuses texts with several meanings', async (context) => {
    needsCpp(context)
    const texts = jsonTexts()
    const filter = new TalkingProgram(program, ['json'])
    for (const { text } of texts.all) filter.write(bytesOf(text).toString('hex'))
    expect(await filter.end()).toBe(0)
    const answers = filter.said.map((line) =>
      line.startsWith('read ') ? `read ${Buffer.from(line.slice('read '.length), 'hex').toString('base64')}` : line,
    )
    expect(differences(texts.all, answers), `seed ${texts.seed}`).toEqual([])
  })

  it('reads 64 levels of JSON, and no more', async (context) => {
    needsCpp(context)
    const filter = new TalkingProgram(program, ['json'])
    for (const levels of [64, 65, 100_000])
      filter.write(Buffer.from('['.repeat(levels) + ']'.repeat(levels)).toString('hex'))
    expect(await filter.end()).toBe(0)
    expect(filter.said.map((line) => line.split(' ')[0])).toEqual(['read', 'refused', 'refused'])
  })

  it('repeats calls with one key over a bad network, and reports refusals by their codes', async (context) => {
    needsCpp(context)
    const faults = { 'POST /v1/lobbies': ['lost', 'busy', 'garbage'] } as const
    const proxy = await Unreliable.before(service.credentials.base_url, ({ method, path }, attempt) =>
      `${method} ${path}` === 'POST /v1/lobbies' ? faults['POST /v1/lobbies'][attempt - 1] : undefined,
    )
    onTestFinished(() => proxy.close())
    expect(await run('calls', proxy.url, 'é, dan')).toEqual([
      'waiting Dans Zuhause é "1" 1',
      '{"mmr":1500,"role":"tank"}',
      'the same lobby',
      'in_queue',
      'waiting',
      'waiting',
      'no version',
      'error 4001 LOBBY_NOT_FOUND 404 ',
      'typed',
      'error 5008 MATCH_NOT_FOUND 404 ',
    ])
    const creations = proxy.seen.filter(({ method, path }) => method === 'POST' && path === '/v1/lobbies')
    expect(creations).toHaveLength(4)
    expect(new Set(creations.map(({ key }) => key)).size).toBe(1)
    expect(creations[0]?.key).toMatch(/^[0-9a-f]{32}$/)
    const changes = proxy.seen.filter(({ method, key }) => method !== 'GET' && key !== creations[0]?.key)
    expect(new Set(changes.map(({ key }) => key)).size).toBe(changes.length)
  })

  it('reports why a search ended, and that its own time is over', async (context) => {
    needsCpp(context)
    for (const way of ['searches', 'polled'])
      expect(await run(way, undefined, 'eve')).toEqual(['error -6  0 cancelled', 'error -7  0 '])
  })

  it('resumes a stream that was cut, and passes each version on once, in order', async (context) => {
    needsCpp(context)
    const resumed: (string | undefined)[] = []
    const url = await serverOf((request, response) => {
      resumed.push(request.headers['last-event-id'] as string | undefined)
      response.writeHead(200, STREAM)
      response.write(`retry: 2000\n\n: a comment\n\n${resumed.length === 1 ? eventOf(1, {}, 'connected') : eventOf(2)}`)
      const [before, after] = [eventOf(3).slice(0, 40), eventOf(3).slice(40)]
      if (resumed.length === 1) response.write(`${eventOf(2)}${before}`, () => response.destroy())
      // A carriage return ends a line as well, and a text may be cut within a character.
      else
        response.write(before.replaceAll('\n', '\r\n'), () =>
          response.end(`${after}${eventOf(4).replaceAll('\n', '\r')}`),
        )
    })
    expect(await run('follow', url)).toEqual(['version 1', 'version 2', 'version 3', 'version 4'])
    expect(resumed).toEqual([undefined, '2'])
  })

  it('polls where the network holds streams back', async (context) => {
    needsCpp(context)
    const asked: string[] = []
    const url = await serverOf((request, response) => {
      asked.push(request.url ?? '')
      if (request.url?.endsWith('/events')) return response.writeHead(200, STREAM)
      const version = asked.length - 3
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(lobbyOf(version)))
    })
    expect(await run('held', url)).toEqual(['version 1', 'version 2', 'version 3', 'version 4'])
    expect(asked.slice(0, 4)).toEqual([
      ...Array(3).fill('/v1/lobbies/lob_1/events'),
      '/v1/lobbies/lob_1?after_version=0&wait=20',
    ])
  })

  it('reports the end of a lobby, and refusals of a stream', async (context) => {
    needsCpp(context)
    const deleted = await serverOf((_request, response) =>
      response.writeHead(200, STREAM).end(eventOf(1, {}, 'connected') + eventOf(2, {}, 'lobby_deleted')),
    )
    expect(await run('follow', deleted)).toEqual(['version 1', 'error 4001 LOBBY_NOT_FOUND 0 '])
    expect(await run('follow')).toEqual(['error 4001 LOBBY_NOT_FOUND 404 '])
  })

  it('reads no more of a stream than fits into its bound, and loses no event', async (context) => {
    needsCpp(context)
    const url = await serverOf((_request, response) => {
      response.writeHead(200, STREAM)
      for (let version = 1; version <= 300; version++) response.write(eventOf(version, { name: 'x'.repeat(10_000) }))
      response.write(eventOf(301, { status: 'in_queue' }))
    })
    const [said = ''] = await run('burst', url)
    const [, kilobytes] = /^301 versions in (\d+) kB$/.exec(said) ?? []
    // The stream has 3 MB, the bound is 100 kB. Without it, libcurl alone brings 1.6 MB in one turn.
    expect(Number(kilobytes), said).toBeLessThan(400)
    const large = await serverOf((_request, response) => {
      response.writeHead(200, STREAM).write(eventOf(1, { name: 'x'.repeat(200_000) }))
    })
    expect(await run('burst', large)).toEqual(['error -3  0 '])
  })

  it('plays a match that both players accept; a player who declines waits before the next search', async (context) => {
    needsCpp(context)
    const { base_url: baseUrl, server_key: serverKey } = service.credentials
    await createAdmin({ baseUrl, serverKey }).queues.ensure({
      queue_id: 'checked',
      name: 'Checked',
      matchmaking: { teams: 2, players_per_team: 1, ready_check: { timeout: 60, penalty: 600 } },
    })
    const both = await Promise.all([run('accept', undefined, 'cat'), run('accept', undefined, 'dan')])
    expect(both).toEqual([['in_game 2 teams'], ['in_game 2 teams']])
    const other = new TalkingProgram(program, ['accept', baseUrl, service.credentials.client_key, 'eve'])
    onTestFinished(() => other.kill())
    expect(await run('decline', undefined, 'fay')).toEqual(['error -6  0 declined'])
    expect(await run('decline', undefined, 'fay')).toEqual(['error 5012 PLAYER_COOLING_DOWN 409 '])
  })

  it('bounds the bytes of an answer and the time of a call, and ends a call that is stopped', async (context) => {
    needsCpp(context)
    const large = await serverOf((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (response.write(`"${'x'.repeat(16_384)}"`));
      }
      response.on('drain', more)
      more()
    })
    expect(await run('large', large)).toEqual(['error -3  0 '])
    const silent = await serverOf(() => {})
    expect(await run('silent', silent)).toEqual(['error -2  0 '])
    expect(await run('stop', silent)).toEqual(['error -1  0 '])
  })

  it('fetches another player token once when the service refuses it', async (context) => {
    needsCpp(context)
    const seen: (string | undefined)[] = []
    const serving = (accepted: string) =>
      serverOf(({ headers }, response) => {
        seen.push(`${headers.authorization} ${headers['x-player-id'] ?? ''}`)
        if (headers.authorization === accepted)
          return response.writeHead(200, { 'content-type': 'application/json' }).end('{"player_id":"ann"}')
        const problem = { code: 'INVALID_PLAYER_TOKEN', number: 1011, detail: 'The token has expired.' }
        return response.writeHead(401, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem))
      })
    expect(await run('renew', await serving('Bearer new'))).toEqual(['{"player_id":"ann"}'])
    expect(seen).toEqual(['Bearer old ', 'Bearer new '])
    expect(await run('renew', await serving('Bearer newer'))).toEqual(['error 1011 INVALID_PLAYER_TOKEN 401 '])
    expect(seen).toHaveLength(4)
  })

  it('refuses options that cannot be sent, and answers of another server', async (context) => {
    needsCpp(context)
    expect(await run('me', undefined, 'ann\r\nx-player-id: eve')).toEqual(['error -5  0 '])
    expect(await run('me', undefined, ' ann')).toEqual(['error -5  0 '])
    expect(await run('me', 'ftp://127.0.0.1')).toEqual(['error -5  0 '])
    const other = await serverOf((_request, response) => response.writeHead(404).end('<html>nothing here</html>'))
    expect(await run('me', other)).toEqual(['error -4  404 '])
    const redirect = await serverOf((_request, response) => response.writeHead(302, { location: other }).end())
    expect(await run('me', redirect)).toEqual(['error -4  302 '])
  })
})
