import { describe, expect, test } from 'vitest'
import { type ControlPlane, controlPlane, refusal, refused, tally } from './service'

const WEEK = 7 * 24 * 3_600_000
const ann = { email: 'Ann@Example.com', password: 'correct horse', name: 'Ann' }
const whoIs = ({ matchyard }: ControlPlane, token: string) => matchyard.access.authenticate({ bearer: token })

describe('registration', () => {
  test('makes an account on free and logs it in for 7 days', async () => {
    const plane = await controlPlane()
    const grant = await plane.matchyard.accounts.register(ann)
    expect(grant.account).toMatchObject({ email: 'ann@example.com', name: 'Ann', plan: 'free' })
    expect(grant.expiresAt).toBe(plane.clock.now() + WEEK)
    expect(await whoIs(plane, grant.token)).toMatchObject({ kind: 'session', accountId: grant.account.id })
    expect(JSON.stringify(grant)).not.toContain('fake$')
  })

  test('one address is one account, whatever its case and also at once', async () => {
    const { matchyard, passwords } = await controlPlane()
    const calls = Array.from({ length: 8 }, (_, n) =>
      matchyard.accounts.register({ ...ann, email: n % 2 === 0 ? 'ann@example.com' : 'ANN@example.com' }),
    )
    expect(await tally(calls)).toEqual({ ok: 1, EMAIL_TAKEN: 7 })
    // Each call hashes at most once: a lost race does not repeat the slow work.
    expect(passwords.hashes).toBeLessThanOrEqual(8)
    expect(await refusal(matchyard.accounts.register(ann))).toBe('EMAIL_TAKEN')
  })

  test('names everything that is wrong with it', async () => {
    const { matchyard } = await controlPlane()
    const error = await refused(matchyard.accounts.register({ email: 'ann', password: 'short', name: '' }))
    expect(error.code).toBe('VALIDATION_FAILED')
    expect(error.details.issues).toMatchObject([{ path: 'email' }, { path: 'password' }, { path: 'name' }])
  })
})

describe('login', () => {
  test('answers a wrong password and an unknown address alike, after the same work', async () => {
    const { matchyard, passwords } = await controlPlane()
    await matchyard.accounts.register(ann)
    const before = passwords.verifications
    const wrong = await refused(matchyard.accounts.login({ email: ann.email, password: 'wrong horse' }))
    expect(passwords.verifications).toBe(before + 1)
    const unknown = await refused(matchyard.accounts.login({ email: 'bob@example.com', password: 'wrong horse' }))
    expect(passwords.verifications).toBe(before + 2)
    expect([wrong.code, wrong.detail, wrong.details]).toEqual([unknown.code, unknown.detail, unknown.details])
    expect(wrong.code).toBe('INVALID_LOGIN')
  })

  test('a password longer than any never fits, nor one that begins with the right one', async () => {
    const { matchyard } = await controlPlane()
    const password = '🔑'.repeat(256)
    await matchyard.accounts.register({ ...ann, password })
    expect(await refusal(matchyard.accounts.login({ email: ann.email, password: `${password}x` }))).toBe(
      'INVALID_LOGIN',
    )
    expect(await refusal(matchyard.accounts.login({ email: ann.email, password: 'x'.repeat(100_000) }))).toBe(
      'INVALID_LOGIN',
    )
    expect((await matchyard.accounts.login({ email: ann.email, password })).token).toBeTypeOf('string')
  })

  test('does not end other chains', async () => {
    const plane = await controlPlane()
    const first = await plane.matchyard.accounts.register(ann)
    const second = await plane.matchyard.accounts.login({ email: 'ann@EXAMPLE.com', password: ann.password })
    expect(second.token).not.toBe(first.token)
    for (const { token } of [first, second]) expect((await whoIs(plane, token)).kind).toBe('session')
  })

  test('an account made for an embedder takes no password', async () => {
    const { matchyard } = await controlPlane()
    await matchyard.projects.ensure({ name: 'Arena', email: 'embedded@example.com' })
    for (const password of ['', 'x', 'correct horse']) {
      expect(await refusal(matchyard.accounts.login({ email: 'embedded@example.com', password }))).toBe('INVALID_LOGIN')
    }
  })
})

