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

const wellness = { status: described(z.literal('ok'), 'It is well.') }
const health = plain(component(z.object(wellness), 'Health', 'Whether it is well.'))
const clock = z
  .object({
    offset_ms: described(
      z.number().int(),
      "Milliseconds by which the machine's clock is ahead of the service's; negative where it is behind, to which the service's never goes back.",
    ),
    steps: described(z.number().int(), "Steps of the machine's clock by more than a second since the process began."),
  })
  .optional()
  .openapi({ description: 'With `verbose`, where the service follows the clock of a machine.' })
const builds = z
  .object({
    unseen: described(
      z.number().int(),
      'Builds for which this process was asked in the last ten minutes without seeing their archive: it leaves them to other nodes.',
    ),
  })
  .optional()
  .openapi({ description: 'With `verbose`.' })
const readiness = plain(
  component(z.object({ ...wellness, clock, builds }), 'Readiness', 'Whether the service can do its work.'),
)
const page = plain(z.string())

const start = endpoint({
  operation: 'system.start',
  method: 'get',
  path: '/',
  summary: 'Where to go from here: a page of links for browsers, the same as JSON for others.',
  success: ok(
    plain(
      component(
        z.object({
          name: described(z.string(), '`matchyard`: what answers here.'),
          version: described(z.string(), 'The version that runs.'),
          sign_in_codes: z.boolean().openapi({
            description:
              'Whether one-time codes sign in here: so it is in `dev`, where one tries things, and not in `serve`.',
          }),
          links: described(z.record(z.string(), z.string()), 'Paths of this service, by name.'),
        }),
        'Start',
        'Where to go from here.',
      ),
    ),
  ),
  async handle({ services: { version, signInCodes }, headers, exchange }) {
    if ((exchange.header('accept') ?? '').includes('text/html')) return startPage(version, headers)
    headers.vary = 'accept'
    return startLinks(version, signInCodes !== undefined && signInCodes.areOperatorsOnly !== true)
  },
})

const live = endpoint({
  operation: 'system.live',
  method: 'get',
  path: '/livez',
  summary: 'Whether the process answers.',
  success: ok(health),
  handle: async () => ({ status: 'ok' as const }),
})

const ready = endpoint({
  operation: 'system.ready',
  method: 'get',
  path: '/readyz',
  summary:
    'Whether the service can do its work: UNAVAILABLE where the storage cannot be reached or takes no writes, and while it shuts down.',
  query: queryOf({
    verbose: optional(
      plain(z.string()),
      'Sent, with any value or none: how the clock does, and whether archives are seen, is told too.',
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
  summary: 'This document.',
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
  summary: 'This document, to be read by people.',
  query: queryOf({
    asset: optional(plain(z.literal('standalone.js')), 'The script that draws the page, in place of the page.'),
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
  summary: 'Measurements, where the service is set up to give them.',
  success: { status: 200, description: 'Prometheus text.', answer: page, mediaType: 'text/plain' },
  errors: ['NOT_FOUND', 'MISSING_CREDENTIALS', 'INVALID_SESSION_TOKEN'],
  handle: ({ services, headers, exchange }) =>
    pageFor(services.metrics, exchange, headers, 'this service gives no measurements'),
})

const top = endpoint({
  operation: 'system.top',
  method: 'get',
  path: '/top',
  summary:
    'Who calls most right now: projects, keys and addresses, for the operator. What it holds may change with any version.',
  success: ok(plain(z.object({}).openapi({ additionalProperties: true }))),
  errors: ['NOT_FOUND', 'MISSING_CREDENTIALS', 'INVALID_SESSION_TOKEN'],
  handle: ({ services, headers, exchange }) =>
    pageFor(services.top, exchange, headers, 'this service does not tell who calls most'),
})

/** Serves a page for operators, to callers with its token, where it has one. */
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
  // Digests of equal length hide where the first difference is.
  const [wanted, sent] = await Promise.all([digest(token), digest(bearer)])
  if (wanted !== sent) throw new ServiceError('INVALID_SESSION_TOKEN', 'this is not the metrics token')
}

async function digest(text: string): Promise<string> {
  return String(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}

export const SYSTEM_ENDPOINTS: readonly Endpoint[] = [start, live, ready, openapi, reference, metrics, top]
