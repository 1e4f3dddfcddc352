import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { SqliteDatabase } from '@matchyard/storage-sqlite/testing'
import { expect, test } from 'vitest'
import { type Exit, run } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { serveEnvironment, startDev, startServe } from './harness/services'

/**
 * Checks that the command has exited with code 1 and has printed one line for each fault on standard error, and nothing
 * else.
 */
function expectRefusal({ code, stdout, stderr }: Exit, ...lines: RegExp[]): void {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  const told = stderr.trimEnd().split('\n')
  expect(told).toHaveLength(lines.length)
  for (const [index, line] of lines.entries()) expect(told[index]).toMatch(line)
  expect(stderr).not.toMatch(/\n\s+at /)
}

const refuse = (cwd: string, env: Record<string, string> = {}) =>
  run(['serve'], { cwd, env: serveEnvironment(cwd, env) })

test('serve tells every fault of its configuration at once, and repeats no secret', async () => {
  const cwd = temporaryFolder()
  const env = {
    MATCHYARD_SECRET: 'hunter2hunter2',
    METRICS_TOKEN: 'tiny',
    PORT: 'http',
    DATABASE_URL: 'mysql://a:hunter2@b/c',
  }
  const exit = await run(['serve'], { cwd, env })
  expectRefusal(exit, /MATCHYARD_SECRET/, /DATABASE_URL/, /PORT/, /METRICS_TOKEN/)
  expect(exit.stderr).not.toContain('hunter2')
})

test('a port in use, a data folder that is none, one that cannot be written: one line each', async () => {
  const cwd = temporaryFolder()
  const taken = createServer()
  const port = await new Promise<number>((resolve) =>
    taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port)),
  )
  try {
    expectRefusal(
      await refuse(cwd, { PORT: String(port) }),
      new RegExp(`^matchyard: port ${port} is in use; give another`),
    )
  } finally {
    taken.close()
  }
  writeFileSync(join(cwd, 'file'), '')
  expectRefusal(await refuse(cwd, { MATCHYARD_DATA: join(cwd, 'file') }), /file is not a folder/)
  expectRefusal(await refuse(cwd, { MATCHYARD_DATA: join(cwd, 'file', 'below') }), /is not a folder/)
  expectRefusal(
    await refuse(cwd, { MATCHYARD_DATA: '/proc/matchyard' }),
    /^matchyard: \/proc\/matchyard cannot be made/,
  )
  // No user can make folders in /sys, not even root.
  expectRefusal(await refuse(cwd, { MATCHYARD_DATA: '/sys/matchyard' }), /^matchyard: \/sys\/matchyard is not writable/)
})

test('a second service on the same file is refused, and the first goes on', async () => {
  const cwd = temporaryFolder()
  const first = await startServe(cwd)
  expectRefusal(await refuse(cwd), new RegExp(`in use by another service \\(process ${first.command.pid},`))
  const dev = await run(['dev', '--port', '0', '--data', join(cwd, 'data')], { cwd })
  expect(dev.code).toBe(1)
  expect(dev.stderr).toMatch(/^matchyard: .* is in use by another service/)
  expect((await first.call('GET /readyz')).status).toBe(200)
})

test('a damaged, a foreign and a locked database file: one line each, and the file is left alone', async () => {
  const cwd = temporaryFolder()
  const file = join(cwd, 'data', 'matchyard.db')
  mkdirSync(join(cwd, 'data'))
  writeFileSync(file, 'not a database at all'.repeat(500))
  expectRefusal(await refuse(cwd), /matchyard\.db: the file is not a SQLite database/)
  expect(readFileSync(file, 'utf8')).toBe('not a database at all'.repeat(500))

  const foreign = new SqliteDatabase(join(cwd, 'foreign.db'))
  foreign.exec('create table diary (day text)')
  expectRefusal(await refuse(cwd, { DATABASE_URL: `sqlite:${join(cwd, 'foreign.db')}` }), /database of another program/)

  const locked = new SqliteDatabase(join(cwd, 'locked.db'))
  locked.exec('begin exclusive')
  expectRefusal(
    await refuse(cwd, { DATABASE_URL: `sqlite:${join(cwd, 'locked.db')}` }),
    /another program has locked the file/,
  )
  locked.close()
})

test('dev refuses a port in use in one line as well', async () => {
  const cwd = temporaryFolder()
  const { url } = await startDev(cwd)
  const { port } = new URL(url)
  const exit = await run(['dev', '--port', port, '--data', join(cwd, 'other')], { cwd })
  expect(exit).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^matchyard: port \d+ is in use[^\n]*\n$/),
  })
})
