import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { fakePlatform } from '@matchyard/testkit'
import { generateSync } from 'otplib/functional'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Service, startService } from './harness/service'
import { openStudio, type Studio } from './harness/studio'

const PATH = '/v1/account/second-factor'
const EMAIL = 'owner@example.com'
const PASSWORD = 'correct horse'
const MINUTE = 60_000

let service: Service
let studio: Studio

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service, 'free', EMAIL)
})

/** Returns the code of the authenticator, a number of 30-second steps from now. */
const codeOf = (secret: string, steps = 0) =>
  generateSync({ secret, epoch: Math.floor(service.clock.now() / 1_000) + steps * 30 })
const begin = (password = PASSWORD) => service.call(`POST ${PATH}`, { token: studio.token, body: { password } })
const activate = (code: string) => service.call(`PUT ${PATH}`, { token: studio.token, body: { code } })
const remove = (code: string) => service.call(`POST ${PATH}/remove`, { token: studio.token, body: { code } })
const login = (code?: string, options: { password?: string; headers?: Record<string, string> } = {}, on = service) =>
  on.call('POST /v1/auth/login', {
    body: { email: EMAIL, password: options.password ?? PASSWORD, ...(code === undefined ? {} : { code }) },
    headers: options.headers ?? {},
  })
const said = async (answer: Promise<{ status: number; body: { code?: string } | null }>) => {
  const { status, body } = await answer
  return [status, body?.code]
}

/** Sets up a second factor, and returns its secret and recovery codes. A new code works from the next step on. */
async function withFactor(): Promise<{ secret: string; recovery: readonly string[] }> {
  const { secret } = (await begin()).body
  const { status, body, text } = await activate(codeOf(secret))
  expect(status, text).toBe(200)
  service.clock.advance(MINUTE)
  return { secret, recovery: body.recovery_codes }
}

const WRONG_LOGIN = [401, 'INVALID_LOGIN']
const REQUIRED = [401, 'SECOND_FACTOR_REQUIRED']
const REFUSED = [403, 'SECOND_FACTOR_REFUSED']
const WRONG_STATE = [409, 'SECOND_FACTOR_STATE']
const LIMITED = [429, 'RATE_LIMITED']

