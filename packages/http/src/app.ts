import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GameTypes, Matchyard } from '@matchyard/core'
import { ServiceError } from '@matchyard/core'
import { Hono } from 'hono'
import { sourceOf } from './callers'
import type { Endpoint } from './endpoint'
import { errorPages } from './error-pages/error-pages'
import { announcedBytes, lengthOf, toResponse } from './exchange/answer'
import { type HttpContext, type HttpEnv, WebExchange } from './exchange/web-exchange'
import { sharedFile } from './files'
import { lateness } from './middleware/admission'
import { addressOf } from './middleware/client-address'
import { corsHeaders, preflightHeaders } from './middleware/cors'
import { isProbe, loadOf } from './middleware/load'
import { refusalOf } from './middleware/refusal'
import { newRequestId, requestIdOf } from './middleware/request-id'
import { openApiDocument } from './openapi/document'
import { refusable } from './openapi/refusals'
import { type AppOptions, type OpenStream, requireKnown } from './options'
import { problemResponse } from './problem'
import { assertComplete, honoPath, isStream, pathFinder } from './route-table'
import { ENDPOINTS } from './routes/index'
import { runEndpoint } from './run-endpoint'
import { createServices, type Services } from './services'
import { type Run, shortWay } from './short-way'

/** Application that answers the calls of the HTTP API, with the controls of its streams. */
export type MatchyardApp = Hono<HttpEnv> & {
  /**
   * Ends all open event streams and all calls that wait for a change, for a shutdown. Streams and waits that begin
   * later end at once.
   */
  closeStreams(): void
  /**
   * Handles one request of Node's own HTTP server faster than `fetch`. Returns false for a stream, an upload or an
   * unusual address, and then does nothing with the request. Together with the `listener` that `@hono/node-server`
   * makes of `fetch`, this server handles every request: `createServer((request, response) => app.answer(request,
   * response) || listener(request, response))`.
   */
  answer(incoming: IncomingMessage, outgoing: ServerResponse): boolean
  /** Number of open event streams. */
  openStreams(): number
  /**
   * Puts the request for a page, which an embedder serves beside this application, into the queue of calls. Resolves to
   * the answer that refuses the page while the service is overloaded, and otherwise to undefined.
   */
  refusePage(c: HttpContext): Promise<Response | undefined>
  /** Returns the open streams, each with the number of bytes that wait for its reader. */
  streamsNow(): Iterable<OpenStream>
}

/**
 * Returns Matchyard over HTTP: one Hono application with every route of the service. It can be served by
 * `@hono/node-server` or mounted in another application. It opens no socket and starts no worker.
 */
export function createApp<Game extends GameTypes>(matchyard: Matchyard<Game>, options: AppOptions = {}): MatchyardApp {
  // The routes serve any JSON, so the game's own types do not matter here.
  return appOf(ENDPOINTS, matchyard as unknown as Matchyard, options)
}

/** Returns the application with the given routes. Throws when the routes and the permission table do not match. */
export function appOf(endpoints: readonly Endpoint[], matchyard: Matchyard, options: AppOptions): MatchyardApp {
  assertComplete(endpoints)
  requireKnown(options)
  const services: Services = createServices(matchyard, options, {
    document: sharedFile(() => JSON.stringify(openApiDocument(endpoints, services.version))),
    errorPages: once(() => errorPages(refusable(endpoints))),
  })
  const app = new Hono<HttpEnv>()
  const routes = endpoints.map((endpoint) => ({ endpoint, run: runEndpoint(services, endpoint) }))
  for (const { endpoint, run } of routes) {
    app.on(endpoint.method.toUpperCase(), honoPath(endpoint.path), throughHono(endpoint, run, services))
  }
  app.notFound(told(services, nothingThere(endpoints, services)))
  app.onError((error, c) => problemResponse(error, requestIdOf(new WebExchange(c)), {}, services.logger))
  return Object.assign(app, {
    closeStreams() {
      services.streams.closeAll()
      services.waits.closeAll()
    },
    openStreams: () => services.streams.size,
    refusePage: async (c: HttpContext) => {
      await turnOfPage(services, c)
      return refusalToPage(services)
    },
    streamsNow: () => services.streams.now(),
    answer: shortWay(routes, services),
  })
}

const once = <Value>(make: () => Value): (() => Value) => {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}

/**
 * Load of a request for a page. Under overload such requests are refused in the same way as reads. A page is not an
 * operation, so its duration is not measured.
 */
const PAGE_LOAD = loadOf('system.start', 'get')

function refusalToPage({ admission, clock }: Services): Response | undefined {
  const again = admission?.enter(PAGE_LOAD, clock.now())
  return again === undefined ? undefined : toResponse(refusalOf(again, newRequestId(), { 'cache-control': 'no-store' }))
}

/** Waits in the queue of calls; resolves when the page may be made. */
function turnOfPage({ turns, admission, callers }: Services, c: HttpContext): Promise<void> {
  return new Promise((resolve) =>
    turns.take(resolve, lateness(admission, PAGE_LOAD), () => callers.partyOf(new WebExchange(c))),
  )
}

