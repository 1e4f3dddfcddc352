import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { type AgentFacts, type Matchyard, ServiceError, type WantedCall } from '@matchyard/core'
import { AGENT_BATCH } from '@matchyard/core/domain'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { AGENT_HEADER, headerOf, MAX_AGENT_HEADER } from '../src/agents/agent-header'

import { AGENT_PLACES, Places } from '../src/agents/places'
import type { AppOptions, TellHolder } from '../src/options'
import { type Service, startService } from './harness/service'
import { type Listening, listen } from './harness/sockets'
import { StreamReader } from './harness/stream-reader'
import { makeBuild, openStudio } from './harness/studio'

const FACTS: AgentFacts = {
  agentId: 'agent_1',
  release: '0.1.0',
  regions: ['fra'],
  host: 'fra-1.example.com',
  limits: { maxServers: 4 },
  capabilities: { buildTypes: ['zip'], limitations: ['no cgroups'], keepsWarm: true, endsTls: false },
  beacons: [{ host: 'fra-1.example.com', udpPort: 7777 }],
}
const TOKEN = 'mt_live_right'
const CALL: WantedCall = { number: 1, call: 'stop', instanceId: 'srv_1', graceMs: 10_000 }
const BATCH = { session: 'ses_1', number: 1, answers: [{ number: 1, value: null }], hints: ['srv_1'] }

let listening: Listening | undefined
afterEach(async () => {
  await listening?.close()
  listening = undefined
})

type AgentCalls = Matchyard['agents']
type Connected = Parameters<AgentCalls['connect']>[0]

/** Starts a service whose machine `fra-1` has the token, with calls of agents that a test controls. */
async function start(calls: Partial<AgentCalls> = {}, app: AppOptions = {}) {
  const service: Service = await startService({ app })
  const connected: Connected[] = []
  let cuts = 0
  const agents: AgentCalls = {
    connect: async (input) => {
      connected.push(input)
      return {
        session: `ses_${connected.length}`,
        cut() {
          cuts++
        },
      }
    },
    hear: () => 'heard',
    holderOf: async () => undefined,
    needsBuild: async () => true,
    ...calls,
  }
  Object.assign(service.matchyard, { agents })
  Object.assign(service.matchyard.access, {
    authenticateMachine: async (token: string) => {
      if (token === TOKEN) return { machineId: 'fra-1' }
      throw new ServiceError('INVALID_MACHINE_TOKEN', 'this token is not valid')
    },
  })
  const post = (body: unknown, more = {}) => service.call('POST /v1/machine/observed', { token: TOKEN, body, ...more })
  const open = async (headers: Record<string, string> = {}) => {
    listening ??= await listen(service.app)
    return new StreamReader(`${listening.url}/v1/machine/wanted`, {
      headers: { authorization: `Bearer ${TOKEN}`, [AGENT_HEADER]: headerOf(FACTS), ...headers },
    })
  }
  return { service, connected, cuts: () => cuts, post, open }
}

test('an agent gets its session first, then the calls, and the reason of the end', async () => {
  const { connected, open, cuts } = await start({
    connect: async (input) => {
      input.send(CALL)
      connected.push(input)
      return { session: 'ses_1', cut: () => {} }
    },
  })
  const reader = await open()
  await reader.untilEvents(2)
  expect(connected).toMatchObject([{ machineId: 'fra-1', facts: FACTS }])
  expect(reader.headers['content-type']).toBe('text/event-stream')
  connected[0]?.onEnd('revoked')
  await reader.untilEnd()
  expect(reader.events.map(({ event, data }) => [event, data])).toEqual([
    ['session', { session: 'ses_1', machine_id: 'fra-1', heartbeat_ms: 15_000 }],
    ['call', CALL],
    ['end', { reason: 'revoked' }],
  ])
  expect(connected[0]?.send(CALL)).toBe(false)
  expect(cuts()).toBe(0)
})

test('an agent that disconnects is cut off, and its place is free', async () => {
  const { open, cuts, connected } = await start()
  for (let n = 1; n <= AGENT_PLACES.streams.perMachine + 2; n++) {
    const reader = await open()
    await reader.untilEvents(1)
    reader.cut()
    await until(() => cuts() === n)
  }
  expect(connected[0]?.send(CALL)).toBe(false)
})

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

