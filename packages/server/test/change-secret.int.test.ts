import { startServer } from '@matchyard/storage-postgres/testing'
import { expect, onTestFinished, test } from 'vitest'
import { run } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { goodSecret, type Running, serveEnvironment, startServe } from './harness/services'

const VALUE = 'a value of a game server'

test('two nodes get another secret one after the other, and no credential is refused meanwhile', async () => {
  const database = await startServer()
  onTestFinished(() => database.stop())
  const [old, fresh] = [goodSecret(), goodSecret()]
  const folders = [temporaryFolder(), temporaryFolder()] as const
  const shared = { DATABASE_URL: database.url, ORCHESTRATOR: 'none' }
  const both = { MATCHYARD_SECRET: fresh, MATCHYARD_SECRET_PREVIOUS: old }
  const start = (index: 0 | 1, env: Record<string, string>) => startServe(folders[index], { ...shared, ...env })
  const command = (args: readonly string[], env: Record<string, string>) =>
    run(args, { cwd: folders[0], env: serveEnvironment(folders[0], { ...shared, ...env }) })
  const end = async (node: Running) => {
    node.command.signal('SIGTERM')
    expect((await node.command.exited).code).toBe(0)
  }

  const before = await start(0, { MATCHYARD_SECRET: old })
  const other = await start(1, { MATCHYARD_SECRET: old })
  const made = JSON.parse((await command(['accounts', 'create', '--email', 'ann@example.com', '--json'], {})).stdout)
  const { email, password, server_key: key } = made
  const login = async ({ call }: Running) =>
    (await call('POST /v1/auth/login', { body: { email, password } })).body.token as string
  const statusOf = async ({ call }: Running, token: string) => (await call('GET /v1/account', { token })).status
  const early = await login(before)
  expect((await before.call('PUT /v1/secrets/TOKEN', { key, body: { value: VALUE } })).status).toBe(204)

  // The first node has both secrets, and the second node has the old one only.
  await end(before)
  const first = await start(0, both)
  expect(await statusOf(other, await login(first))).toBe(200)
  expect(await statusOf(first, await login(other))).toBe(200)
  await end(other)
  const second = await start(1, both)

  const changed = await command(['secret', '--change', '--in', '0'], both)
  expect(changed).toMatchObject({ code: 0, stderr: '' })
  expect(changed.stdout).toMatch(
    /the new secret opens 1 secret of projects, and the previous one is needed for none\n$/,
  )
  for (const { command: node } of [first, second]) await node.seen(/"msg":"the secret changes"/)
  const late = await login(second)
  for (const node of [first, second]) for (const token of [early, late]) expect(await statusOf(node, token)).toBe(200)

  // Without the previous secret, only what the new one signed is accepted, and it opens the project's secret.
  await end(first)
  const alone = await start(0, { MATCHYARD_SECRET: fresh })
  expect(await statusOf(alone, late)).toBe(200)
  expect(await statusOf(alone, early)).toBe(401)
  expect((await command(['secret'], { MATCHYARD_SECRET: fresh })).stdout).toBe(
    'MATCHYARD_SECRET is the secret of this database\n',
  )
}, 600_000)