/** Returns a handler of requests that match no route. The handler also reports these requests to `onAnswer`. */
function told(services: Services, answer: (c: HttpContext) => Response) {
  return async (c: HttpContext): Promise<Response> => {
    const startedAt = services.clock.now()
    await turnOfPage(services, c)
    const refused = refusalToPage(services)
    if (refused !== undefined) return refused
    const response = answer(c)
    const exchange = new WebExchange(c)
    services.onAnswer({
      source: sourceOf(undefined, addressOf(exchange, services.trustedProxies)),
      bytesIn: announcedBytes(exchange.header('content-length')),
      bytesOut: lengthOf(response),
      operation: undefined,
      method: c.req.method,
      status: response.status,
      durationMs: services.clock.now() - startedAt,
      requestId: response.headers.get('x-request-id') ?? '',
    })
    return response
  }
}

/**
 * Returns the Hono handler of a route. HEAD requests of a stream are refused: Hono calls the GET route for HEAD, and
 * would open a stream that has no reader.
 */
function throughHono(endpoint: Endpoint, run: Run, services: Services): (c: HttpContext) => Promise<Response> {
  const noHead = isStream(endpoint.operation)
  const inTurn = inTurnOf(endpoint, run, services)
  return async (c) => {
    if (noHead && c.req.raw.method === 'HEAD') {
      await turnOfPage(services, c)
      return wrongMethod(c, ['GET'], {}, services)
    }
    const answer = await inTurn(new WebExchange(c))
    return answer instanceof Response ? answer : toResponse(answer)
  }
}

/**
 * Puts the calls of a route into the queue that the fast handler (`answer`) uses too. Otherwise a request that only
 * Hono handles would overtake all waiting calls, and a thousand readers of a page would occupy the event loop. In each
 * turn of the event loop, the first few health probes begin at once.
 */
function inTurnOf({ operation, method }: Endpoint, run: Run, { turns, admission, callers }: Services): Run {
  if (isProbe(operation)) {
    return (exchange) =>
      new Promise((resolve) =>
        turns.takeProbe(
          () => resolve(run(exchange)),
          () => callers.partyOf(exchange),
        ),
      )
  }
  const isTooLate = lateness(admission, loadOf(operation, method))
  return (exchange) =>
    new Promise((resolve) => {
      const begin = () => resolve(run(exchange))
      turns.take(begin, isTooLate, () => callers.partyOf(exchange))
    })
}

/** Returns the handler for requests without a route: an unknown path, a wrong method, or a CORS preflight. */
function nothingThere(endpoints: readonly Endpoint[], services: Services) {
  const find = pathFinder(endpoints)
  return (c: HttpContext): Response => {
    const { path } = c.req
    const known = find(path)
    if (known === undefined) return unknownPath(c, find(path.replace(/\/$/, '')) !== undefined, services)
    const { methods, playerFacing } = known
    const cors = corsHeaders(playerFacing, c.req.header('origin'), services.controlPlaneOrigins)
    const mayPreflight = playerFacing || services.controlPlaneOrigins.length > 0
    if (c.req.method !== 'OPTIONS' || !mayPreflight) return wrongMethod(c, methods, cors, services)
    const headers = { allow: methods.join(', '), 'x-request-id': requestIdOf(new WebExchange(c)), ...cors }
    return new Response(null, { status: 204, headers: { ...headers, ...preflightHeaders(methods) } })
  }
}

/**
 * Returns the answer for an unknown path. A preflight request succeeds, so that a page in a browser may read the
 * answer. Otherwise the browser would show one slash too many in the path as a CORS error.
 */
function unknownPath(c: HttpContext, isKnownWithoutSlash: boolean, services: Services): Response {
  const { method, path } = c.req
  const cors = corsHeaders(true, undefined, [])
  if (method === 'OPTIONS' && c.req.header('access-control-request-method') !== undefined) {
    const headers = { 'x-request-id': requestIdOf(new WebExchange(c)), ...cors, ...preflightHeaders(ANY_METHOD) }
    return new Response(null, { status: 204, headers })
  }
  const hint = isKnownWithoutSlash ? '; remove the slash at the end' : ''
  const error = new ServiceError('NOT_FOUND', `there is no route ${method} ${path}${hint}`)
  return problemResponse(error, requestIdOf(new WebExchange(c)), cors, services.logger)
}

const ANY_METHOD = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function wrongMethod(
  c: HttpContext,
  methods: readonly string[],
  cors: Record<string, string>,
  services: Services,
): Response {
  const error = new ServiceError('METHOD_NOT_ALLOWED', `${c.req.path} takes ${methods.join(', ')}, not ${c.req.method}`)
  return problemResponse(
    error,
    requestIdOf(new WebExchange(c)),
    { ...cors, allow: methods.join(', ') },
    services.logger,
  )
}
