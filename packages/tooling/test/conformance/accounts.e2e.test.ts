import { nodePlatform } from '@matchyard/node'
import { beforeEach, expect } from 'vitest'
import { outcome } from '../../src/conformance/client'
import { rule } from '../../src/conformance/rule'
import { World } from '../../src/conformance/world'

const WEEK = 7 * 86_400

let world: World
beforeEach(async () => {
  world = await World.open()
})

const withToken = (token: string) => world.as({ authorization: `Bearer ${token}` })
const login = (email: string, password: string) => world.nobody('POST /v1/auth/login', { email, password })
const claimsOf = (token: string, part: number) =>
  JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString('utf8'))

rule('S-SES-01', async () => {
  const { answer } = await world.register()
  expect(Object.keys(answer.body).sort()).toEqual(['account', 'expires_at', 'token', 'token_type'])
  expect(answer.body.token_type).toBe('Bearer')
})

rule('S-SES-02', async () => {
  const { body } = (await world.register()).answer
  expect(body.token.split('.')).toHaveLength(3)
  expect(body.expires_at).toBe(world.instant(WEEK))
  expect(claimsOf(body.token, 1).exp * 1_000).toBe(Date.parse(body.expires_at))
})

rule('S-SES-03', async () => {
  const { body } = (await world.register()).answer
  world.clock.advance(WEEK * 1_000 - 1)
  expect((await withToken(body.token)('GET /v1/account')).status).toBe(200)
  world.clock.advance(1)
  expect(outcome(await withToken(body.token)('GET /v1/account'))).toEqual([401, 'SESSION_EXPIRED'])
})

rule('S-SES-04', async () => {
  const { body: first } = (await world.register()).answer
  world.clock.advance(60_000)
  const second = await withToken(first.token)('POST /v1/auth/refresh')
  expect(second.body).toMatchObject({ expires_at: world.instant(WEEK), account: first.account })
  expect(outcome(await withToken(first.token)('GET /v1/account'))).toEqual([401, 'INVALID_SESSION_TOKEN'])
  expect((await withToken(second.body.token)('GET /v1/account')).status).toBe(200)
})

rule('S-ACC-01', async () => {
  const { answer, email } = await world.register({ name: 'Ann' })
  const { body } = await withToken(answer.body.token)('GET /v1/account')
  const now = world.instant()
  expect(body).toEqual({
    id: expect.stringMatching(/^acc_/),
    email,
    name: 'Ann',
    plan: 'free',
    created_at: now,
    updated_at: now,
  })
})

rule('S-ACC-02', async () => {
  const { email } = await world.register()
  expect(outcome((await world.register({ email })).answer)).toEqual([409, 'EMAIL_TAKEN'])
})

rule('C-2-01', async () => {
  const { answer } = await world.register()
  expect([answer.status, answer.body.account.plan]).toEqual([201, 'free'])
  for (const password of ['1234567', 'x'.repeat(257)]) {
    expect(outcome((await world.register({ password })).answer)).toEqual([400, 'VALIDATION_FAILED'])
  }
  for (const password of ['12345678', 'x'.repeat(256)]) {
    expect((await world.register({ password })).answer.status).toBe(201)
  }
  for (const field of ['email', 'password', 'name']) {
    const { body } = (await world.register({ [field]: undefined })).answer
    expect(body.details.issues[0].path).toBe(field)
  }
})

rule('C-2-02', async () => {
  const { answer, email, password } = await world.register()
  const { status, body } = await login(email, password)
  expect([status, body.account, body.expires_at]).toEqual([200, answer.body.account, world.instant(WEEK)])
})

rule('C-2-03', async () => {
  const { token } = (await world.register()).answer.body
  const answers = await Promise.all(Array.from({ length: 16 }, () => withToken(token)('POST /v1/auth/refresh')))
  const lost = answers.filter(({ status }) => status !== 200)
  expect(lost).toHaveLength(15)
  for (const answer of lost) expect(outcome(answer)).toEqual([401, 'INVALID_SESSION_TOKEN'])
  expect(outcome(await withToken(token)('POST /v1/auth/refresh'))).toEqual([401, 'INVALID_SESSION_TOKEN'])
})

rule('C-2-04', async () => {
  const { token } = (await world.register()).answer.body
  expect((await withToken(token)('POST /v1/auth/logout')).status).toBe(204)
  expect(outcome(await withToken(token)('GET /v1/account'))).toEqual([401, 'INVALID_SESSION_TOKEN'])
})

rule('C-2-05', async () => {
  const { answer, email, password } = await world.register()
  const other = (await login(email, password)).body.token
  await withToken(other)('POST /v1/auth/refresh')
  expect((await withToken(answer.body.token)('GET /v1/account')).status).toBe(200)
})

rule('C-2-06', async () => {
  const { email } = await world.register()
  const answers = [await login(email, 'wrong'), await login('nobody@example.com', 'wrong')]
  for (const answer of answers) expect(outcome(answer)).toEqual([401, 'INVALID_LOGIN'])
  const [known, unknown] = answers.map(({ body: { request_id: _, ...rest } }) => rest)
  expect(known).toEqual(unknown)
})

