import { PERMISSIONS, type Permission } from '@matchyard/core'
import type { Endpoint } from './endpoint'
import { corsHeaders, isPlayerFacing } from './middleware/cors'
import { authenticate } from './middleware/credentials'
import { idempotencyOf } from './middleware/idempotency'
import type { HttpContext } from './middleware/node-bindings'
import { readPlayerId } from './middleware/player-id'
import { readJson } from './middleware/read-json'
import { requestIdOf } from './middleware/request-id'
import { NO_BODY, validate, validateParams } from './middleware/validate'
import { problemResponse } from './problem'
import type { Services } from './services'

const JSON_MEDIA_TYPE = 'application/json'

/**
 * Runs one route. Refusals come in the contract's order (§1): the credential, its kind, the player id, the query and the body
 * here; the addressed object, the right, the plan, named objects and the state in the use case.
 */
export function runEndpoint(services: Services, endpoint: Endpoint): (c: HttpContext) => Promise<Response> {
  const permission: Permission = PERMISSIONS[endpoint.operation]
  const playerFacing = isPlayerFacing(endpoint.operation)
  return async (c) => {
    const startedAt = services.clock.now()
    const requestId = requestIdOf(c)
    const headers: Record<string, string> = {
      'x-request-id': requestId,
      'cache-control': 'no-store',
      ...corsHeaders(playerFacing, c.req.header('origin'), services.controlPlaneOrigins),
    }
    const response = await answer().catch((error: unknown) =>
      problemResponse(error, requestId, headers, services.logger),
    )
    services.onAnswer({
      operation: endpoint.operation,
      method: c.req.method,
      status: response.status,
      durationMs: services.clock.now() - startedAt,
      requestId,
    })
    return response

    async function answer(): Promise<Response> {
      const { matchyard } = services
      const caller = await authenticate(matchyard, endpoint.operation, c)
      const playerId = readPlayerId(permission.player, caller, c)
      const query = endpoint.query === undefined ? undefined : validate(endpoint.query, c.req.query())
      const body = await bodyOf(endpoint, c)
      const options = await idempotencyOf(c, { operation: endpoint.operation, caller, playerId, body })
      const params = validateParams(c.req.param())
      const call = { matchyard, services, caller, playerId, params, query, body, options, requestId, headers, c }
      return respond(endpoint, await endpoint.handle(call), headers)
    }
  }
}

async function bodyOf(endpoint: Endpoint, c: HttpContext): Promise<unknown> {
  if (endpoint.method === 'get' || endpoint.rawBody !== undefined) return undefined
  const raw = await readJson(c)
  if (endpoint.body === undefined) {
    validate(NO_BODY, raw ?? {})
    return undefined
  }
  return validate(endpoint.body, raw === undefined && endpoint.bodyOptional === true ? {} : raw)
}

function respond(endpoint: Endpoint, answer: unknown, headers: Record<string, string>): Response {
  if (answer instanceof Response) return answer
  const { status } = endpoint.success
  if (status === 204) return new Response(null, { status, headers })
  return new Response(JSON.stringify(answer), { status, headers: { ...headers, 'content-type': JSON_MEDIA_TYPE } })
}
