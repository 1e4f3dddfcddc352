import type { IncomingMessage } from 'node:http'
import { ServiceError } from '@matchyard/core'
import { FakeClock } from '@matchyard/testkit'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { describe, expect, test, vi } from 'vitest'
import { flexibleRateLimiter, memoryRateLimiter } from '../src/index'
import { addressOf, networkOf, siteOf, tellsCallersApart } from '../src/middleware/client-address'
import { FailureThrottle, MAX_WAITING_ATTEMPTS, MAX_WAITING_IN_ALL } from '../src/middleware/failure-throttle'
import { LateAnswers, MAX_LATE_ANSWERS } from '../src/middleware/late-answers'
import type { RateLimiter } from '../src/middleware/rate-limiter'
import { MAX_RETURNING, Returning } from '../src/middleware/returning'
import { MAX_KEY_CHARACTERS, MAX_WINDOWS } from '../src/middleware/windows'
import { loginLateMs } from '../src/routes/limits'
import { type CallOptions, client } from './harness/client'
import { type Service, startService } from './harness/service'
import { makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

const MINUTE = 60_000

/** Calls that seem to come from an address. */
function from(service: Service, remoteAddress: string) {
  const incoming = { socket: { remoteAddress }, rawHeaders: [] } as unknown as IncomingMessage
  const request: typeof service.app.request = (input, init) => {
    // Only a body with an announced length is read through node-server; here the request itself holds it.
    const headers = { ...(init?.headers as Record<string, string>), 'transfer-encoding': 'chunked' }
    return service.app.request(input, { ...init, headers }, { incoming: withBody(incoming, init?.body) })
  }
  return client({ request } as typeof service.app)
}

const withBody = (incoming: IncomingMessage, body: unknown) =>
  Object.assign(Object.create(incoming), {
    iterator: async function* () {
      if (body !== undefined && body !== null) yield Buffer.from(String(body))
    },
  })

describe('cancelling matchmaking', async () => {
  const service = await startService()
  const studio = await openStudio(service)
  await makeQueue(service, studio)
  const cancel = (lobbyId: string, player: string, by: Studio = studio) =>
    service.call(`DELETE /v1/lobbies/${lobbyId}/queue`, { key: by.client, player })

  test('is possible 5 times a second per player, counted before anything is looked at', async () => {
    const { lobby_id: lobbyId } = await makeLobby(service, studio, 'ann')
    await service.call(`POST /v1/lobbies/${lobbyId}/queue`, { key: studio.client, player: 'ann' })
    const first = await cancel(lobbyId, 'ann')
    expect([first.status, first.body.status]).toEqual([200, 'waiting'])
    expect(first.headers.get('ratelimit')).toBe('"cancel-matchmaking";r=4;t=1')
    expect(first.headers.get('ratelimit-policy')).toBe('"cancel-matchmaking";q=5;w=1')
    // A wrong state, a lobby that is not there: they count all the same.
    expect((await cancel(lobbyId, 'ann')).body.code).toBe('INVALID_LOBBY_STATE')
    expect((await cancel('lob_none', 'ann')).body.code).toBe('LOBBY_NOT_FOUND')
    for (let i = 0; i < 2; i++) await cancel(lobbyId, 'ann')
    const sixth = await cancel(lobbyId, 'ann')
    expect([sixth.status, sixth.body.code, sixth.headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '1'])
    expect(sixth.headers.get('ratelimit')).toBe('"cancel-matchmaking";r=0;t=1')
    // Another player and another project are not concerned.
    expect((await cancel(lobbyId, 'bob')).body.code).toBe('NOT_HOST')
    const other = await openStudio(service)
    expect((await cancel(lobbyId, 'ann', other)).body.code).toBe('LOBBY_NOT_FOUND')
    service.clock.advance(999)
    expect((await cancel(lobbyId, 'ann')).status).toBe(429)
    service.clock.advance(1)
    expect((await cancel(lobbyId, 'ann')).body.code).toBe('INVALID_LOBBY_STATE')
  })

  test('a player whose name holds another’s is counted apart', async () => {
    for (let i = 0; i < 5; i++) await cancel('lob_none', '","x')
    expect((await cancel('lob_none', 'x')).status).toBe(404)
  })
})

describe('failed logins', () => {
  const login = (call: Service['call'], email: string, password: string, headers?: CallOptions['headers']) =>
    call('POST /v1/auth/login', { body: { email, password }, ...(headers ? { headers } : {}) })
  const register = (service: Service, email: string) =>
    service.call('POST /v1/auth/register', { body: { email, password: 'correct horse', name: 'A' } })

  test('are 5 a minute per account and address, then even the right password waits there', async () => {
    const service = await startService()
    await register(service, 'ann@example.com')
    for (let i = 0; i < 5; i++) {
      const { status, body } = await login(service.call, 'Ann@Example.com', 'wrong')
      expect([status, body.code]).toEqual([401, 'INVALID_LOGIN'])
    }
    const { status, body, headers } = await login(service.call, 'ann@example.com', 'correct horse')
    expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '60'])
    service.clock.advance(MINUTE)
    expect((await login(service.call, 'ann@example.com', 'correct horse')).status).toBe(200)
  })

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
    // Nothing of it is in the way of the right one, and an unknown account is answered as late.
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

  test('are 30 in 10 minutes per address, over all accounts; a forwarded header changes nothing', async () => {
    const service = await startService()
    const here = from(service, '203.0.113.7')
    for (let i = 0; i < 30; i++) {
      const headers = { 'x-forwarded-for': `198.51.100.${i}` }
      expect((await login(here, `a${i}@example.com`, 'wrong', headers)).status).toBe(401)
    }
    expect((await login(here, 'b@example.com', 'wrong', { 'x-forwarded-for': '192.0.2.1' })).status).toBe(429)
    expect((await login(from(service, '203.0.113.8'), 'b@example.com', 'wrong')).status).toBe(401)
    service.clock.advance(10 * MINUTE)
    expect((await login(here, 'b@example.com', 'wrong')).status).toBe(401)
  })

  test('are 120 in 10 minutes of an IPv6 site, however many networks it has', async () => {
    const service = await startService()
    const at = (network: number, site = 'aaaa') => from(service, `2001:db8:${site}:${network.toString(16)}::1`)
    for (let i = 0; i < 120; i++) expect((await login(at(i), `a${i}@example.com`, 'wrong')).status).toBe(401)
    const refused = await login(at(200), 'b@example.com', 'wrong')
    expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([429, '"login-site";q=120;w=600'])
    expect((await login(at(0, 'bbbb'), 'b@example.com', 'wrong')).status).toBe(401)
  })

  test('behind a trusted proxy the address it saw counts, not what the client claims', async () => {
    const service = await startService({ app: { trustProxy: true } })
    const proxy = from(service, '10.0.0.1')
    for (let i = 0; i < 30; i++) {
      const headers = { 'x-forwarded-for': `192.0.2.${i}, 203.0.113.7` }
      expect((await login(proxy, `a${i}@example.com`, 'wrong', headers)).status).toBe(401)
    }
    expect((await login(proxy, 'b@example.com', 'wrong', { 'x-forwarded-for': '203.0.113.7' })).status).toBe(429)
    expect((await login(proxy, 'b@example.com', 'wrong', { 'x-forwarded-for': '203.0.113.8' })).status).toBe(401)
  })
})

