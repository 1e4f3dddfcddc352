import { z } from '@hono/zod-openapi'
import { ServiceError } from '@matchyard/core'
import { StorageUnavailable } from '@matchyard/core/ports'
import { type Endpoint, endpoint } from '../endpoint'
import type { Exchange } from '../exchange/exchange'
import { takesGzip } from '../files'
import { bearerOf } from '../middleware/bearer'
import type { MetricsPage } from '../options'
import { component, described, optional, plain, queryOf } from '../wire/codec/index'
import { ok } from './answers'
import { referencePage, referenceScript } from './reference-page'
import { startLinks, startPage } from './start-page'

const wellness = { status: described(z.literal('ok'), 'Status.') }
const health = plain(component(z.object(wellness), 'Health', 'Health of the process.'))
const clock = z
  .object({
    offset_ms: described(
      z.number().int(),
      "Milliseconds by which the machine's clock is ahead of the service's clock; negative when it is behind. The service's clock never goes back.",
    ),
    steps: described(z.number().int(), "Steps of the machine's clock by more than a second since the process began."),
  })
  .optional()
  .openapi({ description: "State of the clock; only with `verbose`, when the service follows a machine's clock." })
const builds = z
  .object({
    unseen: described(
      z.number().int(),
      'Builds that this process was asked for in the last ten minutes without seeing their archive; it leaves them to other nodes.',
    ),
  })
  .optional()
  .openapi({ description: 'State of the build store; only with `verbose`.' })
const readiness = plain(component(z.object({ ...wellness, clock, builds }), 'Readiness', 'Readiness of the service.'))
const page = plain(z.string())

const start = endpoint({
  operation: 'system.start',
  method: 'get',
  path: '/',
  summary: 'Returns the entry points of the service: a page of links for browsers, JSON for others.',
  success: ok(
    plain(
      component(
        z.object({
          name: described(z.string(), 'Name of the service: `matchyard`.'),
          version: described(z.string(), 'Version of the service.'),
          sign_in_codes: z.boolean().openapi({
            description: 'Whether one-time codes can sign in: yes in `dev`, no in `serve`.',
          }),
          links: described(z.record(z.string(), z.string()), 'Paths of this service, by name.'),
        }),
        'Start',
        'Entry points of the service.',
      ),
    ),
  ),
  async handle({ services: { version, signInCodes, whyClosed }, headers, exchange }) {
    const isOpen = (operation: string) => whyClosed?.(operation, exchange.incoming) === undefined
    if ((exchange.header('accept') ?? '').includes('text/html')) return startPage(version, headers, isOpen)
    headers.vary = 'accept'
    return startLinks(version, signInCodes !== undefined && signInCodes.areOperatorsOnly !== true, isOpen)
  },
})

const live = endpoint({
  operation: 'system.live',
  method: 'get',
  path: '/livez',
  summary: 'Checks that the process answers.',
  success: ok(health),
  handle: async () => ({ status: 'ok' as const }),
})

const ready = endpoint({
  operation: 'system.ready',
  method: 'get',
  path: '/readyz',
  summary:
    'Checks that the service is ready. UNAVAILABLE when the storage cannot be reached or rejects writes, and during shutdown.',
  query: queryOf({
    verbose: optional(
      plain(z.string()),
      'With this parameter (any value) the answer includes the state of the clock and of the build store.',
    ),
  }),
  success: ok(readiness),
  async handle({ matchyard, services, query }) {
    if (services.draining()) throw new ServiceError('UNAVAILABLE', 'the service is shutting down')
    await matchyard.ping().catch((error: unknown) => {
      const isFull = error instanceof StorageUnavailable && error.isFull
      const full = 'the disk of the storage is full: it takes no writes, reads go on'
      throw new ServiceError('UNAVAILABLE', isFull ? full : 'the storage does not answer, or takes no writes')
    })
    if (query.verbose === undefined) return { status: 'ok' as const }
    const told = services.clock.report?.()
    return {
      status: 'ok' as const,
      builds: { unseen: matchyard.unseenArchives() },
      ...(told === undefined ? {} : { clock: { offset_ms: told.offsetMs, steps: told.steps } }),
    }
  },
})