test('what runs at the same time for one machine, and for all machines, has a bound', () => {
  const held: (() => void)[] = []
  const places = new Places('streams', { perMachine: 2, inAll: 3 })
  held.push(places.take('a'), places.take('a'))
  expect(() => places.take('a')).toThrow(/this machine has 2 streams/)
  held.push(places.take('b'))
  expect(() => places.take('c')).toThrow(/this node has 3 streams/)
  held[0]?.()
  held[0]?.()
  places.take('c')
  expect(() => places.take('d')).toThrow(/this node has 3/)
})

test('only the token of a machine reaches the routes of agents, and it reaches no others', async () => {
  const { service } = await start()
  const studio = await openStudio(service)
  const routes = ['GET /v1/machine/wanted', 'POST /v1/machine/observed', 'GET /v1/machine/builds/x']
  for (const route of [...routes, 'GET /v1/machine/builds/x/archive']) {
    const codes = []
    for (const options of [{}, { token: 'mt_live_wrong' }, { key: studio.server }, { token: studio.token }])
      codes.push((await service.call(route, options)).body.code)
    expect(codes).toEqual([
      'MISSING_CREDENTIALS',
      'INVALID_MACHINE_TOKEN',
      'CREDENTIAL_NOT_ALLOWED',
      'CREDENTIAL_NOT_ALLOWED',
    ])
  }
  for (const route of ['GET /v1/builds', 'GET /v1/machines', 'GET /v1/servers/self', 'POST /v1/lobbies'])
    expect((await service.call(route, { token: TOKEN })).body.code).toBe('CREDENTIAL_NOT_ALLOWED')
})

test('the properties of an agent are checked', async () => {
  const { service, connected } = await start()
  const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const wrong: [header: string | undefined, detail: RegExp][] = [
    [undefined, /matchyard-agent: is required/],
    ['not base64 !', /base64url of JSON/],
    [text({ agent_id: 'a b' }), /agent_id: must be letters/],
    ['A'.repeat(MAX_AGENT_HEADER + 1), /at most 8192 characters/],
  ]
  for (const [header, detail] of wrong) {
    const headers = header === undefined ? {} : { [AGENT_HEADER]: header }
    const { status, body } = await service.call('GET /v1/machine/wanted', { token: TOKEN, headers })
    expect([status, body.code, body.detail]).toEqual([400, 'VALIDATION_FAILED', expect.stringMatching(detail)])
  }
  expect(connected).toEqual([])
})

test('limitations of an agent are left out when the header would be too long', () => {
  const limitations = Array.from({ length: 50 }, (_, at) => `${at}`.padEnd(900, 'x'))
  const header = headerOf({ ...FACTS, capabilities: { ...FACTS.capabilities, limitations } })
  expect(header.length).toBeLessThanOrEqual(MAX_AGENT_HEADER)
  expect(header.length).toBeGreaterThan(MAX_AGENT_HEADER - 1_400)
})

test('a refused agent opens no stream', async () => {
  const { service } = await start({
    connect: () => Promise.reject(new ServiceError('CONFLICT', 'another agent is live')),
  })
  for (let n = 0; n <= AGENT_PLACES.streams.perMachine; n++) {
    const headers = { [AGENT_HEADER]: headerOf(FACTS) }
    const { status, body } = await service.call('GET /v1/machine/wanted', { token: TOKEN, headers })
    expect([status, body.detail]).toEqual([409, 'another agent is live'])
  }
})

test('a stream whose agent reads nothing ends before the backlog is too long', async () => {
  const { connected, open } = await start()
  const reader = await open()
  await reader.untilEvents(1)
  reader.stall()
  const [link] = connected
  const large: WantedCall = { number: 1, call: 'prepareImage', image: 'x'.repeat(1024 * 1024) }
  let sent = 0
  while (link?.send(large)) sent++
  expect(sent).toBe(31)
  expect(link?.send(CALL)).toBe(false)
})

test('a batch is taken in the form of the domain', async () => {
  const heard: unknown[] = []
  const { post } = await start({
    hear(input) {
      heard.push(input)
      return heard.length === 1 ? 'heard' : 'repeated'
    },
  })
  const load = { cpu_percent: 12, memory_mb: 900 }
  expect((await post({ ...BATCH, load })).body).toEqual({ taken: 'heard' })
  expect((await post(BATCH)).body).toEqual({ taken: 'repeated' })
  expect(heard).toEqual([
    { machineId: 'fra-1', batch: { ...BATCH, load: { cpuPercent: 12, memoryMb: 900 } } },
    { machineId: 'fra-1', batch: BATCH },
  ])
})