describe('invite codes that nobody has', async () => {
  const service = await startService()
  const studio = await openStudio(service)
  await makeQueue(service, studio)
  const lobby = await makeLobby(service, studio, 'ann', { is_private: true })
  const join = (call: Service['call'], code: string, by: Studio = studio) =>
    call('POST /v1/lobbies/join', { key: by.client, player: 'bob', body: { invite_code: code } })

  test('may be tried 30 times a minute from an address, and are answered late past 300 in a project', async () => {
    const attacker = from(service, '203.0.113.7')
    for (let i = 0; i < 30; i++) expect((await join(attacker, 'NOPE')).body.code).toBe('INVALID_INVITE_CODE')
    const refused = await join(attacker, lobby.invite_code)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect(refused.headers.get('ratelimit-policy')).toBe('"invite-address";q=30;w=60')
    // Another address may, and one that is right is never counted.
    const friend = from(service, '203.0.113.8')
    for (let i = 0; i < 31; i++) expect((await join(friend, lobby.invite_code)).status).toBe(200)
    for (let i = 0; i < 270; i++) {
      expect((await join(from(service, `198.51.100.${i % 200}`), 'NOPE')).status).toBe(404)
    }
    // Past those of the project a wrong one is answered late, and a right one as ever.
    let answered = false
    const before = service.clock.waiting
    const late = join(friend, 'NOPE').finally(() => {
      answered = true
    })
    await vi.waitFor(() => expect(service.clock.waiting).toBe(before + 1))
    expect((await join(friend, lobby.invite_code)).status).toBe(200)
    expect(answered).toBe(false)
    service.clock.advance(1_000)
    expect((await late).body.code).toBe('INVALID_INVITE_CODE')
    // Codes that nobody has are counted for each project apart, and those of its backend are not.
    const other = await openStudio(service)
    expect((await join(attacker, 'NOPE', other)).status).toBe(404)
    const byBackend = { ...studio, client: studio.server }
    for (let i = 0; i < 31; i++) expect((await join(friend, 'NOPE', byBackend)).status).toBe(404)
    expect((await join(attacker, lobby.invite_code, byBackend)).status).toBe(200)
    service.clock.advance(MINUTE)
    expect((await join(attacker, lobby.invite_code)).status).toBe(200)
  })

  test('a code with control characters is only an unknown one', async () => {
    expect((await join(from(service, '192.0.2.77'), 'A\u0000B')).body.code).toBe('INVALID_INVITE_CODE')
  })
})

