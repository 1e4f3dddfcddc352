import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Body } from './harness/api'
import { run, until } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { startDev } from './harness/services'

const storageOf = (cwd: string) => ({ MATCHYARD_DATA: join(cwd, 'data') })

test('an operator lists, mints and revokes keys beside the running service', async () => {
  const cwd = temporaryFolder()
  const { call, files, url } = await startDev(cwd)
  const { project_id: project, email, client_key: clientKey } = files.credentials
  const keys = (...args: string[]) => run(['keys', ...args], { cwd, env: storageOf(cwd) })

  const minted = await keys('mint', '--project', project, '--type', 'server', '--name', 'night shift')
  expect(minted).toMatchObject({ code: 0, stdout: expect.stringMatching(/^sk_live_[0-9A-Za-z]{36}\n$/) })
  const value = minted.stdout.trim()
  expect(minted.stderr).not.toContain(value)
  expect((await call('GET /v1/queues', { key: value })).status).toBe(200)

  const listed = await keys('list', '--email', email, '--json')
  expect(listed.stdout).not.toContain(value)
  const rows: Body[] = JSON.parse(listed.stdout)
  expect(rows).toMatchObject([
    { type: 'client', project_id: project },
    { type: 'server' },
    { type: 'server', name: 'night shift', last4: value.slice(-4), revoked_at: null },
  ])

  const asJson = await keys('mint', '--project', project, '--type', 'client', '--name', 'a game', '--json')
  expect(asJson).toMatchObject({ code: 0, stderr: '' })
  const { key, ...rest }: Body = JSON.parse(asJson.stdout)
  expect(key).toMatch(/^ck_live_[0-9A-Za-z]{36}$/)
  expect(rest).toEqual(JSON.parse((await keys('list', '--project', project, '--json')).stdout).at(-1))
  expect(rest).toMatchObject({ type: 'client', name: 'a game', last4: key.slice(-4) })

  // The client key has leaked. After the revocation, requests with it fail at once, and its open stream ends soon.
  const lobby = await call('POST /v1/lobbies', { key: clientKey, player: 'ann', body: { queue_id: 'demo' } })
  const stream = await fetch(`${url}/v1/lobbies/${lobby.body.lobby_id}/events`, {
    headers: { 'api-key': clientKey, 'x-player-id': 'ann' },
  })
  const revoked = await keys('revoke', '--project', project, '--key', rows[0].key_id)
  expect(revoked).toMatchObject({ code: 0, stdout: `${rows[0].key_id} is revoked\n` })
  expect((await call('GET /v1/lobbies', { key: clientKey })).body).toMatchObject({ code: 'INVALID_API_KEY' })
  expect(await stream.text()).toContain('event: connected')

  const again = await keys('revoke', '--project', project, '--key', rows[0].key_id)
  expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/^matchyard: .*is already revoked\n$/) })
})

test('keys refuses what it cannot find in one line', async () => {
  const cwd = temporaryFolder()
  const keys = (...args: string[]) => run(['keys', ...args], { cwd, env: storageOf(cwd) })
  expect((await keys('list', '--project', 'prj_x')).stderr).toMatch(
    /^matchyard: DATABASE_URL: .* does not exist[^\n]*\n$/,
  )
  expect(await run(['migrate'], { cwd, env: storageOf(cwd) })).toMatchObject({ code: 0 })
  expect((await keys('list', '--project', 'prj_x')).stderr).toBe(
    'matchyard: there is no project "prj_x" in this storage\n',
  )
  expect((await keys('list')).stderr).toMatch(
    /^matchyard: name the project with --project, or the account with --email\n$/,
  )
  expect((await keys('mint', '--project', 'prj_x', '--type', 'master')).stderr).toMatch(/give client or server/)
})

test('migrate makes a new file, and does nothing to one that is up to date', async () => {
  const cwd = temporaryFolder()
  const first = await run(['migrate'], { cwd, env: storageOf(cwd) })
  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/schema 0 → \d+\n$/) })
  const second = await run(['migrate'], { cwd, env: storageOf(cwd) })
  expect(second).toMatchObject({ code: 0, stdout: expect.stringMatching(/nothing to do\n$/) })
})

test('a backup of a running service is whole, private, and restores to what it was', async () => {
  const cwd = temporaryFolder()
  const { command, call, files } = await startDev(cwd)
  const { client_key: key } = files.credentials
  const before = await call('POST /v1/lobbies', { key, player: 'ann', body: { queue_id: 'demo', name: 'kept' } })
  const target = join(cwd, 'backups', 'monday.db')
  const backup = (...args: string[]) => run(['backup', '--to', target, ...args], { cwd, env: storageOf(cwd) })
  expect(await backup()).toMatchObject({ code: 0, stdout: expect.stringMatching(/To restore it: stop the service/) })
  expect(statSync(target).mode & 0o777).toBe(0o600)
  const after = await call('POST /v1/lobbies', { key, player: 'bob', body: { queue_id: 'demo', name: 'lost' } })
  expect(await backup()).toMatchObject({ code: 1, stderr: expect.stringMatching(/exists; give another name/) })

  command.signal('SIGTERM')
  await command.exited
  const file = join(cwd, 'data', 'matchyard.db')
  for (const rest of [`${file}-wal`, `${file}-shm`]) rmSync(rest, { force: true })
  writeFileSync(file, readFileSync(target))
  const restored = await startDev(cwd)
  const read = (lobby: Body) => restored.call(`GET /v1/lobbies/${lobby.lobby_id}`, { key, player: 'ann' })
  expect((await read(before.body)).body.name).toBe('kept')
  expect((await read(after.body)).status).toBe(404)
})

test('a backup of a damaged file does not pass for one', async () => {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, 'data'))
  writeFileSync(join(cwd, 'data', 'matchyard.db'), 'x'.repeat(10_000))
  const exit = await run(['backup', '--to', join(cwd, 'copy.db')], { cwd, env: storageOf(cwd) })
  expect(exit).toMatchObject({ code: 1, stderr: expect.stringMatching(/^matchyard: .*not a SQLite database[^\n]*\n$/) })
  expect(() => statSync(join(cwd, 'copy.db'))).toThrow(/ENOENT/)
})

test('openapi prints the document that the service answers', async () => {
  const cwd = temporaryFolder()
  const { call } = await startDev(cwd)
  const printed = await run(['openapi'], { cwd })
  const served = await until('the document is served', async () => (await call('GET /openapi.json')).body)
  expect(JSON.parse(printed.stdout)).toEqual(served)
})

test('a database that was copied without its log is refused with what to do, until its loss is accepted', async () => {
  const cwd = temporaryFolder()
  await startDev(cwd)
  // The copy has no write-ahead log, as after a kill with the log on another disk.
  execFileSync('cp', [join(cwd, 'data', 'matchyard.db'), join(cwd, 'alone.db')])
  const migrate = (...args: string[]) =>
    run(['migrate', ...args], { cwd, env: { ...storageOf(cwd), DATABASE_URL: 'sqlite:./alone.db' } })
  expect(await migrate()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^matchyard: the write-ahead log [^\n]* is missing[^\n]*--accept-lost-log[^\n]*\n$/),
  })
  expect(await migrate('--accept-lost-log')).toMatchObject({ code: 0 })
  expect(await migrate()).toMatchObject({ code: 0 })
})