test('a faulty or too large batch is refused with a sentence', async () => {
  const { post } = await start()
  const faults: [batch: unknown, code: string][] = [
    [{ ...BATCH, number: 0 }, 'VALIDATION_FAILED'],
    [{ ...BATCH, answers: [{ number: 1 }] }, 'VALIDATION_FAILED'],
    [{ ...BATCH, answers: [{ number: 1, value: 1, error: 'x' }] }, 'VALIDATION_FAILED'],
    [{ ...BATCH, hints: Array(10_001).fill('') }, 'VALIDATION_FAILED'],
    [{ ...BATCH, session: 'x'.repeat(AGENT_BATCH.bytes) }, 'PAYLOAD_TOO_LARGE'],
  ]
  for (const [batch, code] of faults) expect((await post(batch)).body.code).toBe(code)
  const large = { ...BATCH, answers: [{ number: 1, value: 'x'.repeat(1024 * 1024) }] }
  expect((await post(large)).body).toEqual({ taken: 'heard' })
})

test('batches that arrive slowly take a few places, and are read only after the token', async () => {
  const { service, post } = await start()
  listening = await listen(service.app)
  const { port } = listening
  const send = (token: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': '100' }
    const sent = request({ port, path: '/v1/machine/observed', method: 'POST', headers })
    onTestFinished(() => void sent.destroy())
    sent.on('error', () => {})
    const status = new Promise<number | undefined>((resolve) => sent.on('response', (r) => resolve(r.statusCode)))
    sent.write('{')
    return status
  }
  expect(await send('mt_live_wrong')).toBe(401)
  const open = Array.from({ length: AGENT_PLACES.bodies.perMachine + 1 }, () => send(TOKEN))
  expect(await Promise.race(open)).toBe(503)
  expect((await post(BATCH)).body.code).toBe('UNAVAILABLE')
})

test('a batch for the stream of another node is passed to that node', async () => {
  const told: Parameters<TellHolder>[] = []
  let answer: Awaited<ReturnType<TellHolder>> = 'heard'
  let holder: string | undefined = 'http://node-2.internal'
  const { post } = await start(
    { hear: () => 'elsewhere', holderOf: async () => holder },
    {
      tellHolder: async (...input) => {
        told.push(input)
        return answer
      },
    },
  )
  expect((await post(BATCH)).body).toEqual({ taken: 'heard' })
  expect(told).toEqual([['http://node-2.internal', { machineId: 'fra-1', batch: BATCH }]])
  answer = 'elsewhere'
  expect((await post(BATCH)).status).toBe(503)
  holder = undefined
  expect((await post(BATCH)).body.code).toBe('UNAVAILABLE')
  expect(told.length).toBe(2)
  const alone = await start({ hear: () => 'elsewhere', holderOf: async () => 'http://node-2.internal' })
  expect((await alone.post(BATCH)).status).toBe(503)
})

test('an archive is found by the agents of machines that need it, and read whole or in parts', async () => {
  let isNeeded = true
  const { service } = await start({ needsBuild: async () => isNeeded })
  const studio = await openStudio(service)
  const build = await makeBuild(service, studio)
  const bytes = service.buildStore.archives.get(build.build_id) ?? new Uint8Array()
  const get = (path = '', headers = {}) =>
    service.call(`GET /v1/machine/builds/${build.build_id}${path}`, { token: TOKEN, headers })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const url = `/v1/machine/builds/${build.build_id}/archive`
  expect((await get()).body).toEqual({ url, size_bytes: bytes.length, sha256 })
  const whole = await get('/archive')
  expect([whole.status, whole.text, whole.headers.get('accept-ranges')]).toEqual([
    200,
    Buffer.from(bytes).toString(),
    'bytes',
  ])
  const part = await get('/archive', { range: 'bytes=1-9' })
  expect([part.status, part.text, part.headers.get('content-range')]).toEqual([
    206,
    Buffer.from(bytes.subarray(1)).toString(),
    `bytes 1-1/2`,
  ])
  for (const range of ['bytes=9999-', 'bytes=-1', 'bytes=2-1', 'pages=1-2', 'bytes=0-1,2-3'])
    expect((await get('/archive', { range })).status).toBe(200)

  service.buildStore.url = 'https://bucket.example.com/signed'
  expect((await get()).body.url).toBe('https://bucket.example.com/signed')
  isNeeded = false
  for (const path of ['', '/archive']) expect((await get(path)).body.code).toBe('BUILD_NOT_FOUND')
  expect(service.logger.lines.filter(({ message }) => message.includes('does not need')).length).toBe(2)
  isNeeded = true
  expect((await service.call('GET /v1/machine/builds/none', { token: TOKEN })).body.code).toBe('BUILD_NOT_FOUND')
})
