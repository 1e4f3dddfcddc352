import { ServiceError } from '@matchyard/core'
import { sessionOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { clientAddress, siteOf } from '../middleware/client-address'
import type { Suspect } from '../middleware/failure-throttle'
import type { KeyOwner } from '../middleware/idempotency'
import { rateLimited } from '../middleware/limit-headers'
import type { RateLimiter } from '../middleware/rate-limiter'
import { keyOf } from '../middleware/returning'
import * as wire from '../wire/account'
import { created, NO_CONTENT, ok } from './answers'
import {
  CODE_PER_ADDRESS,
  LOGIN_FROM_ALL,
  LOGIN_PER_ACCOUNT,
  LOGIN_PER_ADDRESS,
  LOGIN_PER_SITE,
  loginLateMs,
  REFRESHES_PER_ACCOUNT,
  registrationsInAll,
  registrationsPerAddress,
  registrationsPerSite,
  SIGN_INS_PER_ACCOUNT,
} from './limits'
import { requirePasswords } from './passwords'

/**
 * Owner of the idempotency key of a call before a login: the e-mail address in the body, so that keys of different
 * people never collide.
 */
const addressed: KeyOwner = ({ body }) => (body as { readonly email: string }).email.toLowerCase()
/** Owner of the idempotency key of a sign-in by code: the code, which only its receiver knows. */
const codeHolder: KeyOwner = ({ body }) => (body as { readonly code: string }).code
/**
 * Owner of the idempotency key of a call about the session itself: the session, so that another login of the account
 * can use the same key.
 */
const itself: KeyOwner = (call) => sessionOf(call).sessionId

const register = endpoint({
  operation: 'auth.register',
  method: 'post',
  path: '/v1/auth/register',
  summary: 'Creates a developer account on the free plan and logs it in.',
  body: wire.registration,
  keyOwner: addressed,
  success: created(wire.session),
  errors: ['REGISTRATION_CLOSED', 'CREDENTIAL_NOT_ALLOWED', 'RATE_LIMITED'],
  requireOffered(services) {
    requirePasswords(services)
    if (services.isRegistrationOpen) return
    throw new ServiceError(
      'REGISTRATION_CLOSED',
      'the operator of this installation creates accounts; ask the operator for one',
    )
  },
  async handle({ matchyard, services, body, options, headers, exchange }) {
    const address = clientAddress(exchange, services.trustedProxies)
    const work = () => matchyard.accounts.register(body, { ...options, from: { address: siteOf(address) } })
    const { registrationsPerHour: perHour, limiter } = services
    if (perHour === 0) return work()
    // This limit is counted only for `isCrowded`. It delays no answers.
    const shared = { rule: registrationsInAll(perHour), key: 'all', lateMs: () => 0 }
    const { consumed } = await limiter.peek(shared.rule, shared.key)
    const suspects = [
      { rule: registrationsPerAddress(perHour), key: address },
      { rule: registrationsPerSite(perHour, consumed >= shared.rule.points), key: siteOf(address) },
    ]
    return services.throttle.attempt({ suspects, shared, headers, work, counts: asksForAccount })
  },
})

/**
 * Whether a registration counts towards the limits. A registration that is refused because the e-mail address is known
 * counts too. Otherwise a caller could find out for any number of addresses whether they have accounts.
 */
const asksForAccount = (error: unknown) =>
  error === undefined || (error instanceof ServiceError && error.code === 'EMAIL_TAKEN')

const login = endpoint({
  operation: 'auth.login',
  method: 'post',
  path: '/v1/auth/login',
  summary: 'Logs a developer in; other logins stay valid.',
  body: wire.login,
  keyOwner: addressed,
  success: ok(wire.session),
  errors: ['CREDENTIAL_NOT_ALLOWED', 'RATE_LIMITED'],
  requireOffered: requirePasswords,
  async handle({ matchyard, services, body, options, headers, exchange }) {
    const { email } = body
    const address = clientAddress(exchange, services.trustedProxies)
    // The limit counts an e-mail address even if it has no account, because a limit must not show which accounts exist.
    const suspects = [
      { rule: LOGIN_PER_ACCOUNT, key: keyOf(email, address) },
      { rule: LOGIN_PER_ADDRESS, key: address },
      { rule: LOGIN_PER_SITE, key: siteOf(address) },
    ]
    // Failed logins from other addresses only delay the answers to further failures; a login with the right password is
    // never refused because of them.
    const shared = { rule: LOGIN_FROM_ALL, key: email.toLowerCase(), lateMs: loginLateMs }
    const isReturning = services.returning.has(email, address)
    const from = { address: siteOf(address), isReturning }
    const work = () =>
      withinRate({ rule: SIGN_INS_PER_ACCOUNT, key: email.toLowerCase() }, services.limiter, headers, () =>
        matchyard.accounts.login(body, { ...options, from }),
      )
    const grant = await services.throttle.attempt({ suspects, shared, headers, work, counts: isWrongLogin })
    services.returning.note(email, address)
    return grant
  },
})

/**
 * Runs `work`, and counts the call if `work` succeeds. Rejects with `RATE_LIMITED` before `work` runs when the limit is
 * reached.
 */
async function withinRate<T>(
  { rule, key }: Suspect,
  limiter: RateLimiter,
  headers: Record<string, string>,
  work: () => Promise<T>,
): Promise<T> {
  const state = await limiter.peek(rule, key)
  if (state.consumed >= rule.points) throw rateLimited(rule, state, headers)
  const done = await work()
  await limiter.consume(rule, key)
  return done
}

const isWrongLogin = (error: unknown) => error instanceof ServiceError && error.code === 'INVALID_LOGIN'

const byCode = endpoint({
  operation: 'auth.code',
  method: 'post',
  path: '/v1/auth/code',
  summary: 'Logs a developer in by a one-time code, if the installation issues them, as `matchyard dev` does.',
  body: wire.oneTimeCode,
  keyOwner: codeHolder,
  success: ok(wire.session),
  errors: ['INVALID_LOGIN', 'NOT_FOUND', 'RATE_LIMITED'],
  requireOffered({ signInCodes }) {
    if (signInCodes === undefined)
      throw new ServiceError('NOT_FOUND', 'this installation issues no sign-in codes; log in')
  },
  async handle({ matchyard, services, body, options, headers, exchange }) {
    const accountId = await services.signInCodes?.use(body.code, options.idempotency?.id)
    const key = clientAddress(exchange, services.trustedProxies)
    if (accountId !== undefined) {
      return matchyard.accounts.signIn({ accountId }, { ...options, from: { address: siteOf(key) } })
    }
    // Only wrong codes are limited. A right code cannot be guessed, so it works after any number of attempts from its
    // address.
    const state = await services.limiter.consume(CODE_PER_ADDRESS, key)
    if (state.consumed > CODE_PER_ADDRESS.points) throw rateLimited(CODE_PER_ADDRESS, state, headers)
    throw new ServiceError('INVALID_LOGIN', 'this code was used, has expired, or was never issued')
  },
})

const refresh = endpoint({
  operation: 'auth.refresh',
  method: 'post',
  path: '/v1/auth/refresh',
  summary: 'Replaces the session token with a new one for 7 days.',
  keyOwner: itself,
  success: ok(wire.session),
  errors: ['RATE_LIMITED'],
  handle(call) {
    const { sessionId, accountId } = sessionOf(call)
    const { services, options, headers, exchange } = call
    const from = { address: siteOf(clientAddress(exchange, services.trustedProxies)) }
    return withinRate({ rule: REFRESHES_PER_ACCOUNT, key: accountId }, services.limiter, headers, () =>
      call.matchyard.accounts.refresh({ sessionId }, { ...options, from }),
    )
  },
})

const logout = endpoint({
  operation: 'auth.logout',
  method: 'post',
  path: '/v1/auth/logout',
  summary: 'Revokes the session token.',
  keyOwner: itself,
  success: NO_CONTENT,
  async handle(call) {
    const { sessionId } = sessionOf(call)
    await call.matchyard.accounts.logout({ sessionId }, call.options)
  },
})

const getAccount = endpoint({
  operation: 'account.get',
  method: 'get',
  path: '/v1/account',
  summary: 'Returns the account of the session.',
  success: ok(wire.account),
})

export const AUTH_ENDPOINTS: readonly Endpoint[] = [register, login, byCode, refresh, logout, getAccount]
