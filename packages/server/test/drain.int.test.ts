import { once } from 'node:events'
import { Agent, createServer, request, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { FakeClock, FakeLogger } from '@matchyard/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { MAX_DRAIN_SECONDS } from '../src/config/environment'
import { Connections } from '../src/service/connections'
import { Drain } from '../src/service/drain'
import { drainTimes, withinTheTime } from '../src/service/shutdown'
import { until } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { startServe } from './harness/services'

/**
 * Sends one request on an agent's connection. Resolves with the `connection` header of the answer, or with the reason
 * why there was no answer.
 */
function ask(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(url, { agent })
    sent.once('response', (answer) => {
      answer.resume()
      answer.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'broken'))
      answer.once('end', () => resolve(answer.headers.connection ?? 'none'))
    })
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'broken'))
    sent.end()
  })
}

const keptConnection = () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return agent
}

/** Starts a server whose answers the test sends. */
async function heldServer(): Promise<{ server: Server; drain: Drain; url: string; next(): Promise<ServerResponse> }> {
  const asked: ServerResponse[] = []
  const waiting: ((response: ServerResponse) => void)[] = []
  const server = createServer((_request, response) => {
    const taker = waiting.shift()
    if (taker === undefined) asked.push(response)
    else taker(response)
  })
  const drain = new Drain(server, new Connections(server))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => server.closeAllConnections())
  return {
    server,
    drain,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    next: async () => asked.shift() ?? new Promise((resolve) => waiting.push(resolve)),
  }
}

test('what is in hand is answered, is the last on its connection, and then the door is closed', async () => {
  const { drain, url, next } = await heldServer()
  const kept = keptConnection()
  const first = ask(url, kept)
  ;(await next()).end('before')
  expect(await first).toBe('keep-alive')
  const second = ask(url, kept)
  const response = await next()
  const closed = drain.close(60_000)
  const newcomer = ask(url, keptConnection())
  ;(await next()).end('still here')
  expect(await newcomer).toBe('close')
  response.end('the last one')
  expect(await second).toBe('close')
  await closed
  expect(await ask(url, kept)).toBe('ECONNREFUSED')
})

test('a connection that was opened ahead, and on which nothing was ever said, is not waited for', async () => {
  const { server, drain, url } = await heldServer()
  const ahead = connect(Number(new URL(url).port), '127.0.0.1')
  await Promise.all([once(server, 'connection'), once(ahead, 'connect')])
  const ended = once(ahead.resume(), 'close')
  // The drain must not wait for the whole hour.
  await drain.close(3_600_000)
  await ended
})

test('what is not answered in time is cut off', async () => {
  const { drain, url, next } = await heldServer()
  const never = ask(url, keptConnection())
  await next()
  await drain.close(0)
  expect(await never).toBe('ECONNRESET')
})

test('SIGTERM cuts off none of 32 callers who call without a pause on connections that they keep', async () => {
  const { command, url } = await startServe(temporaryFolder(), { ORCHESTRATOR: 'none' })
  let answers = 0
  let onAnswer = () => {}
  const caller = async () => {
    const agent = keptConnection()
    for (;;) {
      const came = await ask(`${url}/v1/projects`, agent)
      if (came !== 'keep-alive' && came !== 'close') return came
      answers++
      onAnswer()
    }
  }
  const callers = Array.from({ length: 32 }, caller)
  await new Promise<void>((resolve) => {
    onAnswer = () => {
      if (answers >= 200) resolve()
    }
  })
  command.signal('SIGTERM')
  expect(new Set(await Promise.all(callers))).toEqual(new Set(['ECONNREFUSED']))
  expect(await command.exited).toMatchObject({ code: 0 })
})

test('a stop is told of by /readyz at once, while everything is answered as before for DRAIN_SECONDS', async () => {
  const { command, call } = await startServe(temporaryFolder(), { ORCHESTRATOR: 'none', DRAIN_SECONDS: '2' })
  expect((await call('GET /readyz')).status).toBe(200)
  command.signal('SIGTERM')
  const refusal = await until('it says that it is on its way out', async () => {
    const { status, body } = await call('GET /readyz')
    return status === 503 ? body : undefined
  })
  expect(refusal).toMatchObject({ code: 'UNAVAILABLE', detail: 'the service is shutting down' })
  expect((await call('GET /livez')).status).toBe(200)
  expect((await call('GET /v1/projects')).status).toBe(401)
  expect(await command.exited).toMatchObject({ code: 0 })
})

test('however long a stop takes calls, all of them are let go in 17 seconds', () => {
  expect(drainTimes()).toEqual({ takeMs: 0, graceMs: 10_000 })
  for (let seconds = 0; seconds <= MAX_DRAIN_SECONDS; seconds++) {
    const { takeMs, graceMs } = drainTimes(seconds * 1_000)
    expect(takeMs).toBe(seconds * 1_000)
    expect(graceMs).toBeGreaterThanOrEqual(7_000)
    expect(takeMs + graceMs).toBeLessThanOrEqual(17_000)
  }
})

test('a stop that hangs ends the process, and one that does not lets it end by itself', async () => {
  const timers = new FakeClock()
  const logger = new FakeLogger()
  let exits = 0
  const exit = () => {
    exits++
  }
  await withinTheTime(async () => {}, { timers, logger, exit })
  timers.advance(60_000)
  expect(exits).toBe(0)
  void withinTheTime(() => new Promise<void>(() => {}), { timers, logger, exit })
  timers.advance(19_000)
  expect(exits).toBe(0)
  timers.advance(1_000)
  expect(exits).toBe(1)
  expect(logger.lines.map(({ message }) => message)).toEqual(['the stop takes too long, and is cut off'])
})
