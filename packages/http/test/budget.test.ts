import { beforeEach, describe, expect, test } from 'vitest'
import { type Service, startService } from './harness/service'
import { makeBuild, openStudio, type Studio } from './harness/studio'

// The budget of a project: docs/http-api.md §3.
let service: Service
let studio: Studio

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service)
})

const path = () => `/v1/projects/${studio.projectId}/budget`
const put = (body: unknown) => service.call(`PUT ${path()}`, { token: studio.token, body })
const get = () => service.call(`GET ${path()}`, { token: studio.token })

describe('a budget', () => {
  test('is an amount from a cent to a million dollars, and nothing else', async () => {
    expect((await get()).body).toEqual({ monthly_usd: null, period: '2026-03', spent: 0, forecast: 0 })
    for (const monthly_usd of [0.01, 83.2, 1_000_000]) {
      const { status, body } = await put({ monthly_usd })
      expect([status, body]).toEqual([200, { monthly_usd, period: '2026-03', spent: 0, forecast: 0 }])
    }
    for (const wrong of [0, -1, 0.009, 1_000_000.01, '5', [5]]) {
      const { status, body } = await put({ monthly_usd: wrong })
      expect([status, body.code, body.details.issues[0].path]).toEqual([400, 'VALIDATION_FAILED', 'monthly_usd'])
    }
    expect((await put({})).body.code).toBe('VALIDATION_FAILED')
    expect((await get()).body.monthly_usd).toBe(1_000_000)
    expect((await put({ monthly_usd: null })).body.monthly_usd).toBeNull()
  })

  test('opens a problem that a webhook gets in its sentence', async () => {
    const webhook = { url: 'https://hooks.example/services/x', format: 'slack', types: ['problem.opened'] }
    expect((await service.call('POST /v1/webhooks', { key: studio.server, body: webhook })).status).toBe(201)
    await makeBuild(service, studio)
    await service.call('POST /v1/servers', { key: studio.server, body: { version_tag: 'arena' } })
    await service.settle()
    await put({ monthly_usd: 0.02 })
    for (let minute = 0; minute < 60; minute++) {
      service.clock.advance(60_000)
      await service.settle()
    }
    const { body } = await service.call('GET /v1/problems', { key: studio.server })
    expect(body.problems[0]).toMatchObject({
      code: 'budget_passed',
      severity: 'error',
      subject: { kind: 'project', id: studio.projectId },
      details: { budget: { monthly_usd: 0.02, spent: expect.any(Number), forecast: expect.any(Number) } },
    })
    const sent = service.receiver.requests.map(({ request }) => String(request.body))
    expect(sent.some((text) => text.includes('Problem opened: arena: $0.0') && text.includes('of March'))).toBe(true)
    const { body: log } = await service.call('GET /v1/audit', { key: studio.server })
    expect(
      log.data.find(({ operation }: { readonly operation: string }) => operation === 'projects.setBudget'),
    ).toMatchObject({ changes: [{ kind: 'project', fields: [{ name: 'budget_micro_usd', after: 20_000 }] }] })
  })
})
