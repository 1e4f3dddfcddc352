import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Exit, run } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { serveEnvironment, startServe } from './harness/services'

const valuesOf = ({ stdout }: Exit): Record<string, string> =>
  Object.fromEntries([...stdout.matchAll(/^(\w+) +(\S+)$/gm)].map(([, name = '', value = '']) => [name, value]))

/** Runs the command beside a service. It gets the address of the database, but not the secret. */
const accountsOf = (cwd: string, more: Record<string, string> = {}) => {
  const env = { MATCHYARD_DATA: join(cwd, 'data'), ...more }
  return (args: readonly string[], stdin?: string) =>
    run(['accounts', ...args], { cwd, env, ...(stdin === undefined ? {} : { stdin }) })
}

test('an operator makes the first account beside a closed service, and its three lines work as pasted', async () => {
  const cwd = temporaryFolder()
  const { call, url } = await startServe(cwd, { PLAN_LIMITS: '{"max_concurrent_servers": 2}' })
  const accounts = accountsOf(cwd, { PUBLIC_URL: url })
  const made = await accounts(['create', '--email', 'Ann@example.com', '--project', 'Arena'])
  // The message names the database: a shell without the service's variables would silently create another one.
  expect(made).toMatchObject({ code: 0, stderr: `in the database: ${join(cwd, 'data', 'matchyard.db')}\n` })
  const { email, password = '', client_key: client = '', server_key: server = '', ...rest } = valuesOf(made)
  expect(rest).toMatchObject({ plan: 'pro', tariff: 'self_hosted', project_id: expect.stringMatching(/^prj_/) })

  const session = await call('POST /v1/auth/login', { body: { email, password } })
  expect(session.body.account).toMatchObject({ email: 'ann@example.com', plan: 'pro', tariff: 'self_hosted' })
  const { token } = session.body
  const plan = await call('GET /v1/billing/plan', { token })
  expect(plan.body).toMatchObject({ plan: 'pro', tariff: 'self_hosted', limits: { max_concurrent_servers: 2 } })
  // The service accepts no card, and sells nothing.
  const card = { payment_method_token: 'pm_test_visa' }
  const paid = await call('PUT /v1/billing/payment-method', { token, body: card })
  expect([paid.status, paid.body.code]).toEqual([402, 'PAYMENT_METHOD_REQUIRED'])
  expect((await call('POST /v1/billing/downgrade', { token, body: { plan: 'free' } })).status).toBe(409)

  const lines = made.stdout.split('\n').filter((line) => line.startsWith('  curl '))
  expect(lines).toHaveLength(3)
  expect(lines[0]).toContain(`${url}/v1/lobbies`)
  const lobby = await call('POST /v1/lobbies', { key: client, player: 'ann', body: { queue_id: 'demo' } })
  expect(lobby.status).toBe(201)
  expect((await call('GET /v1/lobbies?queue_id=demo', { key: client })).body.total).toBe(1)
  expect((await call('GET /v1/queues/demo/stats', { key: server })).status).toBe(200)

  const again = await accounts(['create', '--email', 'ann@example.com'])
  expect(again).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^matchyard: an account with the address/),
  })

  // The running service refuses a disabled account at once.
  expect(await accounts(['disable', '--email', 'ann@example.com'])).toMatchObject({ code: 0 })
  expect((await call('GET /v1/account', { token })).body).toMatchObject({ code: 'INVALID_SESSION_TOKEN' })
  expect((await call('GET /v1/queues', { key: server })).body).toMatchObject({ code: 'INVALID_API_KEY' })
  expect((await call('POST /v1/auth/login', { body: { email, password } })).body.code).toBe('INVALID_LOGIN')
  expect(await accounts(['enable', '--email', 'ann@example.com'])).toMatchObject({ code: 0 })
  expect((await call('GET /v1/queues', { key: server })).status).toBe(200)
  expect((await call('GET /v1/account', { token })).status).toBe(401)
})

test('an operator whose address is refused signs in by a code of the shell, beside the running service', async () => {
  const cwd = temporaryFolder()
  const { call, url } = await startServe(cwd)
  const accounts = accountsOf(cwd, { PUBLIC_URL: url })
  const { password = '' } = valuesOf(await accounts(['create', '--email', 'ann@example.com']))
  const login = (tried: string) => call('POST /v1/auth/login', { body: { email: 'ann@example.com', password: tried } })
  for (let i = 0; i < 5; i++) await login('wrong')
  expect((await login(password)).body.code).toBe('RATE_LIMITED')

  const drawn = await accounts(['sign-in-code', '--email', 'ann@example.com', '--json'])
  expect(drawn).toMatchObject({ code: 0, stderr: '' })
  const { code, url: link } = JSON.parse(drawn.stdout)
  expect(link).toBe(`${url}/console/#code=${code}`)
  const use = (tried: string) => call('POST /v1/auth/code', { body: { code: tried } })
  const session = await use(code)
  expect(session).toMatchObject({ status: 200, body: { account: { email: 'ann@example.com' } } })
  expect((await call('GET /v1/account', { token: session.body.token })).status).toBe(200)
  expect((await use(code)).body.code).toBe('INVALID_LOGIN')
  const { token } = session.body
  const begun = await call('POST /v1/account/second-factor', { token, body: { password } })
  expect([begun.status, begun.body.secret]).toEqual([201, expect.stringMatching(/^[A-Z2-7]{32}$/)])
  const removed = await accounts(['remove-second-factor', '--email', 'ann@example.com'])
  expect(removed).toMatchObject({ code: 0, stdout: 'ann@example.com has no second factor\n' })
  const activated = await call('PUT /v1/account/second-factor', { token, body: { code: '000000' } })
  expect(activated.body.code).toBe('SECOND_FACTOR_STATE')
  expect((await call('GET /')).body.sign_in_codes).toBe(false)
})

