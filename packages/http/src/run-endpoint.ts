import { type Caller, type Permission, ServiceError } from '@matchyard/core'
import { noTracing } from '@matchyard/core/ports'
import { requireFewValues } from './agents/few-values'
import { callHandler } from './call-handler'
import { auditActorOf, sourceOf } from './callers'
import { type Endpoint, Otherwise } from './endpoint'
import { type Answer, announcedBytes, lengthOf } from './exchange/answer'
import type { Exchange } from './exchange/exchange'
import { inSlices } from './exchange/in-slices'
import { requireFewHeaders } from './long-heads'
import { brakesOn } from './middleware/brakes'
import { addressOf } from './middleware/client-address'
import { corsHeaders, isPlayerFacing } from './middleware/cors'
import { authenticate } from './middleware/credentials'
import { idempotencyOf } from './middleware/idempotency'
import { loadOf } from './middleware/load'
import { readPlayer } from './middleware/player-id'
import { type BodyLimit, readJson } from './middleware/read-json'
import { readQuery } from './middleware/read-query'
import { refusalOf } from './middleware/refusal'
import { requestIdOf } from './middleware/request-id'
import { endServerSpan, serverSpans } from './middleware/server-span'
import { NO_BODY, validate, validateParams } from './middleware/validate'
import { limitWork, workRuleOf } from './middleware/work-limits'
import { OPERATIONS } from './operations'
import type { CallSource } from './options'
import { codeOf, problemAnswer } from './problem'
import type { Services } from './services'
import { type AnyBody, eitherOf, paramNames } from './wire/codec/index'

const JSON_MEDIA_TYPE = 'application/json'
/** An answer that was begun must be completed, so the turns of its later slices are never refused. */
const NEVER_TOO_LATE = () => false

/**
 * Returns the function that runs one route. Requests are checked in the order of docs/http-api.md §1. This function
 * checks the credential, its kind, the player id, the query and the body. The use case in the core checks the object in
 * the path, the caller's right, the plan, objects named in the body, and the state.
 */
export function runEndpoint(
  services: Services,
  endpoint: Endpoint,
): (exchange: Exchange) => Promise<Answer | Response> {
  const permission: Permission = OPERATIONS[endpoint.operation]
  const isAudited = OPERATIONS[endpoint.operation].audit !== undefined
  const playerFacing = isPlayerFacing(endpoint.operation)
  const names = eitherOf([paramNames(endpoint.path), endpoint.body?.names, endpoint.query?.names])
  const brakes = brakesOn(endpoint.operation, endpoint.method)
  const { admission, callers, turns } = services
  const workRule = services.limitsWork ? workRuleOf(endpoint.operation) : undefined
  const load = loadOf(endpoint.operation, endpoint.method)
  const handle = endpoint.handle ?? callHandler(endpoint)
  const queryOf = queryReader(endpoint)
  const readBody = bodyReader(services, endpoint)
  const spell = speller(endpoint)
  const { tracing = noTracing } = services
  const startSpan = serverSpans(services.tracing, endpoint)
  return async (exchange) => {
    const startedAt = services.clock.now()
    const requestId = requestIdOf(exchange)
    const waited = { ms: 0 }
    const headers: Record<string, string> = {
      'x-request-id': requestId,
      'cache-control': 'no-store',
      ...corsHeaders(playerFacing, exchange.header('origin'), services.controlPlaneOrigins),
    }
    const party = admission?.isSharing(load) ? callers.partyOf(exchange) : undefined
    const again = admission?.enter(load, startedAt, party)
    // A refusal under overload is neither logged nor measured as an answer, because it must cost as little as possible.
    if (again !== undefined) return refusalOf(again, requestId, headers)
    let source: CallSource | undefined
    const span = startSpan?.(exchange, requestId)
    const response = span === undefined ? await answered() : await tracing.within(span.traceparent, answered)
    const durationMs = services.clock.now() - startedAt - waited.ms
    const bytesOut = lengthOf(response)
    admission?.leave(load, durationMs, party, bytesOut)
    turns.charge(bytesOut, () => callers.partyOf(exchange))
    if (span !== undefined) endServerSpan(span, response.status)
    services.onAnswer({
      source: source ?? sourceOf(undefined, addressOf(exchange, services.trustedProxies)),
      bytesIn: announcedBytes(exchange.header('content-length')),
      bytesOut,
      operation: endpoint.operation,
      method: exchange.method,
      status: response.status,
      durationMs,
      requestId,
      ...(span === undefined ? {} : { traceparent: span.traceparent }),
    })
    return response

    function answered(): Promise<Answer | Response> {
      return answer().catch((error: unknown) => {
        // Only callers with a valid credential of the project are counted, so that no stranger fills the project's history.
        if (source?.projectId !== undefined) services.matchyard.countRefusal(source.projectId, codeOf(error))
        return problemAnswer(error, requestId, headers, services.logger, names)
      })
    }

    async function answer(): Promise<Answer | Response> {
      requireFewHeaders(exchange)
      const { matchyard } = services
      const closed = services.whyClosed?.(endpoint.operation, exchange.incoming)
      if (closed !== undefined) throw new ServiceError('NOT_FOUND', closed)
      const caller = await authenticate(matchyard, endpoint.operation, exchange, callers)
      source = sourceOf(caller, addressOf(exchange, services.trustedProxies))
      endpoint.requireOffered?.(services)
      const player = await readPlayer(matchyard, permission.player, caller, exchange)
      const { playerId } = player
      await services.brakes?.pass(brakes, { caller, playerId }, headers)
      if (workRule !== undefined) await limitWork(services.limiter, workRule, caller, headers)
      const query = queryOf(exchange)
      const sent = await readBody(exchange, caller)
      const repeatable = await idempotencyOf(exchange, endpoint, { caller, playerId, body: sent }, headers)
      const traced = span === undefined ? repeatable : { ...repeatable, trace: span.traceparent }
      const actor = isAudited ? auditActorOf(caller, source.address) : undefined
      const options = actor === undefined ? traced : { ...traced, actor }
      const body = endpoint.body && understood(endpoint.body, sent)
      const params = validateParams(exchange.params)
      const call = {
        matchyard,
        services,
        operation: endpoint.operation,
        caller,
        source,
        ...player,
        params,
        query,
        body,
        options,
        requestId,
        waited,
        headers,
        exchange,
      }
      const inTurn = (slice: () => void) => turns.take(slice, NEVER_TOO_LATE, () => callers.partyOf(exchange))
      return respond(endpoint, await handle(call), headers, spell, inTurn)
    }
  }
}

