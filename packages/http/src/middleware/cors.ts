import type { Permission } from '@matchyard/core'
import { OPERATIONS, type Operation } from '../operations'

// Request headers that browsers may send. Player tokens and sessions are sent as `authorization`, and a page may begin
// a trace (W3C Trace Context).
const ALLOW_HEADERS =
  'authorization, api-key, content-type, idempotency-key, last-event-id, x-player-id, traceparent, tracestate'
const EXPOSE_HEADERS = 'retry-after, x-request-id, ratelimit, ratelimit-policy, idempotency-replayed'
const MAX_AGE_SECONDS = '600'

/** Whether a client key may call an operation. A browser game calls such operations from any origin. */
export function isPlayerFacing(operation: Operation): boolean {
  const { credentials }: Permission = OPERATIONS[operation]
  return credentials.includes('client')
}

/**
 * Returns the CORS headers of an answer: `*` for operations of players, only the configured origins for the control
 * plane (docs/http-api.md §1, "CORS").
 */
export function corsHeaders(
  playerFacing: boolean,
  origin: string | undefined,
  controlPlaneOrigins: readonly string[],
): Record<string, string> {
  if (playerFacing) return { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSE_HEADERS }
  if (controlPlaneOrigins.length === 0) return {}
  if (origin === undefined || !controlPlaneOrigins.includes(origin)) return { vary: 'origin' }
  return { vary: 'origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSE_HEADERS }
}

/** Returns the additional headers of the answer to a preflight. */
export const preflightHeaders = (methods: readonly string[]): Record<string, string> => ({
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers': ALLOW_HEADERS,
  'access-control-max-age': MAX_AGE_SECONDS,
})