test('accounts can be made before the first start, listed, and given another plan and password', async () => {
  const cwd = temporaryFolder()
  const accounts = accountsOf(cwd)
  const create = ['create', '--email', 'ann@example.com', '--password-stdin', '--json']
  const made = await accounts(create, 'a password of my own\n')
  expect(made).toMatchObject({ code: 0, stderr: `created a new database: ${join(cwd, 'data', 'matchyard.db')}\n` })
  const told = JSON.parse(made.stdout)
  expect(told).toMatchObject({ base_url: 'http://127.0.0.1:8080', email: 'ann@example.com', tariff: 'self_hosted' })
  expect(made.stdout).not.toContain('a password of my own')
  // The second account has no demo queue, so there are no lines to try.
  const second = await accounts(['create', '--email', 'bob@example.com', '--plan', 'free', '--name', 'Bob'])
  expect(second.stdout).not.toContain('curl')

  const set = await accounts(['set-plan', '--email', 'bob@example.com', '--plan', 'payg'])
  expect(set).toMatchObject({ code: 0, stdout: 'bob@example.com is on payg\n' })
  const { password = '' } = valuesOf(await accounts(['set-password', '--email', 'bob@example.com']))
  expect(JSON.parse((await accounts(['list', '--json'])).stdout)).toMatchObject([
    {
      account_id: told.account_id,
      email: 'ann@example.com',
      name: 'ann',
      plan: 'pro',
      tariff: 'self_hosted',
      disabled: false,
    },
    { email: 'bob@example.com', name: 'Bob', plan: 'payg' },
  ])

  const { call } = await startServe(cwd)
  const login = (email: string, secret: string) => call('POST /v1/auth/login', { body: { email, password: secret } })
  expect((await login('ann@example.com', 'a password of my own')).status).toBe(200)
  expect((await login('bob@example.com', password)).body.account).toMatchObject({ plan: 'payg' })
})

test('what accounts cannot do it says in one line, and makes nothing', async () => {
  const cwd = temporaryFolder()
  const accounts = accountsOf(cwd)
  const refused = async (args: readonly string[], line: RegExp, stdin?: string) => {
    const exit = await accounts(args, stdin)
    expect(exit).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(line) })
    expect(exit.stderr.trimEnd().split('\n')).toHaveLength(1)
  }
  const create = ['create', '--email', 'ann@example.com']
  await refused(['list'], /DATABASE_URL: .* does not exist/)
  await refused([...create, '--plan', 'gold'], /--plan: "gold" is not known; give one of self_hosted, free/)
  await refused([...create, '--password-stdin'], /nothing came on standard input/, '')
  await refused([...create, '--password-stdin'], /password: must be 8 to 256 characters long/, 'short\n')
  await refused([...create, '--project', 'x'.repeat(65)], /--project: it must be 1 to 64 characters long/)
  await refused(['create', '--email', 'ann'], /email: must be an e-mail address/)
  await refused(['disable', '--email', 'no@example.com'], /there is no account "no@example.com" in this storage/)
  await refused(
    [...create, '--projekt', 'Arena'],
    /accounts create has no option --projekt; its options are --email, --project/,
  )
  expect((await accounts(['list'])).stdout).toBe('')
})

test('an option that a command does not have is refused in one line; --version tells it', async () => {
  const cwd = temporaryFolder()
  const env = serveEnvironment(cwd)
  const line = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(args, { cwd, env })
    return [code, stdout, stderr]
  }
  expect(await line('serve', '--port', '80')).toEqual([
    1, '', 'matchyard: serve has no option --port; its options are --workers\n',
  ]) // biome-ignore format: a line
  expect(await line('dev', '--prot=80')).toEqual([
    1, '', 'matchyard: dev has no option --prot; its options are --port, --host, --lan, --data, --verbose\n',
  ]) // biome-ignore format: a line
  expect(await line('serve', 'now')).toEqual([
    1,
    '',
    'matchyard: serve takes no argument "now"; its options are --workers\n',
  ])
  expect(await line('--verbose', 'dev')).toEqual([
    1,
    '',
    'matchyard: matchyard has no option --verbose; it takes none\n',
  ])
  const [code, stdout] = await line('--version')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)])
})
