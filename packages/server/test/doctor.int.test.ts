import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../src/testing/free-port'
import type { Body } from './harness/api'
import { run } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { goodSecret, serveEnvironment, startServe } from './harness/services'

interface Report {
  readonly code: number | null
  readonly healthy: boolean
  readonly checks: readonly Body[]
  of(name: string): Body
}

async function examine(cwd: string, env: Record<string, string>): Promise<Report> {
  const { code, stdout } = await run(['doctor', '--json'], { cwd, env })
  const { healthy, checks } = JSON.parse(stdout)
  const of = (name: string) => checks.find((check: Body) => check.name === name)
  return { code, healthy, checks, of }
}

test('a sound machine passes more than twelve checks, each of which says what would mend it', async () => {
  const cwd = temporaryFolder()
  const { code, healthy, checks } = await examine(cwd, serveEnvironment(cwd))
  expect(checks.filter(({ status }) => status === 'fail')).toEqual([])
  expect({ code, healthy }).toEqual({ code: 0, healthy: true })
  expect(checks.length).toBeGreaterThanOrEqual(12)
  for (const check of checks) {
    expect(check).toMatchObject({ status: expect.stringMatching(/^(ok|warn)$/), message: expect.stringMatching(/./) })
    expect(check.mend, check.name).toMatch(/^[^\n]{10,}$/)
  }
  expect(checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'node', 'clock', 'open-files', 'argon2', 'configuration', 'secret', 'data-folder', 'disk', 'build-store', 'storage',
      'schema', 'integrity', 'port', 'public-url', 'isolation', 'bubblewrap', 'cgroups',
    ]), // biome-ignore format: a list of words
  )
  // The doctor only reads, and leaves no file behind.
  expect(existsSync(join(cwd, 'data'))).toBe(false)
  expect(readdirSync(cwd)).toEqual([])
})

test('an empty environment fails on the secret, in text for people too', async () => {
  const { code, stdout } = await run(['doctor'], { cwd: temporaryFolder(), env: { ORCHESTRATOR: 'none' } })
  expect(code).toBe(1)
  expect(stdout).toMatch(/^fail {2}secret +MATCHYARD_SECRET: it is not set[^\n]*\n +→ export MATCHYARD_SECRET=/m)
  expect(stdout).toMatch(/\d+ checks: 1 failed/)
})

test('each fault is found by its own check', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'file'), '')
  mkdirSync(join(cwd, 'db'))
  writeFileSync(join(cwd, 'db', 'x.db'), 'x'.repeat(5_000))
  const metricsToken = 'hunter2'
  const report = await examine(cwd, {
    MATCHYARD_SECRET: 'hunter2hunter2hunter2hunter2hunter2',
    METRICS_TOKEN: metricsToken,
    MATCHYARD_DATA: join(cwd, 'file'),
    DATABASE_URL: `sqlite:${join(cwd, 'db', 'x.db')}`,
    PUBLIC_URL: 'https://no-such-host.invalid',
    PEER_URL: 'http://node:hunter2@10.0.0.11:8080',
    LOG_LEVEL: 'loud',
    PRICES: '/does/not/exist',
    ORCHESTRATOR: 'none',
  })
  expect({ code: report.code, healthy: report.healthy }).toEqual({ code: 1, healthy: false })
  expect(report.of('configuration')).toMatchObject({ status: 'fail', message: expect.stringMatching(/^LOG_LEVEL: /) })
  expect(report.of('secret')).toMatchObject({ status: 'fail', message: expect.stringMatching(/repeats itself/) })
  expect(report.of('metrics-token')).toMatchObject({ status: 'fail' })
  expect(report.of('prices')).toMatchObject({ status: 'fail', message: expect.stringMatching(/ENOENT/) })
  expect(report.of('peer-url')).toMatchObject({
    status: 'fail',
    message: expect.stringMatching(/user name or password/),
  })
  expect(report.of('proxy')).toMatchObject({ status: 'warn' })
  expect(report.of('data-folder')).toMatchObject({ status: 'fail', message: expect.stringMatching(/not writable/) })
  for (const name of ['storage', 'schema', 'integrity']) {
    expect(report.of(name)).toMatchObject({ status: 'fail', message: expect.stringMatching(/not a SQLite database/) })
  }
  expect(report.of('public-url')).toMatchObject({ status: 'fail', message: expect.stringMatching(/cannot be found/) })
  expect(JSON.stringify(report.checks)).not.toContain('hunter2')
})

test('beside a running service its port, its file and its address are well', async () => {
  const cwd = temporaryFolder()
  const port = String(await freePort())
  const env = { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, MATCHYARD_SECRET: goodSecret() }
  const { command } = await startServe(cwd, env)
  const beside = await examine(cwd, serveEnvironment(cwd, env))
  expect(beside.of('port')).toMatchObject({ status: 'ok', message: `a service answers on port ${port} already` })
  expect(beside.of('storage')).toMatchObject({
    status: 'ok',
    message: expect.stringContaining(`process ${command.pid}`),
  })
  expect(beside.of('public-url')).toMatchObject({ status: 'warn', message: expect.stringMatching(/without TLS/) })
  expect(beside.of('schema')).toMatchObject({ status: 'ok' })
})