describe('a second factor', () => {
  test('is begun with the password, activated with a code, and shows its secrets once', async () => {
    expect(await said(begin('wrong horse'))).toEqual(REFUSED)
    const headers = { 'idempotency-key': 'begin' }
    const once = () => service.call(`POST ${PATH}`, { token: studio.token, body: { password: PASSWORD }, headers })
    const { status, body } = await once()
    expect(status).toBe(201)
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
    const uri = new URL(body.uri)
    expect([uri.protocol, uri.host, uri.searchParams.get('secret')]).toEqual(['otpauth:', 'totp', body.secret])
    expect(decodeURIComponent(uri.pathname)).toBe(`/Matchyard:${EMAIL}`)
    expect((await once()).body).toEqual({})
    expect((await login()).status).toBe(200)
    expect(await said(activate('000000'))).toEqual(REFUSED)
    const activated = (await activate(codeOf(body.secret))).body
    expect(activated).toMatchObject({ active: true, activated_at: '2026-03-01T00:00:00.000Z', recovery_codes_left: 10 })
    expect(new Set(activated.recovery_codes).size).toBe(10)
    const state = (await service.call(`GET ${PATH}`, { token: studio.token })).body
    expect(state).toEqual({ active: true, activated_at: '2026-03-01T00:00:00.000Z', recovery_codes_left: 10 })
    const account = await service.storage.get('account', studio.accountId)
    const stored = JSON.stringify(account)
    for (const secret of [body.secret, ...activated.recovery_codes]) expect(stored).not.toContain(secret)
  })

  test('cannot be activated after an hour, or without a begin, or twice; a repeated begin replaces the secret', async () => {
    expect(await said(activate('123456'))).toEqual(WRONG_STATE)
    const { secret: first } = (await begin()).body
    const { secret } = (await begin()).body
    expect(await said(activate(codeOf(first)))).toEqual(REFUSED)
    service.clock.advance(60 * MINUTE)
    expect(await said(activate(codeOf(secret)))).toEqual(WRONG_STATE)
    const factor = await withFactor()
    expect(await said(activate(codeOf(factor.secret)))).toEqual(WRONG_STATE)
    expect(await said(begin())).toEqual(WRONG_STATE)
  })

  test('is asked for only after the right password', async () => {
    const { secret } = await withFactor()
    expect(await said(login())).toEqual(REQUIRED)
    expect(await said(login(undefined, { password: 'wrong horse' }))).toEqual(WRONG_LOGIN)
    expect(await said(login(codeOf(secret), { password: 'wrong horse' }))).toEqual(WRONG_LOGIN)
    expect((await login(codeOf(secret))).status).toBe(200)
  })

  test('takes the code of the step before and after, each code once, and none of an earlier step', async () => {
    const { secret } = await withFactor()
    expect(await said(login(codeOf(secret, -2)))).toEqual(WRONG_LOGIN)
    expect(await said(login(codeOf(secret, 2)))).toEqual(WRONG_LOGIN)
    expect((await login(codeOf(secret, -1))).status).toBe(200)
    expect(await said(login(codeOf(secret, -1)))).toEqual(WRONG_LOGIN)
    expect((await login(codeOf(secret, 1))).status).toBe(200)
    expect(await said(login(codeOf(secret)))).toEqual(WRONG_LOGIN)
  })

  test('takes each recovery code once, however it is typed', async () => {
    const { recovery } = await withFactor()
    const [first = '', second = ''] = recovery
    expect(first).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/)
    expect((await login(first)).status).toBe(200)
    expect(await said(login(first))).toEqual(WRONG_LOGIN)
    expect((await login(second.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
    const { body } = await service.call(`GET ${PATH}`, { token: studio.token })
    expect(body.recovery_codes_left).toBe(8)
  })

  test('is removed with a code, and with a recovery code', async () => {
    const { secret } = await withFactor()
    expect(await said(remove('000000'))).toEqual(REFUSED)
    expect((await remove(codeOf(secret))).status).toBe(204)
    expect((await login()).status).toBe(200)
    expect(await said(remove(codeOf(secret, 1)))).toEqual(WRONG_STATE)
    const { recovery } = await withFactor()
    expect((await remove(recovery[0] ?? '')).status).toBe(204)
    expect((await login()).status).toBe(200)
  })

  test('does not stop the one-time code of the operator, an embedded sign-in, or a removal by the operator', async () => {
    await withFactor()
    const { accounts, secondFactor } = service.matchyard
    const { accountId } = studio
    const { code } = await accounts.drawSignInCode({ accountId })
    expect(await accounts.useSignInCode({ code })).toBe(accountId)
    expect((await accounts.signIn({ accountId })).account.id).toBe(accountId)
    const actor = { kind: 'operator' } as const
    await secondFactor.reset({ accountId }, { actor })
    await secondFactor.reset({ accountId }, { actor })
    expect((await login()).status).toBe(200)
    const { data } = await service.matchyard.audit.list({ accountId, operation: 'secondFactor.reset' })
    expect(data).toHaveLength(1)
  })

  test('leaves changes in the audit log without secrets, and no wrong codes', async () => {
    const { secret } = await withFactor()
    await remove('000000')
    await remove(codeOf(secret))
    const { data } = (await service.call('GET /v1/audit', { token: studio.token })).body
    const changes = data.filter(({ operation }: { operation: string }) => operation.startsWith('secondFactor.'))
    expect(changes.map(({ operation }: { operation: string }) => operation)).toEqual([
      'secondFactor.remove',
      'secondFactor.activate',
      'secondFactor.begin',
    ])
    expect(changes[0]).toMatchObject({ target: { kind: 'account', id: studio.accountId } })
    expect(JSON.stringify(changes)).not.toMatch(/sealed|hash/i)
  })
})

describe('wrong codes', () => {
  const fromOthers = (n: number) => ({ 'x-forwarded-for': `203.0.113.${n}` })

  beforeEach(async () => {
    service = await startService({ app: { trustProxy: 1 } })
    studio = await openStudio(service, 'free', EMAIL)
  })

  test('are five in 15 minutes from all addresses, and a right password does not reset them', async () => {
    const { secret } = await withFactor()
    for (let n = 0; n < 5; n++) expect(await said(login('000000', { headers: fromOthers(n) }))).toEqual(WRONG_LOGIN)
    expect(await said(login(undefined, { headers: fromOthers(9) }))).toEqual(REQUIRED)
    const refused = await login(codeOf(secret), { headers: fromOthers(10) })
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([...LIMITED, '900'])
    expect(await said(remove(codeOf(secret)))).toEqual(LIMITED)
    service.clock.advance(15 * MINUTE)
    expect(await said(login('000000', { headers: fromOthers(11) }))).toEqual(WRONG_LOGIN)
    expect((await login(codeOf(secret), { headers: fromOthers(12) })).status).toBe(200)
  })

  test('that are sent at once are not more chances', async () => {
    await withFactor()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => said(login('000000', { headers: fromOthers(n) }))),
    )
    expect(answers.filter(([, code]) => code === 'INVALID_LOGIN').length).toBe(5)
    expect(answers.filter(([, code]) => code === 'RATE_LIMITED' || code === 'CONFLICT').length).toBe(15)
  })
})

describe('a code', () => {
  test('that is sent to two nodes at once signs in once', async () => {
    const data = emptyMemoryData()
    service = await startService({ core: { storage: memoryStorage({ data }) } })
    const platform = fakePlatform({ clock: service.clock, seed: 2 })
    const other = await startService({ core: { ...platform, storage: memoryStorage({ data }) } })
    studio = await openStudio(service, 'free', EMAIL)
    const { secret } = await withFactor()
    const code = codeOf(secret)
    const answers = await Promise.all([service, other, service, other].map((node) => said(login(code, {}, node))))
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
    expect(answers.filter(([status]) => status === 401)).toHaveLength(3)
  })

  test('of a login that is repeated with its idempotency key is spent once, and opens no second session', async () => {
    const { secret } = await withFactor()
    const [code, headers] = [codeOf(secret), { 'idempotency-key': 'again' }]
    const first = await login(code, { headers })
    expect((await login(code, { headers })).body).toEqual(first.body)
    await service.call('POST /v1/auth/logout', { token: first.body.token })
    expect(await said(login(code, { headers }))).toEqual(WRONG_LOGIN)
  })
})
