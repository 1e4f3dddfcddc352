import { describe, expect, test } from 'vitest'
import { normaliseEmail, registrationIssues } from '../../src/account/credentials'
import { liveSession } from '../../src/account/decide'

const good = { email: 'ann@example.com', password: 'correct horse', name: 'Ann' }
const pathsOf = (fields: Partial<typeof good>) => registrationIssues({ ...good, ...fields }).map(({ path }) => path)

describe('a registration', () => {
  test('that is in order has no issues', () => {
    expect(registrationIssues(good)).toEqual([])
  })

  test.each([
    '',
    'ann',
    'ann@',
    '@example.com',
    'ann@example',
    'ann @example.com',
    'ann@exa mple.com',
    'ann@example..com',
  ])('takes no e-mail address like %j', (email) => {
    expect(pathsOf({ email })).toEqual(['email'])
  })

  test('takes addresses as long as mail allows', () => {
    const domain = `${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.example.com`
    const local = (length: number) => `${'a'.repeat(length - domain.length - 1)}@${domain}`
    expect(pathsOf({ email: local(254) })).toEqual([])
    expect(pathsOf({ email: local(255) })).toEqual(['email'])
  })

  test('counts a password in characters, 8 to 256', () => {
    const characters = (count: number) => '🔑'.repeat(count)
    expect(pathsOf({ password: characters(7) })).toEqual(['password'])
    expect(pathsOf({ password: characters(8) })).toEqual([])
    expect(pathsOf({ password: characters(256) })).toEqual([])
    expect(pathsOf({ password: characters(257) })).toEqual(['password'])
  })

  test('wants a name of 1 to 128 characters of valid text', () => {
    expect(pathsOf({ name: '' })).toEqual(['name'])
    expect(pathsOf({ name: 'é'.repeat(128) })).toEqual([])
    expect(pathsOf({ name: 'é'.repeat(129) })).toEqual(['name'])
    expect(pathsOf({ name: 'broken \ud800' })).toEqual(['name'])
  })

  test('says everything that is wrong at once', () => {
    expect(pathsOf({ email: 'x', password: 'x', name: '' })).toEqual(['email', 'password', 'name'])
  })

  test('addresses are compared lower-cased', () => {
    expect(normaliseEmail('Ann@Example.COM')).toBe('ann@example.com')
  })
})

describe('a session', () => {
  const session = { id: 'ses_1', version: 1, accountId: 'acc_1', createdAt: 0, expiresAt: 1_000, ended: null }
  const codeAt = (
    fields: Partial<Omit<typeof session, 'ended'>> & { ended?: 'refreshed' | 'logged_out' },
    at: number,
  ) => {
    const verdict = liveSession({ ...session, ...fields }, at)
    return verdict.ok ? 'live' : verdict.rejected.code
  }

  test('lives until its last millisecond', () => {
    expect([codeAt({}, 999), codeAt({}, 1_000)]).toEqual(['live', 'SESSION_EXPIRED'])
  })

  test('that ended or is unknown is not valid', () => {
    expect(codeAt({ ended: 'refreshed' }, 1)).toBe('INVALID_SESSION_TOKEN')
    expect(codeAt({ ended: 'logged_out' }, 1)).toBe('INVALID_SESSION_TOKEN')
    expect(liveSession(undefined, 1)).toMatchObject({ ok: false, rejected: { code: 'INVALID_SESSION_TOKEN' } })
  })
})
