import { startServer } from '@matchyard/storage-postgres/testing'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { run } from './harness/command'
import { temporaryFolder } from './harness/folder'

test('on PostgreSQL an operator makes an account in an empty database, and every command comes to its end', async () => {
  const database = await startServer()
  onTestFinished(() => database.stop())
  const cwd = temporaryFolder()
  const line = (...args: string[]) => run(args, { cwd, env: { DATABASE_URL: database.url } })
  const made = await line('accounts', 'create', '--email', 'ann@example.com', '--json')
  expect(made).toMatchObject({
    code: 0,
    signal: null,
    stderr: expect.stringMatching(/^created a new database: postgres:/),
  })
  const { account_id, project_id, client_key } = JSON.parse(made.stdout)
  expect(JSON.parse((await line('accounts', 'list', '--json')).stdout)).toMatchObject([{ account_id }])
  const keys = await line('keys', 'list', '--project', project_id, '--json')
  expect(keys).toMatchObject({ code: 0, signal: null })
  expect(JSON.parse(keys.stdout)).toMatchObject([{ type: 'client', last4: client_key.slice(-4) }, { type: 'server' }])
  expect(await line('keys', 'list', '--project', 'prj_x')).toMatchObject({ code: 1, signal: null })
})

test('migrate --print gives an administrator the whole schema, with the rights of the role of the service', async () => {
  const database = await startServer()
  onTestFinished(() => database.stop())
  const administrator = new pg.Client({ connectionString: database.url })
  await administrator.connect()
  onTestFinished(() => administrator.end())
  await administrator.query('create role service login')
  const cwd = temporaryFolder()
  const env = { DATABASE_URL: database.url.replace('postgres@', 'service@') }
  const refused = await run(['migrate'], { cwd, env })
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('run GRANT CREATE ON DATABASE "postgres" TO'),
  })
  await administrator.query((await run(['migrate', '--print'], { cwd, env })).stdout)
  expect(await run(['migrate'], { cwd, env })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('nothing to do'),
  })
  expect(await run(['accounts', 'create', '--email', 'ann@example.com'], { cwd, env })).toMatchObject({ code: 0 })
})
