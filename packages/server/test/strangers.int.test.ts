import { ENDPOINTS } from '@matchyard/http'
import { expect, test } from 'vitest'
import type { Api } from './harness/api'
import { run } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { OPEN_TO_ALL, serveEnvironment, startServe } from './harness/services'

const account = { email: 'stranger@example.com', password: 'correct horse battery', name: 'Stranger' }
const login = { email: account.email, password: account.password }
const register = (call: Api) => call('POST /v1/auth/register', { body: account })

/** Operations that need no credential, besides those of the service's state and documentation. */
const ASKED_OF_STRANGERS = ['auth.register', 'auth.login', 'auth.code', 'auth.join', 'builds.upload']

test('a stranger on a fresh `serve` can register nothing and launch nothing', async () => {
  const { call, command } = await startServe(temporaryFolder())
  const closed = await register(call)
  expect(closed.status).toBe(403)
  expect(closed.body).toMatchObject({ code: 'REGISTRATION_CLOSED', number: 1012 })
  expect((await call('POST /v1/auth/login', { body: login })).body).toMatchObject({ code: 'INVALID_LOGIN' })
  // Only a user of the machine's shell gets a sign-in code.
  expect((await call('POST /v1/auth/code', { body: { code: 'x' } })).body).toMatchObject({ code: 'INVALID_LOGIN' })

  // An invitation opens the service to one account, and nobody can guess its token.
  const guessed = { ...account, token: `inv_live_${'x'.repeat(36)}` }
  expect((await call('POST /v1/auth/join', { body: guessed })).body).toMatchObject({ code: 'INVITATION_NOT_FOUND' })

  for (const { method, path, operation } of ENDPOINTS) {
    if (operation.startsWith('system.') || ASKED_OF_STRANGERS.includes(operation)) continue
    const what = `${method.toUpperCase()} ${path.replaceAll(/[{}]/g, '')}`
    const sent = method === 'get' || method === 'delete' ? {} : { body: {} }
    expect((await call(what, { ...sent, player: 'ann' })).body, what).toMatchObject({ code: 'MISSING_CREDENTIALS' })
  }
  const upload = await call('PUT /v1/uploads/bld_x?expires=9999999999999&signature=x', { raw: 'PK' })
  expect(upload.body).toMatchObject({ code: 'UPLOAD_REJECTED' })
  expect(command.output).not.toContain(account.password)
})

test('where registration is open, it says so at the start, and whoever registers is on the free plan', async () => {
  const { call, command } = await startServe(temporaryFolder(), OPEN_TO_ALL)
  expect(command.output).toMatch(/"level":"warn"[^\n]*registration is open/)
  const made = await register(call)
  expect(made.status).toBe(201)
  expect(made.body.account).toMatchObject({ email: account.email, plan: 'free' })
})

/** Module that hides bubblewrap, which the service looks for in fixed places. */
const WITHOUT_BUBBLEWRAP = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const { existsSync } = fs
  fs.existsSync = (path) => !String(path).endsWith('/bwrap') && existsSync(path)
  syncBuiltinESMExports()
`)}`

test('doctor fails where registration is open and game servers are not isolated', async () => {
  const cwd = temporaryFolder()
  const env = serveEnvironment(cwd, { NODE_OPTIONS: `--import ${WITHOUT_BUBBLEWRAP}` })
  const isolationOf = async (more: Record<string, string>) => {
    const { code, stdout } = await run(['doctor', '--json'], { cwd, env: { ...env, ...more } })
    const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; message: string }[] }
    return { code, isolation: checks.find(({ name }) => name === 'isolation') }
  }
  expect(await isolationOf({ REGISTRATION: 'open' })).toMatchObject({
    code: 1,
    isolation: { status: 'fail', message: expect.stringMatching(/registration is open.*not isolated/i) },
  })
  expect(await isolationOf({})).toMatchObject({ code: 0, isolation: { status: 'warn' } })
  expect(await isolationOf({ REGISTRATION: 'open', ORCHESTRATOR: 'none' })).toMatchObject({ code: 0 })
})