rule('C-2-07', async () => {
  const { answer, password } = await world.register({ email: 'Ann@Example.com' })
  expect((await login('aNN@eXAMPLE.com', password)).body.account.id).toBe(answer.body.account.id)
  expect(outcome((await world.register({ email: 'ANN@example.COM' })).answer)).toEqual([409, 'EMAIL_TAKEN'])
})

rule('C-2-17', async () => {
  const { token, account } = (await world.register()).answer.body
  expect(claimsOf(token, 0).alg).toBe('HS256')
  expect(claimsOf(token, 1)).toMatchObject({ sub: account.id, jti: expect.stringMatching(/^ses_/) })
  const [head, body] = token.split('.')
  for (const forged of [`${head}.${body}.`, `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`]) {
    expect(outcome(await withToken(forged)('GET /v1/account'))).toEqual([401, 'INVALID_SESSION_TOKEN'])
  }
})

rule('C-2-21', async () => {
  const { email, password } = await world.register()
  for (let n = 0; n < 5; n++) expect(outcome(await login(email, 'wrong'))).toEqual([401, 'INVALID_LOGIN'])
  const refused = await login(email, password)
  expect(outcome(refused)).toEqual([429, 'RATE_LIMITED'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  world.clock.advance(60_000)
  expect((await login(email, password)).status).toBe(200)
  world = await World.open({ app: { trustProxy: 1 } })
  const ann = await world.register()
  const from = (address: string, tried: string) =>
    world.nobody('POST /v1/auth/login', { email: ann.email, password: tried }, { 'x-forwarded-for': address })
  for (let n = 0; n < 5; n++) expect((await from('203.0.113.1', 'wrong')).status).toBe(401)
  expect(outcome(await from('203.0.113.1', ann.password))).toEqual([429, 'RATE_LIMITED'])
  expect((await from('203.0.113.2', ann.password)).status).toBe(200)
})

rule('C-2-22', async () => {
  const wrong = (n: number) =>
    world.nobody(
      'POST /v1/auth/login',
      { email: `nobody${n}@example.com`, password: 'wrong' },
      { 'x-forwarded-for': `198.51.100.${n}`, forwarded: `for=198.51.100.${n}` },
    )
  for (let n = 0; n < 30; n++) expect(outcome(await wrong(n))).toEqual([401, 'INVALID_LOGIN'])
  expect(outcome(await wrong(30))).toEqual([429, 'RATE_LIMITED'])
  world.clock.advance(600_000)
  expect(outcome(await wrong(31))).toEqual([401, 'INVALID_LOGIN'])
})

rule('C-2-24', async () => {
  const { passwords } = nodePlatform({ secret: 'a secret that is long enough for a test' })
  world = await World.open({ core: { passwords } })
  const { answer, email, password } = await world.register()
  const stored = await world.storage.get('account', answer.body.account.id)
  expect(JSON.stringify(stored)).toContain('$argon2id$')
  expect(JSON.stringify(stored)).not.toContain(password)
  expect((await login(email, password)).status).toBe(200)
})

rule('C-2-25', async () => {
  const studio = await world.studio()
  const other = await World.open({ seed: 2, core: { storage: world.storage, nodeId: 'other' } })
  const there = (headers: Record<string, string>, what: string) => other.as(headers)(what).then(outcome)
  const key = { 'api-key': studio.serverKey }
  expect(await there(key, 'GET /v1/queues')).toEqual([200, undefined])
  const session = { authorization: `Bearer ${studio.token}` }
  expect(await there(session, 'GET /v1/account')).toEqual([200, undefined])
  const keyId = studio.project.keys[1].key_id
  await studio.developer(`DELETE /v1/projects/${studio.projectId}/keys/${keyId}`)
  expect(await there(key, 'GET /v1/queues')).toEqual([401, 'INVALID_API_KEY'])
  const { token } = (await studio.developer('POST /v1/auth/refresh')).body
  expect(await there(session, 'GET /v1/account')).toEqual([401, 'INVALID_SESSION_TOKEN'])
  await withToken(token)('POST /v1/auth/logout')
  expect(await there({ authorization: `Bearer ${token}` }, 'GET /v1/account')).toEqual([401, 'INVALID_SESSION_TOKEN'])
})

rule('C-2-26', async () => {
  world = await World.open({ app: { trustProxy: true } })
  const wrong = (n: number, address: string) =>
    world.nobody(
      'POST /v1/auth/login',
      { email: `nobody${n}@example.com`, password: 'wrong' },
      // Only the last hop is trusted: the client itself can write the addresses before it.
      { 'x-forwarded-for': `198.51.100.${n}, ${address}` },
    )
  for (let n = 0; n < 30; n++) expect(outcome(await wrong(n, '203.0.113.1'))).toEqual([401, 'INVALID_LOGIN'])
  expect(outcome(await wrong(30, '203.0.113.1'))).toEqual([429, 'RATE_LIMITED'])
  expect(outcome(await wrong(31, '203.0.113.2'))).toEqual([401, 'INVALID_LOGIN'])
})
