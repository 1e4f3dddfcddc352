import { execFile } from 'node:child_process'
import { rmSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from './harness/folder'
import { devFiles, startDev } from './harness/services'

const shell = async (line: string): Promise<ReturnType<typeof JSON.parse>> =>
  JSON.parse((await promisify(execFile)('sh', ['-c', line])).stdout)

test('dev prints three curl lines that work as pasted', async () => {
  const { command } = await startDev(temporaryFolder())
  const [create = '', browse = '', stats = '', ...more] = command.stdout
    .split('\n')
    .filter((line) => /^ *curl /.test(line))
  expect(more).toEqual([])
  expect(await shell(create)).toMatchObject({ status: 'waiting', host_player_id: 'ann', queue_id: 'demo' })
  expect(await shell(browse)).toMatchObject({ total: 1, data: [{ host_player_id: 'ann' }] })
  expect(await shell(stats)).toMatchObject({ players_searching: 0 })
})

test('dev says where the password is, for when its link was used', async () => {
  const { command, files } = await startDev(temporaryFolder())
  const [, email, path] = /after that sign in as (\S+); the password is in (.+)$/m.exec(command.stdout) ?? []
  expect({ email, path }).toEqual({ email: files.credentials.email, path: files.path })
  expect(command.stdout).not.toContain(files.credentials.password)
})

test('credentials.json is private, complete, and its keys are used again at the next start', async () => {
  const cwd = temporaryFolder()
  const first = await startDev(cwd)
  const { path, credentials } = first.files
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(Object.keys(credentials)).toEqual([
    'base_url', 'email', 'password', 'account_id', 'project_id', 'client_key', 'server_key',
  ]) // biome-ignore format: the contract's list
  expect(credentials.base_url).toBe(first.url)
  const { email, password } = credentials
  expect((await first.call('POST /v1/auth/login', { body: { email, password } })).body.account).toMatchObject({
    id: credentials.account_id,
    plan: 'pro',
  })
  first.command.signal('SIGTERM')
  expect(await first.command.exited).toMatchObject({ code: 0 })

  const second = await startDev(cwd)
  expect(second.files.credentials).toEqual({ ...credentials, base_url: second.url })
  expect((await second.call('GET /v1/queues', { key: credentials.server_key })).body.total).toBe(1)
  expect((await second.call('GET /v1/builds', { key: credentials.server_key })).body.total).toBe(1)
})

test('a lost credentials.json means new keys in the same demo project, and a password that works', async () => {
  const cwd = temporaryFolder()
  const first = await startDev(cwd)
  const before = first.files.credentials
  first.command.signal('SIGTERM')
  await first.command.exited
  rmSync(first.files.path)

  const { call } = await startDev(cwd)
  const after = devFiles(cwd).credentials
  expect(after.project_id).toBe(before.project_id)
  expect(after.account_id).toBe(before.account_id)
  expect(after.client_key).not.toBe(before.client_key)
  expect(after.server_key).not.toBe(before.server_key)
  expect((await call('GET /v1/queues', { key: after.server_key })).status).toBe(200)
  const login = { email: after.email, password: after.password }
  expect((await call('POST /v1/auth/login', { body: login })).status).toBe(200)
})