/**
 * Returns the function that reads a route's query. Most calls have no query, so the result for an empty query is
 * computed once. If a route requires a parameter, each call without a query throws.
 */
function queryReader({ query }: Endpoint): (exchange: Exchange) => unknown {
  if (query === undefined) return () => undefined
  const read = (sent: Record<string, unknown>) => understood(query, validate(query.body, sent))
  let ofNone: unknown
  return (exchange) => {
    if (exchange.search !== '') return read(readQuery(exchange))
    ofNone ??= Object.freeze(read({}))
    return ofNone
  }
}

/** Returns the function that reads a route's body. The large bodies of agents are read a few at a time. */
function bodyReader({ agents }: Services, endpoint: Endpoint) {
  const { maxBodyBytes: maxBytes } = endpoint
  if (maxBytes === undefined) return (exchange: Exchange) => bodyOf(endpoint, exchange)
  return async (exchange: Exchange, caller: Caller | undefined) => {
    const machineId = caller?.kind === 'machine' ? caller.machineId : ''
    agents.pace.require(machineId)
    const done = agents.bodies.take(machineId)
    const onRead = (bytes: Uint8Array) => {
      agents.pace.charge(machineId, bytes.byteLength)
      requireFewValues(bytes)
    }
    try {
      return await bodyOf(endpoint, exchange, { maxBytes, onRead })
    } finally {
      done()
    }
  }
}

async function bodyOf(endpoint: Endpoint, exchange: Exchange, limit?: BodyLimit): Promise<unknown> {
  if (endpoint.method === 'get' || endpoint.rawBody !== undefined) return undefined
  const raw = await readJson(exchange, limit)
  if (endpoint.body === undefined) {
    validate(NO_BODY, raw ?? {})
    return undefined
  }
  return validate(endpoint.body.body, raw === undefined && endpoint.bodyOptional === true ? {} : raw)
}

/** Returns an input, which the codec has already validated, with the domain's field names. */
const understood = (codec: AnyBody, sent: unknown): unknown => codec.decode(sent as never)

/**
 * Returns the function that writes an operation's answers as JSON. Most calls are reads, and a storage returns the same
 * frozen value to all callers. The JSON of a frozen value is therefore made for the first caller, and kept as long as
 * the value exists.
 */
function speller({ method, success }: Endpoint): (value: unknown) => string {
  const spell = (value: unknown) => JSON.stringify(success.answer?.encode(value as never))
  if (method !== 'get') return spell
  const spelled = new WeakMap<object, string>()
  return (value) => {
    if (typeof value !== 'object' || value === null || !Object.isFrozen(value)) return spell(value)
    const known = spelled.get(value)
    if (known !== undefined) return known
    const text = spell(value)
    spelled.set(value, text)
    return text
  }
}

function respond(
  endpoint: Endpoint,
  made: unknown,
  headers: Record<string, string>,
  spell: (value: unknown) => string,
  inTurn: (slice: () => void) => void,
): Answer | Response | Promise<Answer> {
  if (made instanceof Response) return made
  const { success, otherwise } = endpoint
  const isOther = made instanceof Otherwise
  const { status } = isOther && otherwise !== undefined ? otherwise : success
  if (success.answer === undefined || status === 204) return { status, headers, body: null }
  headers['content-type'] = JSON_MEDIA_TYPE
  const value = isOther ? made.value : made
  const { pieces } = success.answer
  if (pieces === undefined) return { status, headers, body: spell(value) }
  return inSlices(pieces(value as never), inTurn).then((body) => ({ status, headers, body }))
}
