import { describe, expect, test, vi } from 'vitest'
import { MAX_RETURNING, Returning } from '../src/middleware/returning'
import { loginLateMs } from '../src/routes/limits'
import { from } from './harness/from-address'
import { type Service, startService } from './harness/service'
import { openStudio } from './harness/studio'

const MINUTE = 60_000

describe('failed logins', () => {
  const login = (call: Service['call'], email: string, password: string) =>
    call('POST /v1/auth/login', { body: { email, password } })
  const register = (service: Service, email: string) =>
    service.call('POST /v1/auth/register', { body: { email, password: 'correct horse', name: 'A' } })

  test('from other addresses refuse nobody: they make further failures of the account late, and no right password', async () => {
    const service = await startService()
    await register(service, 'ann@example.com')
    const strangers = Array.from({ length: 6 }, (_, i) => from(service, `203.0.113.${i}`))
    for (let i = 0; i < 5; i++) {
      for (const call of strangers.slice(0, 1)) await login(call, 'ann@example.com', 'wrong')
    }
    const owner = from(service, '198.51.100.1')
    expect((await login(owner, 'ann@example.com', 'correct horse')).status).toBe(200)
    let answered = 0
    const before = service.clock.waiting
    const late = strangers.slice(1).map(async (call) => {
      const { status } = await login(call, 'ann@example.com', 'wrong')
      answered++
      return status
    })
    await vi.waitFor(() => expect(service.clock.waiting).toBe(before + 5))
    expect(answered).toBe(0)
    // The late failures neither refuse nor delay the right password.
    expect((await login(owner, 'ann@example.com', 'correct horse')).status).toBe(200)
    service.clock.advance(2_000)
    expect(await Promise.all(late)).toEqual([401, 401, 401, 401, 401])
  })

  test('of an unknown account are late as those of a known one are, two seconds at the most', () => {
    expect([1, 2, 8, 9, 1_000].map(loginLateMs)).toEqual([250, 500, 2_000, 2_000, 2_000])
  })

  test('of one IPv6 network count together', async () => {
    const service = await startService()
    const codes = []
    for (let i = 0; i < 6; i++)
      codes.push((await login(from(service, `2001:db8:1:2::${i}`), 'ann@example.com', 'wrong')).status)
    expect(codes).toEqual([401, 401, 401, 401, 401, 429])
    expect((await login(from(service, '2001:db8:1:3::1'), 'bob@example.com', 'wrong')).status).toBe(401)
  })

  test('a login that succeeds is never counted', async () => {
    const service = await startService()
    await register(service, 'ann@example.com')
    for (let i = 0; i < 40; i++)
      expect((await login(service.call, 'ann@example.com', 'correct horse')).status).toBe(200)
  })

  test('many at once are not many chances', async () => {
    const service = await startService()
    await register(service, 'ann@example.com')
    const answers = await Promise.all(Array.from({ length: 50 }, () => login(service.call, 'ann@example.com', 'wrong')))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(45)
  })

  test('many right ones at once all get in', async () => {
    const service = await startService()
    await register(service, 'ann@example.com')
    const logins = Array.from({ length: 40 }, () => login(service.call, 'ann@example.com', 'correct horse'))
    expect((await Promise.all(logins)).every(({ status }) => status === 200)).toBe(true)
  })

  test('an account that does not exist is throttled the same, so the throttle tells nothing', async () => {
    const service = await startService()
    const codes = []
    for (let i = 0; i < 6; i++) codes.push((await login(service.call, 'nobody@example.com', 'wrong')).body.code)
    expect(codes).toEqual([...Array(5).fill('INVALID_LOGIN'), 'RATE_LIMITED'])
  })

  test('are 120 in 10 minutes of an IPv6 site, however many networks it has', async () => {
    const service = await startService()
    const at = (network: number, site = 'aaaa') => from(service, `2001:db8:${site}:${network.toString(16)}::1`)
    for (let i = 0; i < 120; i++) expect((await login(at(i), `a${i}@example.com`, 'wrong')).status).toBe(401)
    const refused = await login(at(200), 'b@example.com', 'wrong')
    expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([429, '"login-site";q=120;w=600'])
    expect((await login(at(0, 'bbbb'), 'b@example.com', 'wrong')).status).toBe(401)
  })
})

