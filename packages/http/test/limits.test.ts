import { ServiceError } from '@matchyard/core'
import { FakeClock } from '@matchyard/testkit'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { describe, expect, test, vi } from 'vitest'
import { flexibleRateLimiter, memoryRateLimiter } from '../src/index'
import { addressOf, networkOf, siteOf, tellsCallersApart } from '../src/middleware/client-address'
import { FailureThrottle, MAX_WAITING_ATTEMPTS, MAX_WAITING_IN_ALL } from '../src/middleware/failure-throttle'
import { LateAnswers, MAX_LATE_ANSWERS } from '../src/middleware/late-answers'
import type { RateLimiter } from '../src/middleware/rate-limiter'
import { MAX_KEY_CHARACTERS, MAX_WINDOWS } from '../src/middleware/windows'
import { from } from './harness/from-address'
import { type Service, startService } from './harness/service'
import { makeLobby, makeQueue, openStudio } from './harness/studio'

test('a player whose name holds another’s is counted apart', async () => {
  const service = await startService()
  const { client } = await openStudio(service)
  const cancel = (player: string) => service.call('DELETE /v1/lobbies/lob_none/queue', { key: client, player })
  for (let i = 0; i < 5; i++) await cancel('","x')
  expect((await cancel('x')).status).toBe(404)
})

describe('invite codes that nobody has', async () => {
  const service = await startService()
  const studio = await openStudio(service)
  await makeQueue(service, studio)
  const lobby = await makeLobby(service, studio, 'ann', { is_private: true })
  const join = (call: Service['call'], code: string, key = studio.client) =>
    call('POST /v1/lobbies/join', { key, player: 'bob', body: { invite_code: code } })

  test('may be tried 30 times a minute from an address, and neither right ones nor those of a backend are counted', async () => {
    const attacker = from(service, '203.0.113.7')
    for (let i = 0; i < 30; i++) expect((await join(attacker, 'NOPE')).body.code).toBe('INVALID_INVITE_CODE')
    const refused = await join(attacker, lobby.invite_code)
    expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([429, '"invite-address";q=30;w=60'])
    const friend = from(service, '203.0.113.8')
    for (let i = 0; i < 31; i++) expect((await join(friend, lobby.invite_code)).status).toBe(200)
    for (let i = 0; i < 31; i++) expect((await join(friend, 'NOPE', studio.server)).status).toBe(404)
    expect((await join(attacker, lobby.invite_code, studio.server)).status).toBe(200)
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

  /**
   * Makes many attempts at once, each with `work`. Resolves to the numbers of outcomes, and to the number of reads of
   * the counts.
   */
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
