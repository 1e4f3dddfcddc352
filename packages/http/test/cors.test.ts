import type { Permission } from '@matchyard/core'
import { describe, expect, test } from 'vitest'
import { ENDPOINTS } from '../src/index'
import { OPERATIONS } from '../src/operations'
import { startService } from './harness/service'

const paths = [...new Set(ENDPOINTS.map(({ path }) => path))].filter((path) => path.startsWith('/v1/'))
const isPlayers = (path: string) =>
  ENDPOINTS.some(({ path: other, operation }) => {
    const { credentials }: Permission = OPERATIONS[operation]
    return other === path && credentials.includes('client')
  })
const preflight = { origin: 'https://game.example', 'access-control-request-method': 'POST' }
const concrete = (path: string) => path.replace(/\{[^}]+\}/g, 'none')

describe('player-facing routes', async () => {
  const { call } = await startService()

  test.each(paths.filter(isPlayers))('%s answers a preflight from anywhere', async (path) => {
    const { status, headers } = await call(`OPTIONS ${concrete(path)}`, { headers: preflight })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-headers')).toBe(
      'authorization, api-key, content-type, idempotency-key, last-event-id, x-player-id, traceparent, tracestate',
    )
    const methods = ENDPOINTS.filter((endpoint) => endpoint.path === path).map(({ method }) => method.toUpperCase())
    for (const method of methods) expect(headers.get('access-control-allow-methods')?.split(', ')).toContain(method)
  })

  test('answers, refusals and wrong methods too carry the headers', async () => {
    for (const what of ['GET /v1/lobbies', 'PUT /v1/lobbies']) {
      const { headers } = await call(what, { headers: { origin: 'https://game.example' } })
      expect(headers.get('access-control-allow-origin'), what).toBe('*')
      const exposed = headers.get('access-control-expose-headers')?.split(', ')
      expect(exposed).toEqual(expect.arrayContaining(['retry-after', 'x-request-id', 'ratelimit']))
    }
  })
})

describe('a path that no route has', async () => {
  const { call } = await startService()

  test('is told to a page, with the slash that is too many', async () => {
    const { status, body, headers } = await call('GET /v1/lobbies/', { headers: { origin: 'https://game.example' } })
    expect([status, body.code, body.detail]).toEqual([
      404,
      'NOT_FOUND',
      'there is no route GET /v1/lobbies/; remove the slash at the end',
    ])
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect((await call('GET /v1/nothing')).body.detail).toBe('there is no route GET /v1/nothing')
  })

  test('passes its preflight, so that the browser sends the call and shows the answer', async () => {
    const { status, headers } = await call('OPTIONS /v1/lobbies/', { headers: preflight })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    expect(headers.get('access-control-allow-methods')?.split(', ')).toContain('POST')
    expect((await call('OPTIONS /v1/lobbies/')).status).toBe(404)
  })
})

describe('the control plane', async () => {
  const shut = await startService()
  const configured = await startService({ app: { controlPlaneOrigins: ['https://dash.example'] } })

  test.each(paths.filter((path) => !isPlayers(path)))('%s allows nobody by default', async (path) => {
    const { headers } = await shut.call(`OPTIONS ${concrete(path)}`, { headers: preflight })
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  test('allows the configured origin, and no other', async () => {
    const ask = (what: string, origin: string) => configured.call(what, { headers: { ...preflight, origin } })
    const dash = await ask('OPTIONS /v1/account', 'https://dash.example')
    expect([dash.status, dash.headers.get('access-control-allow-origin')]).toEqual([204, 'https://dash.example'])
    expect(dash.headers.get('access-control-allow-headers')).toContain('authorization')
    expect(dash.headers.get('vary')).toBe('origin')
    const evil = await ask('OPTIONS /v1/account', 'https://evil.example')
    expect(evil.headers.get('access-control-allow-origin')).toBeNull()
    expect((await ask('GET /v1/account', 'https://dash.example')).headers.get('access-control-allow-origin')).toBe(
      'https://dash.example',
    )
  })
})