describe('addresses', () => {
  test.each([
    ['203.0.113.7:4711', '203.0.113.7'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['203.0.113.7', '203.0.113.7'],
  ])('that a proxy forwards as %s are %s', (forwarded, address) => {
    const sent = { incoming: undefined, header: () => `198.51.100.1, ${forwarded}` }
    expect(addressOf(sent, 1)).toBe(address)
  })

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s counts as %s', (address, network) => expect(networkOf(address)).toBe(network))

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2::1', '2001:db8:1::/48'],
    ['unknown', 'unknown'],
  ])('%s is of the site %s', (address, site) => expect(siteOf(networkOf(address))).toBe(site))

  test.each([
    ['127.0.0.1', false],
    ['::ffff:10.1.2.3', false],
    ['172.16.0.9', false],
    ['172.32.0.9', true],
    ['192.168.1.1', false],
    ['100.64.0.1', false],
    ['::1', false],
    ['fd00:1::2', false],
    ['fe80::1', false],
    ['unknown', false],
    ['198.51.100.7', true],
    ['2001:db8::1', true],
  ])('of %s it is known that it tells callers apart: %s', (address, does) =>
    expect(tellsCallersApart(networkOf(address))).toBe(does),
  )
})

describe('a crowd of attempts on one suspect', () => {
  const suspect = { rule: { name: 'login', points: 5, windowMs: 1_000 }, key: 'ann' }
  const failed = () => new ServiceError('INVALID_LOGIN', 'no')

  /** So many attempts at once, each of which answers `work`; how they ended, and how often the counts were looked at. */
  async function crowd(attempts: number, work: () => Promise<string>, keyOf: (n: number) => string = () => 'ann') {
    const counts = memoryRateLimiter({ now: () => 0 })
    let looks = 0
    const limiter: RateLimiter = {
      ...counts,
      peek: (rule, key) => {
        looks++
        return counts.peek(rule, key)
      },
    }
    const throttle = new FailureThrottle(limiter, new LateAnswers(new FakeClock()))
    const attempt = (n: number) => ({
      suspects: [{ ...suspect, key: keyOf(n) }],
      headers: {},
      work,
      counts: (error: unknown) => error !== undefined,
    })
    const ends = Array.from({ length: attempts }, (_, n) =>
      throttle.attempt(attempt(n)).catch((error: ServiceError) => error.code),
    )
    const told = await Promise.all(ends)
    return { looks, of: (end: string) => told.filter((one) => one === end).length }
  }

  test('looks at the counts as often as there are attempts, not as their square', async () => {
    const wrong = await crowd(2_000, () => Promise.reject(failed()))
    expect([wrong.of('INVALID_LOGIN'), wrong.of('RATE_LIMITED')]).toEqual([5, 1_995])
    expect(wrong.looks).toBeLessThan(2_500)
  })

  test('waits in a line with an end: past it an attempt is refused at once', async () => {
    const right = await crowd(2_000, async () => 'in')
    expect(right.of('in')).toBe(5 + MAX_WAITING_ATTEMPTS)
    expect(right.of('RATE_LIMITED')).toBe(2_000 - 5 - MAX_WAITING_ATTEMPTS)
  })

  test('waits in no more places than its bound over all suspects, and who need not wait is not concerned', async () => {
    const suspects = 100
    const right = await crowd(
      100 * suspects,
      async () => 'in',
      (n) => `account ${n % suspects}`,
    )
    expect(right.of('in')).toBe(5 * suspects + MAX_WAITING_IN_ALL)
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

describe('answers that are held back', () => {
  test('are so many at the most: past it the oldest is given at once', async () => {
    const clock = new FakeClock()
    const late = new LateAnswers(clock)
    const given: number[] = []
    for (let i = 0; i < MAX_LATE_ANSWERS + 2; i++) void late.hold(1_000).then(() => given.push(i))
    await Promise.resolve()
    await Promise.resolve()
    expect(given).toEqual([0, 1])
    expect(clock.waiting).toBe(MAX_LATE_ANSWERS)
    clock.advance(1_000)
    await vi.waitFor(() => expect(given).toHaveLength(MAX_LATE_ANSWERS + 2))
    expect(clock.waiting).toBe(0)
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

describe('limiters', () => {
  const rule = { name: 'test', points: 2, windowMs: 1_000 }

  test('in memory keep no more windows than their bound, the newest', async () => {
    const limiter = memoryRateLimiter({ now: () => 0 })
    for (let i = 0; i <= MAX_WINDOWS; i++) await limiter.consume(rule, `key ${i}`)
    expect((await limiter.peek(rule, 'key 0')).consumed).toBe(0)
    expect((await limiter.peek(rule, `key ${MAX_WINDOWS}`)).consumed).toBe(1)
  })

  test('in memory keep no more characters of keys than their bound', async () => {
    const limiter = memoryRateLimiter({ now: () => 0 })
    const long = (i: number) => `${i} `.padEnd(1_024, 'x')
    for (let i = 0; i <= MAX_KEY_CHARACTERS / 1_024; i++) await limiter.consume(rule, long(i))
    expect((await limiter.peek(rule, long(0))).consumed).toBe(0)
    expect((await limiter.peek(rule, long(MAX_KEY_CHARACTERS / 1_024))).consumed).toBe(1)
  })

  test('in memory forget those of the owner with the most, and none of another rule', async () => {
    const limiter = memoryRateLimiter({ now: () => 0 })
    await limiter.consume(rule, 'ann', 'prj_quiet')
    await limiter.consume({ ...rule, name: 'other' }, 'key 0', 'prj_loud')
    for (let i = 0; i <= MAX_WINDOWS; i++) await limiter.consume(rule, `key ${i}`, 'prj_loud')
    expect((await limiter.peek(rule, 'ann')).consumed).toBe(1)
    expect((await limiter.peek({ ...rule, name: 'other' }, 'key 0')).consumed).toBe(1)
    expect((await limiter.peek(rule, 'key 0')).consumed).toBe(0)
  })

  test('in memory forget windows that are over', async () => {
    let now = 0
    const limiter = memoryRateLimiter({ now: () => now })
    for (let i = 0; i < 25_000; i++) await limiter.consume(rule, `key ${i}`)
    now = 1_000
    expect(await limiter.peek(rule, 'key 1')).toEqual({ consumed: 0, resetMs: 0 })
    expect(await limiter.consume(rule, 'key 1')).toEqual({ consumed: 1, resetMs: 1_000 })
  })

  test('of rate-limiter-flexible count the same', async () => {
    const limiter = flexibleRateLimiter(
      ({ name, points, windowMs }) => new RateLimiterMemory({ keyPrefix: name, points, duration: windowMs / 1_000 }),
    )
    expect((await limiter.peek(rule, 'a')).consumed).toBe(0)
    for (let i = 1; i <= 3; i++) expect((await limiter.consume(rule, 'a')).consumed).toBe(i)
    const { consumed, resetMs } = await limiter.peek(rule, 'a')
    expect(consumed).toBe(3)
    expect(resetMs).toBeGreaterThan(0)
    expect((await limiter.consume(rule, 'b')).consumed).toBe(1)
  })

  test('of a store that is down refuse with UNAVAILABLE instead of letting everybody through', async () => {
    const broken = { consume: () => Promise.reject(new Error('no database')), get: async () => null }
    const service = await startService({ app: { limiter: flexibleRateLimiter(() => broken) } })
    const studio = await openStudio(service)
    const { body } = await service.call('DELETE /v1/lobbies/x/queue', { key: studio.client, player: 'ann' })
    expect(body.code).toBe('UNAVAILABLE')
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