describe('a session', () => {
  test('is replaced by a refresh, which kills the token used', async () => {
    const plane = await controlPlane()
    const old = await plane.matchyard.accounts.register(ann)
    plane.clock.advance(1_000)
    const caller = await plane.matchyard.access.authenticateSession(old.token)
    const fresh = await plane.matchyard.accounts.refresh(caller)
    expect(await refusal(whoIs(plane, old.token))).toBe('INVALID_SESSION_TOKEN')
    expect(await whoIs(plane, fresh.token)).toMatchObject({ accountId: old.account.id })
    expect(fresh.expiresAt).toBe(old.expiresAt + 1_000)
    expect(await refusal(plane.matchyard.accounts.refresh(caller))).toBe('INVALID_SESSION_TOKEN')
  })

  test('ends with a logout, and no other one does', async () => {
    const plane = await controlPlane()
    const first = await plane.matchyard.accounts.register(ann)
    const second = await plane.matchyard.accounts.login(ann)
    await plane.matchyard.accounts.logout(await plane.matchyard.access.authenticateSession(first.token))
    expect(await refusal(whoIs(plane, first.token))).toBe('INVALID_SESSION_TOKEN')
    expect((await whoIs(plane, second.token)).kind).toBe('session')
  })

  test('runs out after 7 days to the millisecond', async () => {
    const plane = await controlPlane()
    const { token } = await plane.matchyard.accounts.register(ann)
    plane.clock.advance(WEEK - 1)
    const caller = await plane.matchyard.access.authenticateSession(token)
    plane.clock.advance(1)
    expect(await refusal(whoIs(plane, token))).toBe('SESSION_EXPIRED')
    expect(await refusal(plane.matchyard.accounts.refresh(caller))).toBe('SESSION_EXPIRED')
  })

  test('leaves no row behind once it has run out, and its token is told the same', async () => {
    const plane = await controlPlane()
    const { token } = await plane.matchyard.accounts.register(ann)
    const first = await plane.matchyard.access.authenticateSession(token)
    const { token: successor } = await plane.matchyard.accounts.refresh(first)
    const second = await plane.matchyard.access.authenticateSession(successor)
    const rows = () => plane.storage.getMany('session', [first.sessionId, second.sessionId])
    plane.clock.advance(WEEK - 1)
    await plane.settle()
    expect(await rows()).toHaveLength(2)
    plane.clock.advance(1)
    await plane.settle()
    expect(await rows()).toEqual([])
    for (const old of [token, successor]) expect(await refusal(whoIs(plane, old))).toBe('SESSION_EXPIRED')
  })

  test('is not to be had with a forged, foreign or broken token', async () => {
    const plane = await controlPlane()
    const { token } = await plane.matchyard.accounts.register(ann)
    const elsewhere = await controlPlane()
    expect(await refusal(whoIs(elsewhere, token))).toBe('INVALID_SESSION_TOKEN')
    for (const bad of ['', 'x', `${token}x`, token.slice(0, -1), 'a.b.c', 'ck_live_x', 'srvt_x']) {
      expect(await refusal(whoIs(plane, bad))).toBe('INVALID_SESSION_TOKEN')
    }
    expect(await refusal(plane.matchyard.access.authenticate({}))).toBe('MISSING_CREDENTIALS')
  })

  test('its repeated login is answered with the same token, though no token is kept', async () => {
    const { matchyard, storage, clock } = await controlPlane()
    await matchyard.accounts.register(ann)
    const call = { idempotency: { id: 'key-1', requestHash: 'hash-1' } }
    const first = await matchyard.accounts.login(ann, call)
    clock.advance(5_000)
    expect(await matchyard.accounts.login(ann, call)).toEqual(first)
    expect(JSON.stringify(await storage.get('idempotency', 'key-1'))).not.toContain(first.token)
  })
})
