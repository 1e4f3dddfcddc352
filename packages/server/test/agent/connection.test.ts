import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FakeClock, FakeLogger } from '@matchyard/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { Connection } from '../../src/agent/connection'
import { connectionFault, ServiceCalls } from '../../src/agent/service-calls'

const SESSION = 'event: session\ndata: {"session":"ses_1","machine_id":"fra-1","heartbeat_ms":15000}\n\n'
const CALL = 'event: call\ndata: {"number":1,"call":"prune"}\n\n'

/** Starts a service on a real socket, and an agent whose time advances only when the test says so. */
async function connected(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [clock, logger] = [new FakeClock(), new FakeLogger()]
  const heard: string[] = []
  const connection = new Connection({
    calls: new ServiceCalls(url, 'mt_live_secret'),
    hands: {
      begin: (session) => void heard.push(`begin ${session}`),
      hear: ({ number, call }) => void heard.push(`hear ${number} ${call}`),
      end: () => void heard.push('end'),
    },
    facts: 'e30',
    timers: clock,
    random: { int: () => 0 },
    logger,
    onJoined: ({ machineId }) => void heard.push(`joined ${machineId}`),
  })
  const running = connection.run()
  onTestFinished(async () => {
    connection.stop()
    await running
    server.close()
    server.closeAllConnections()
  })
  const lines = () => logger.lines.filter(({ level }) => level !== 'debug').map(({ message }) => message)
  return { clock, heard, lines, connection, running }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

const begin = (response: ServerResponse, text = SESSION) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(text)
}

test('an agent passes calls on, and opens the stream again when it ends', async () => {
  const requests: { token: string | undefined; facts: unknown }[] = []
  const { clock, heard } = await connected((request, response) => {
    requests.push({ token: request.headers.authorization, facts: request.headers['matchyard-agent'] })
    begin(response, `: ping\n\n${SESSION}${CALL}event: later\ndata: {}\n\n`)
    response.end('event: end\ndata: {"reason":"stopped"}\n\n')
  })
  await until(() => heard.length === 4)
  expect(heard).toEqual(['begin ses_1', 'joined fra-1', 'hear 1 prune', 'end'])
  await until(() => clock.nextTimerAt() !== undefined)
  clock.advance(49)
  expect(requests.length).toBe(1)
  clock.advance(1)
  await until(() => heard.length === 8)
  expect(requests).toEqual(Array(2).fill({ token: 'Bearer mt_live_secret', facts: 'e30' }))
})

test.each([
  [401, 'INVALID_MACHINE_TOKEN', 'the service does not accept the token of this machine: the token was revoked'],
  [409, 'CONFLICT', 'the service refuses this agent: the token was revoked'],
])('an agent that is refused with %i says so once, and tries again after 30 s', async (status, code, sentence) => {
  let requests = 0
  const { clock, lines } = await connected((_, response) => {
    requests++
    response.writeHead(status).end(JSON.stringify({ code, detail: 'the token was revoked' }))
  })
  for (let tries = 1; tries <= 3; tries++) {
    await until(() => requests === tries && clock.nextTimerAt() === clock.now() + 30_000)
    expect(lines()).toEqual([sentence])
    clock.advance(30_000)
  }
})

test('an agent without an answer waits longer and longer, and as long as the service asks', async () => {
  let requests = 0
  const { clock, lines } = await connected((_, response) => {
    requests++
    if (requests === 8) response.writeHead(503, { 'retry-after': '20' }).end()
    else response.socket?.destroy()
  })
  const waits: number[] = []
  for (let tries = 1; tries <= 8; tries++) {
    await until(() => requests === tries && (clock.nextTimerAt() ?? clock.now() + 15_000) !== clock.now() + 15_000)
    const wait = (clock.nextTimerAt() ?? 0) - clock.now()
    waits.push(wait)
    clock.advance(wait)
  }
  expect(waits).toEqual([50, 100, 200, 400, 800, 1_600, 2_500, 20_000])
  expect(lines()[0]).toMatch(/^the service is not reached: the connection failed/)
})

test('a silent stream is opened again after two and a half heartbeats', async () => {
  let requests = 0
  const { clock, heard } = await connected((_, response) => {
    requests++
    begin(response)
  })
  await until(() => heard.includes('joined fra-1') && clock.nextTimerAt() !== undefined)
  await new Promise((resolve) => setImmediate(resolve))
  clock.advance(37_499)
  expect(heard).not.toContain('end')
  clock.advance(1)
  await until(() => heard.includes('end'))
  await until(() => clock.nextTimerAt() !== undefined)
  clock.advance(5_000)
  await until(() => requests === 2)
})

test.each([
  ['ECONNREFUSED', /^no program listens at its address and port \(ECONNREFUSED\)$/],
  ['ERR_SSL_WRONG_VERSION_NUMBER', /^its port speaks no TLS; .* http:\/\/ \(ERR_SSL_WRONG_VERSION_NUMBER\)$/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /^no known authority has signed its certificate; .*NODE_EXTRA_CA_CERTS/],
  ['UND_ERR_SOCKET', /^the connection failed \(UND_ERR_SOCKET\)$/],
  [undefined, /^the connection failed$/],
])('a connection that fails with %s is told in a sentence', (code, sentence) => {
  expect(connectionFault(new TypeError('fetch failed', { cause: { code } }))).toMatch(sentence)
})

test('an address that is no service is told as one', async () => {
  const { lines } = await connected((_, response) => void response.writeHead(404).end('Not Found'))
  await until(() => lines().length === 1)
  expect(lines()).toEqual([
    'the service is not reached: it answered with the status 404; MATCHYARD_URL must be the address of a Matchyard service',
  ])
})

test('an answer that is no stream of events, and a redirect, are told in a sentence', async () => {
  let requests = 0
  const { clock, lines } = await connected((_, response) => {
    requests++
    if (requests === 1) response.writeHead(301, { location: 'https://elsewhere.example.com' }).end()
    else begin(response, `event: call\ndata: ${'x'.repeat(1024 * 1024 + 1)}`)
  })
  await until(() => lines().length === 1)
  await until(() => clock.nextTimerAt() === clock.now() + 50)
  clock.advance(50)
  await until(() => lines().length === 2)
  expect(lines()).toEqual([
    'the service is not reached: it redirects to another address (status 301); set MATCHYARD_URL to that address',
    'the stream of the service broke off: an event has more than 1048576 characters',
  ])
})

test('an agent whose place was taken waits, and one whose batches are not taken opens the stream anew', async () => {
  let requests = 0
  const { clock, heard, lines, connection } = await connected((_, response) => {
    requests++
    begin(response)
    if (requests === 1) response.write('event: end\ndata: {"reason":"replaced"}\n\n')
  })
  await until(() => lines().length === 1)
  expect(lines()).toEqual(['the service ended the stream of this agent: replaced'])
  await until(() => clock.nextTimerAt() === clock.now() + 2_500)
  clock.advance(2_500)
  await until(() => heard.filter((one) => one === 'joined fra-1').length === 2)
  for (let n = 0; n < 4; n++) connection.noteBatch(false)
  connection.noteBatch(true)
  for (let n = 0; n < 5; n++) connection.noteBatch(false)
  await until(() => heard.filter((one) => one === 'end').length === 2)
})

test('a stop ends the stream at once', async () => {
  const { heard, connection, running } = await connected((_, response) => begin(response))
  await until(() => heard.includes('joined fra-1'))
  connection.stop()
  await running
  expect(heard.at(-1)).toBe('end')
})
