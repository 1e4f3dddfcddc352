import { ServiceError, type ValidationIssue, validationFailed } from '@matchyard/core'
import { auditActorOf } from '../callers'
import { type Call, type Endpoint, endpoint } from '../endpoint'
import { bearerOf } from '../middleware/bearer'
import { clientAddress, siteOf } from '../middleware/client-address'
import type { KeyOwner } from '../middleware/idempotency'
import { rateLimited } from '../middleware/limit-headers'
import { acceptance, joined } from '../wire/member'
import { created } from './answers'
import { JOIN_PER_ADDRESS } from './limits'
import { requirePasswords } from './passwords'

/** Owner of the idempotency key of a call with an invitation: the token, which only its receiver knows. */
const invited: KeyOwner = ({ body }) => (body as { readonly token: string }).token

const join = endpoint({
  operation: 'auth.join',
  method: 'post',
  path: '/v1/auth/join',
  summary:
    'Uses an invitation to a project: with a session for its account, without one for a new account, also when registration is closed.',
  body: acceptance,
  keyOwner: invited,
  success: created(joined),
  errors: ['CREDENTIAL_NOT_ALLOWED', 'EMAIL_TAKEN', 'INVALID_SESSION_TOKEN', 'SESSION_EXPIRED', 'RATE_LIMITED'],
  async handle(call) {
    const { services, headers, exchange } = call
    const key = clientAddress(exchange, services.trustedProxies)
    // Only wrong tokens are limited. A token cannot be guessed, so a right one works after any number of attempts.
    return enter(call, siteOf(key)).catch(async (error: unknown) => {
      if (!(error instanceof ServiceError) || error.code !== 'INVITATION_NOT_FOUND') throw error
      const state = await services.limiter.consume(JOIN_PER_ADDRESS, key)
      throw state.consumed > JOIN_PER_ADDRESS.points ? rateLimited(JOIN_PER_ADDRESS, state, headers) : error
    })
  },
})

type Accepted = Call<unknown, unknown, { token: string; email?: string; password?: string; name?: string }>

async function enter({ matchyard, services, exchange, body, options }: Accepted, site: string) {
  const { token, email, password, name } = body
  const bearer = bearerOf(exchange)
  if (bearer !== undefined) {
    requireNone({ email, password, name })
    const caller = await matchyard.access.authenticateSession(bearer)
    const actor = auditActorOf(caller, site)
    return matchyard.members.join({ token, accountId: caller.accountId }, { ...options, ...(actor && { actor }) })
  }
  requirePasswords(services)
  const account = requireAll({ email, password, name })
  const guest = !services.isRegistrationOpen
  return matchyard.members.joinAnew({ token, ...account, guest }, { ...options, from: { address: site } })
}

type Fields = Readonly<Record<'email' | 'password' | 'name', string | undefined>>

function requireAll(fields: Fields): Readonly<Record<keyof Fields, string>> {
  const { email, password, name } = fields
  if (email !== undefined && password !== undefined && name !== undefined) return { email, password, name }
  throw faults(fields, (value) => value === undefined, 'is required without a session token')
}

function requireNone(fields: Fields): void {
  if (Object.values(fields).every((value) => value === undefined)) return
  throw faults(fields, (value) => value !== undefined, 'must be absent: the session token names the account')
}

function faults(fields: Fields, isFault: (value: string | undefined) => boolean, message: string): ServiceError {
  const paths = Object.entries(fields).filter(([, value]) => isFault(value))
  return validationFailed(paths.map(([path]): ValidationIssue => ({ path, message })))
}

export const JOIN_ENDPOINTS: readonly Endpoint[] = [join]