const openapi = endpoint({
  operation: 'system.openapi',
  method: 'get',
  path: '/openapi.json',
  summary: 'Returns this document.',
  success: ok(plain(z.object({}).openapi({ additionalProperties: true }))),
  handle: async ({ services, headers, exchange }) => {
    const more = {
      ...headers,
      'access-control-allow-origin': '*',
      'cache-control': 'no-cache',
      'content-type': 'application/json',
      vary: 'accept-encoding',
    }
    const { document } = services
    if (!takesGzip(exchange.header('accept-encoding'))) return new Response(await document.plain(), { headers: more })
    return new Response(await document.packed(), { headers: { ...more, 'content-encoding': 'gzip' } })
  },
})

const reference = endpoint({
  operation: 'system.reference',
  method: 'get',
  path: '/reference',
  summary: 'Returns this document as a page.',
  query: queryOf({
    asset: optional(plain(z.literal('standalone.js')), "Returns the page's script instead of the page."),
  }),
  success: { status: 200, description: 'A page.', answer: page, mediaType: 'text/html' },
  errors: ['NOT_FOUND'],
  async handle({ query, headers, exchange, services: { referenceScript: load, referenceKeys } }) {
    if (query.asset !== undefined || load === undefined) return referenceScript(load, headers)
    return referencePage(headers, referenceKeys(exchange.origin()))
  },
})

const metrics = endpoint({
  operation: 'system.metrics',
  method: 'get',
  path: '/metrics',
  summary: 'Returns metrics, if the service is configured to.',
  success: {
    status: 200,
    description: 'Metrics in the Prometheus text format.',
    answer: page,
    mediaType: 'text/plain',
  },
  errors: ['NOT_FOUND', 'MISSING_CREDENTIALS', 'INVALID_SESSION_TOKEN'],
  handle: ({ services, headers, exchange }) =>
    pageFor(services.metrics, exchange, headers, 'this service gives no measurements'),
})

const top = endpoint({
  operation: 'system.top',
  method: 'get',
  path: '/top',
  summary:
    'Returns the callers with the most load now (projects, keys, addresses), for the operator. Its content may change in any version.',
  success: ok(plain(z.object({}).openapi({ additionalProperties: true }))),
  errors: ['NOT_FOUND', 'MISSING_CREDENTIALS', 'INVALID_SESSION_TOKEN'],
  handle: ({ services, headers, exchange }) =>
    pageFor(services.top, exchange, headers, 'this service does not tell who calls most'),
})

/** Resolves to a page for operators. If the page requires a token, the call must have sent it. */
async function pageFor(
  shown: MetricsPage | undefined,
  exchange: Exchange,
  headers: Record<string, string>,
  notThere: string,
): Promise<Response> {
  if (shown === undefined) throw new ServiceError('NOT_FOUND', notThere)
  if (shown.token !== undefined) await checkToken(shown.token, bearerOf(exchange))
  return new Response(await shown.render(), { headers: { ...headers, 'content-type': shown.contentType } })
}

async function checkToken(token: string, bearer: string | undefined): Promise<void> {
  if (bearer === undefined) throw new ServiceError('MISSING_CREDENTIALS', 'send the metrics token as a bearer token')
  // Digests of the tokens are compared, so that the duration does not show the position of the first difference.
  const [wanted, sent] = await Promise.all([digest(token), digest(bearer)])
  if (wanted !== sent) throw new ServiceError('INVALID_SESSION_TOKEN', 'this is not the metrics token')
}

async function digest(text: string): Promise<string> {
  return String(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}

export const SYSTEM_ENDPOINTS: readonly Endpoint[] = [start, live, ready, openapi, reference, metrics, top]
