import { execFileSync } from 'node:child_process'
import { closeSync, constants, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../src/testing/free-port'
import { api } from './harness/api'
import { Command, until } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { goodSecret, OPEN_TO_ALL, serveEnvironment } from './harness/services'

/** Starts `serve` with its log on a descriptor, and waits until it responds. */
async function serveWith(stderr: number, cwd = temporaryFolder()) {
  onTestFinished(() => closeSync(stderr))
  const port = await freePort()
  const metricsToken = goodSecret()
  const more = { PORT: String(port), METRICS_TOKEN: metricsToken, ORCHESTRATOR: 'none' }
  const env = serveEnvironment(cwd, { ...more, ...OPEN_TO_ALL })
  const command = new Command(['serve'], { cwd, env, stderr })
  const call = api(`http://127.0.0.1:${port}`)
  await until('the service answers', () => call('GET /livez').catch(() => undefined))
  const droppedLines = async () => {
    const { text } = await call('GET /metrics', { token: metricsToken })
    return Number(/^matchyard_log_lines_dropped_total (\d+)$/m.exec(text)?.[1])
  }
  /** Sends calls that are refused. Each writes a log line of about 150 bytes. */
  const manyLines = async (count: number) => {
    const statuses = new Set<number>()
    for (let i = 0; i < count; i++) statuses.add((await call('GET /no/such/route')).status)
    return [...statuses]
  }
  return { command, call, droppedLines, manyLines }
}

function pipeWithoutReader(cwd: string): { reader: number; writer: number } {
  const pipe = join(cwd, 'log')
  execFileSync('mkfifo', [pipe])
  // A pipe that is opened for both directions has a reader, so the next open does not wait.
  const reader = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
  return { reader, writer: openSync(pipe, constants.O_WRONLY) }
}

test('a log on a full disk keeps nobody from starting, working and stopping', async () => {
  const { command, call, manyLines } = await serveWith(openSync('/dev/full', 'w'))
  const account = { email: 'dev@example.com', password: 'correct horse battery', name: 'Dev' }
  expect((await call('POST /v1/auth/register', { body: account })).status).toBe(201)
  expect(await manyLines(50)).toEqual([404])
  command.signal('SIGTERM')
  expect(await command.exited).toMatchObject({ code: 0, signal: null })
})

test('a log that nobody reads holds up no request and no shutdown, and its reader gets what there was room for', async () => {
  const cwd = temporaryFolder()
  const { reader, writer } = pipeWithoutReader(cwd)
  const { command, manyLines, droppedLines } = await serveWith(writer, cwd)
  // The lines are larger than a pipe.
  expect(await manyLines(700)).toEqual([404])
  expect(await droppedLines()).toBe(0)
  command.signal('SIGTERM')
  expect(await command.exited).toMatchObject({ code: 0, signal: null })
  const seen = Buffer.alloc(64 * 1024)
  expect(seen.subarray(0, readSync(reader, seen)).toString()).toMatch(/"msg":"listening"/)
  closeSync(reader)
})

test('a log whose reader has gone away ends nothing', async () => {
  const cwd = temporaryFolder()
  const { reader, writer } = pipeWithoutReader(cwd)
  const { command, manyLines } = await serveWith(writer, cwd)
  closeSync(reader)
  expect(await manyLines(20)).toEqual([404])
  command.signal('SIGTERM')
  expect(await command.exited).toMatchObject({ code: 0 })
})

test('dev starts, works and stops although nobody takes what it says', async () => {
  const cwd = temporaryFolder()
  const port = await freePort()
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(full))
  const command = new Command(['dev', '--port', String(port), '--data', join(cwd, 'data')], {
    cwd,
    stdout: full,
    stderr: full,
  })
  const call = api(`http://127.0.0.1:${port}`)
  const { server_key: key } = await until('the demo is there', async () => {
    const path = join(cwd, 'data', 'credentials.json')
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
  })
  expect((await call('GET /v1/queues', { key })).status).toBe(200)
  command.signal('SIGINT')
  expect(await command.exited).toMatchObject({ code: 0 })
})
