import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { poolerIsHere, startPooler, startServer, type TestServer } from '@matchyard/storage-postgres/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { skipWithout } from '../../src/needs'

const COMMAND = fileURLToPath(new URL('../../../server/dist/cli.js', import.meta.url))

interface Finding {
  readonly name: string
  readonly status: string
  readonly message: string
}

describe('an operator of a PostgreSQL database', () => {
  let directory: string
  let database: TestServer
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'matchyard-operator-'))
    database = await startServer(['max_connections=40'])
  }, 120_000)
  afterAll(async () => {
    await database?.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  const run = (args: readonly string[], more: Record<string, string> = {}) => {
    const env = { PATH: process.env.PATH, MATCHYARD_DATA: join(directory, 'data'), DATABASE_URL: database.url, ...more }
    return promisify(execFile)(process.execPath, [COMMAND, ...args], { cwd: directory, env })
  }
  const findings = async (more: Record<string, string> = {}) => {
    // Doctor reports the missing secret and exits with an error code, so its output is read from the rejection.
    const { stdout } = await run(['doctor', '--json'], { ORCHESTRATOR: 'none', ...more }).catch((failed) => failed)
    const { checks } = JSON.parse(stdout) as { checks: Finding[] }
    return (name: string) => checks.find((check) => check.name === name)
  }

  it('is told the schema before and after it is migrated, and how many nodes there is room for', async () => {
    const before = await findings()
    expect(before('storage')).toMatchObject({ status: 'ok', message: expect.stringMatching(/PostgreSQL \d+/) })
    expect(before('schema')).toMatchObject({ status: 'warn', message: expect.stringMatching(/^schema 0 of \d+;/) })

    expect((await run(['migrate'])).stdout).toMatch(/: schema 0 → \d+\n$/)
    expect((await run(['migrate'])).stdout).toMatch(/: schema \d+, nothing to do\n$/)

    const after = await findings()
    expect(after('schema')).toMatchObject({ status: 'ok' })
    expect(after('connections')).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/15 of 40 .*room for 2/),
    })
    const greedy = await findings({ DATABASE_POOL_SIZE: '40' })
    expect(greedy('connections')).toMatchObject({ status: 'fail' })
    expect(after('signals')).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('a session on DATABASE_URL'),
    })
  }, 60_000)

  it('is told of a pooler in transaction mode in front of the signals', { timeout: 60_000 }, async (context) => {
    if (!poolerIsHere()) skipWithout(context, 'PgBouncer', 'it is not on the path')
    const pooler = await startPooler(database.url, {
      mode: 'transaction',
      ignores: ['statement_timeout', 'idle_in_transaction_session_timeout'],
    })
    const sessions = await startPooler(database.url, { mode: 'session' })
    const signals = async (DATABASE_URL: string, DATABASE_LISTEN_URL = '') =>
      (await findings({ DATABASE_URL, DATABASE_LISTEN_URL }))('signals')
    try {
      const mend = 'set DATABASE_LISTEN_URL to the same database without a pooler, or to a pooler in session mode'
      const lost = { status: 'fail', mend, message: expect.stringContaining('a pooler in transaction mode') }
      expect(await signals(pooler.url)).toMatchObject(lost)
      expect(await signals(database.url, pooler.url)).toMatchObject(lost)
      expect(await signals(pooler.url, database.url)).toMatchObject({ status: 'ok' })
      expect(await signals(pooler.url, sessions.url)).toMatchObject({ status: 'ok' })
      expect(await signals(sessions.url)).toMatchObject({ status: 'ok' })
      expect(await signals(database.url, sessions.url)).toMatchObject({ status: 'warn' })
    } finally {
      await pooler.stop()
      await sessions.stop()
    }
  })
})
