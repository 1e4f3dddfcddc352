import { z } from '@hono/zod-openapi'
import { ServiceError } from '@matchyard/core'
import { type Endpoint, endpoint } from '../endpoint'
import { ok } from './answers'
import { referencePage, referenceScript } from './reference-page'

const healthSchema = z.object({ status: z.literal('ok') }).openapi('Health')

const live = endpoint({
  operation: 'system.live',
  method: 'get',
  path: '/livez',
  summary: 'Whether the process answers.',
  success: ok(healthSchema),
  errors: [],
  handle: async () => ({ status: 'ok' }),
})

const ready = endpoint({
  operation: 'system.ready',
  method: 'get',
  path: '/readyz',
  summary:
    'Whether the service can do its work: UNAVAILABLE where the storage cannot be reached or takes no writes, and while it shuts down.',
  success: ok(healthSchema),
  errors: [],
  async handle({ matchyard, services }) {
    if (services.draining()) throw new ServiceError('UNAVAILABLE', 'the service is shutting down')
    await matchyard.ping().catch(() => {
      throw new ServiceError('UNAVAILABLE', 'the storage does not answer, or takes no writes')
    })
    return { status: 'ok' }
  },
})

const openapi = endpoint({
  operation: 'system.openapi',
  method: 'get',
  path: '/openapi.json',
  summary: 'This document.',
  success: ok(z.object({}).openapi({ additionalProperties: true })),
  errors: [],
  handle: async ({ services, headers }) => {
    const more = { 'access-control-allow-origin': '*', 'cache-control': 'no-cache', 'content-type': 'application/json' }
    return new Response(services.document(), { headers: { ...headers, ...more } })
  },
})

const reference = endpoint({
  operation: 'system.reference',
  method: 'get',
  path: '/reference',
  summary: 'This document, to be read by people.',
  query: z.object({ asset: z.literal('standalone.js').optional() }),
  success: { status: 200, description: 'A page.', schema: z.string(), mediaType: 'text/html' },
  errors: ['NOT_FOUND'],
  async handle({ query, headers, services: { referenceScript: load } }) {
    if (query.asset !== undefined || load === undefined) return referenceScript(load, headers)
    return referencePage(headers)
  },
})

const metrics = endpoint({
  operation: 'system.metrics',
  method: 'get',
  path: '/metrics',
  summary: 'Measurements, where the service is set up to give them.',
  success: { status: 200, description: 'Prometheus text.', schema: z.string(), mediaType: 'text/plain' },
  errors: ['NOT_FOUND', 'MISSING_CREDENTIALS', 'CREDENTIAL_NOT_ALLOWED'],
  async handle({ services: { metrics: page }, headers, c }) {
    if (page === undefined) throw new ServiceError('NOT_FOUND', 'this service gives no measurements')
    if (page.token !== undefined) await checkToken(page.token, c.req.header('authorization'))
    return new Response(await page.render(), { headers: { ...headers, 'content-type': page.contentType } })
  },
})

async function checkToken(token: string, header: string | undefined): Promise<void> {
  if (header === undefined) throw new ServiceError('MISSING_CREDENTIALS', 'send the metrics token as a bearer token')
  // Digests of equal length hide where the first difference is.
  const [wanted, sent] = await Promise.all([digest(`Bearer ${token}`), digest(header)])
  if (wanted !== sent) throw new ServiceError('CREDENTIAL_NOT_ALLOWED', 'this is not the metrics token')
}

async function digest(text: string): Promise<string> {
  return String(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}

export const SYSTEM_ENDPOINTS: readonly Endpoint[] = [live, ready, openapi, reference, metrics]