describe('accounts that strangers make', () => {
  const register = (call: Service['call'], email: string) =>
    call('POST /v1/auth/register', { body: { email, password: 'correct horse', name: 'A' } })

  test('are so many an hour from one address, and past twenty times as many from all one from each', async () => {
    const service = await startService({ app: { registrationsPerHour: 3 } })
    const crowd = Array.from({ length: 8 }, (_, i) => register(from(service, '203.0.113.7'), `a${i}@example.com`))
    const statuses = (await Promise.all(crowd)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(3)
    const refused = await register(from(service, '203.0.113.7'), 'b@example.com')
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      429,
      'RATE_LIMITED',
      '3600',
    ])
    for (let i = 0; i < 57; i++)
      expect((await register(from(service, `198.51.100.${i}`), `c${i}@example.com`)).status).toBe(201)
    const late = from(service, '192.0.2.1')
    expect((await register(late, 'd@example.com')).status).toBe(201)
    const last = await register(late, 'e@example.com')
    expect([last.status, last.headers.get('ratelimit-policy')]).toEqual([429, '"registrations-site";q=1;w=3600'])
    service.clock.advance(60 * MINUTE)
    expect((await register(from(service, '203.0.113.7'), 'b@example.com')).status).toBe(201)
  })

  test('are twice as many from an IPv6 site, however many networks it has', async () => {
    const service = await startService({ app: { registrationsPerHour: 2 } })
    const at = (network: number) => from(service, `2001:db8:aaaa:${network}::1`)
    for (let i = 0; i < 4; i++) expect((await register(at(i), `a${i}@example.com`)).status).toBe(201)
    expect((await register(at(5), 'b@example.com')).status).toBe(429)
  })

  test('are counted where the address is taken too, and not where the input is refused', async () => {
    const service = await startService({ app: { registrationsPerHour: 2 } })
    const here = from(service, '203.0.113.7')
    expect((await register(here, 'no address')).body.code).toBe('VALIDATION_FAILED')
    const codes = []
    for (let i = 0; i < 3; i++) codes.push((await register(here, 'ann@example.com')).body.code)
    expect(codes).toEqual([undefined, 'EMAIL_TAKEN', 'RATE_LIMITED'])
  })
})

describe('places from which accounts signed in', () => {
  test('are remembered up to a number, and the one that was used longest ago is forgotten', () => {
    const returning = new Returning()
    for (let i = 0; i < MAX_RETURNING; i++) returning.note('ann@example.com', `a${i}`)
    returning.note('ann@example.com', 'a0')
    returning.note('Ann@example.com', 'new')
    expect(['a0', 'a1', 'a2', 'new'].map((address) => returning.has('ann@example.com', address))).toEqual([
      true,
      false,
      true,
      true,
    ])
    expect(returning.has('bob@example.com', 'new')).toBe(false)
  })
})

test('an account opens 300 sessions an hour by its password, and as many by refreshing one', async () => {
  const service = await startService()
  const studio = await openStudio(service, 'pro', 'ann@studio.example')
  await openStudio(service, 'pro', 'bob@studio.example')
  const login = (name: string) =>
    service.call('POST /v1/auth/login', { body: { email: `${name}@studio.example`, password: 'correct horse' } })
  let token = studio.token
  const refreshed: number[] = []
  for (let n = 0; n < 301; n++) {
    const { status, body } = await service.call('POST /v1/auth/refresh', { token })
    refreshed.push(status)
    if (status === 200) token = body.token
  }
  expect([refreshed.indexOf(429), refreshed.length]).toEqual([300, 301])
  const codes: unknown[] = []
  for (let n = 0; n < 301; n++) codes.push((await login('ann')).body.code)
  expect([codes.indexOf('RATE_LIMITED'), codes.length]).toEqual([300, 301])
  expect((await login('bob')).status).toBe(200)
  expect((await service.call('GET /v1/account', { token })).status).toBe(200)
  service.clock.advance(60 * MINUTE)
  expect((await login('ann')).status).toBe(200)
})
