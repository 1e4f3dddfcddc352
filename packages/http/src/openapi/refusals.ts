import type { ErrorCode, Permission } from '@matchyard/core'
import type { Endpoint } from '../endpoint'
import { HTTP_ERRORS } from '../error-status'
import { brakesOn } from '../middleware/brakes'
import { takesIdempotencyKey } from '../middleware/idempotency'
import { workRuleOf } from '../middleware/work-limits'
import { OPERATIONS } from '../operations'

/**
 * Returns the error codes of all possible refusals: those of the operation, of its credential, of its player and of its
 * body.
 */
export function refusalsOf(endpoint: Endpoint): ReadonlySet<ErrorCode> {
  const { credentials, player, role }: Permission = OPERATIONS[endpoint.operation]
  const codes = new Set<ErrorCode>([...endpoint.errors, 'INTERNAL', 'UNAVAILABLE'])
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code)
  }
  // The validity of a credential is checked before its kind, so each route can refuse invalid credentials of every
  // kind.
  if (credentials.length > 0) {
    add('MISSING_CREDENTIALS', 'CREDENTIAL_NOT_ALLOWED', 'INVALID_API_KEY', 'INVALID_SESSION_TOKEN', 'SESSION_EXPIRED')
    if (credentials.includes('machine')) add('INVALID_MACHINE_TOKEN')
  }
  // Every member is a viewer at least, so only a higher least role can be missing.
  if (role !== null && role !== 'viewer') add('ROLE_NOT_ALLOWED')
  if (player === 'required' || player === 'unless-backend') add('PLAYER_ID_REQUIRED')
  if (player !== 'none') add('INVALID_PLAYER_ID')
  if (player !== 'none' && credentials.includes('client')) add('PLAYER_TOKEN_REQUIRED', 'INVALID_PLAYER_TOKEN')
  if (endpoint.query !== undefined || endpoint.method !== 'get') add('VALIDATION_FAILED')
  if (endpoint.method !== 'get' && endpoint.rawBody === undefined) add('UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE')
  // Any change can lose the race against other commits, in each of its tries.
  if (endpoint.method !== 'get') add('CONFLICT')
  if (credentials.includes('client') && brakesOn(endpoint.operation, endpoint.method).length > 0) add('RATE_LIMITED')
  if (workRuleOf(endpoint.operation) !== undefined) add('RATE_LIMITED')
  if (takesIdempotencyKey(endpoint)) add('IDEMPOTENCY_MISMATCH')
  return codes
}

/** Returns each operation with the error codes of all its refusals. */
export const refusable = (endpoints: readonly Endpoint[]) =>
  endpoints.map((endpoint) => ({ ...endpoint, codes: refusalsOf(endpoint) }))

/** Returns the possible refusals by the status of their answers. */
export function refusalsByStatus(endpoint: Endpoint): ReadonlyMap<number, readonly ErrorCode[]> {
  const codes = refusalsOf(endpoint)
  const byStatus = new Map<number, ErrorCode[]>()
  const document = (status: number, code: ErrorCode) => byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  for (const code of codes) document(HTTP_ERRORS[code].status, code)
  // `PLAYER_NOT_IN_LOBBY` has status 403 for the acting player, and 404 for a player in the path (docs/http-api.md §1).
  if (endpoint.path.includes('{player_id}') && codes.has('PLAYER_NOT_IN_LOBBY')) document(404, 'PLAYER_NOT_IN_LOBBY')
  return new Map([...byStatus].map(([status, list]) => [status, list.sort()]))
}
