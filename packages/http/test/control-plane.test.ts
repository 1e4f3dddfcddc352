import { beforeEach, describe, expect, test } from 'vitest'
import type { Body } from './harness/client'
import { type Service, startService } from './harness/service'
import { makeBuild, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service)
})

const WEEK = 7 * 86_400_000
const asDeveloper = (body?: unknown) => ({ token: studio.token, ...(body === undefined ? {} : { body }) })

describe('sessions', () => {
  test('register answers 201 with a session for seven days, on free', async () => {
    const { status, body } = await service.call('POST /v1/auth/register', {
      body: { email: 'Ann@Example.com', password: 'correct horse', name: 'Ann' },
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      token: expect.any(String),
      token_type: 'Bearer',
      expires_at: new Date(service.clock.now() + WEEK).toISOString(),
      account: {
        id: expect.stringMatching(/^acc_/),
        email: 'ann@example.com',
        name: 'Ann',
        plan: 'free',
        created_at: new Date(service.clock.now()).toISOString(),
        updated_at: new Date(service.clock.now()).toISOString(),
      },
    })
    expect((await service.call('GET /v1/account', { token: body.token })).body).toEqual(body.account)
    const login = await service.call('POST /v1/auth/login', {
      body: { email: 'ANN@example.com', password: 'correct horse' },
    })
    expect([login.status, login.body.account.id]).toEqual([200, body.account.id])
    // A login does not end other chains.
    expect((await service.call('GET /v1/account', { token: body.token })).status).toBe(200)
  })

  test.each([
    ['a short password', { password: '1234567' }, 'password'],
    ['a long one', { password: 'x'.repeat(257) }, 'password'],
    ['no address', { email: 'ann' }, 'email'],
    ['no name', { name: '' }, 'name'],
  ])('%s is refused', async (_what, fields, path) => {
    const body = { email: 'bob@example.com', password: 'correct horse', name: 'Bob', ...fields }
    const answer = await service.call('POST /v1/auth/register', { body })
    expect([answer.status, answer.body.details.issues[0].path]).toEqual([400, path])
  })

  test('refresh kills the token used; of many at once exactly one wins', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => service.call('POST /v1/auth/refresh', asDeveloper())),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    for (const { status, body } of answers) if (status !== 200) expect(body.code).toBe('INVALID_SESSION_TOKEN')
    expect((await service.call('GET /v1/account', asDeveloper())).body.code).toBe('INVALID_SESSION_TOKEN')
    expect((await service.call('GET /v1/account', { token: won[0]?.body.token })).status).toBe(200)
  })

  test('logout answers 204 and ends the token', async () => {
    expect((await service.call('POST /v1/auth/logout', asDeveloper())).status).toBe(204)
    expect((await service.call('GET /v1/account', asDeveloper())).body.code).toBe('INVALID_SESSION_TOKEN')
  })
})

describe('projects and keys', () => {
  test('one call gives a usable project with both keys', async () => {
    const { status, body } = await service.call('POST /v1/projects', asDeveloper({ name: 'My Arena!' }))
    expect(status).toBe(201)
    expect(body).toMatchObject({ account_id: studio.accountId, name: 'My Arena!', slug: 'my-arena' })
    expect(body.keys.map(({ type }: Body) => type)).toEqual(['client', 'server'])
    const [client] = body.keys
    expect(client).toEqual({
      key_id: expect.stringMatching(/^key_/),
      project_id: body.project_id,
      type: 'client',
      name: expect.any(String),
      last4: client.key.slice(-4),
      created_at: body.created_at,
      revoked_at: null,
      expires_at: null,
      key: expect.stringMatching(/^ck_live_[0-9A-Za-z]{36}$/),
    })
    const { keys: _, ...project } = body
    expect((await service.call(`GET /v1/projects/${body.project_id}`, asDeveloper())).body).toEqual(project)
  })

  test('key values are shown once, and lists never hold them', async () => {
    const keys = `/v1/projects/${studio.projectId}/keys`
    const minted = await service.call(`POST ${keys}`, asDeveloper({ type: 'server', name: 'CI' }))
    expect([minted.status, minted.body.name]).toEqual([201, 'CI'])
    expect((await service.call('GET /v1/queues', { key: minted.body.key })).status).toBe(200)
    const { body, text } = await service.call(`GET ${keys}`, asDeveloper())
    expect(body.total).toBe(3)
    expect(text).not.toContain(minted.body.key)
    expect(body.data.every((key: Body) => !('key' in key) && !('hash' in key))).toBe(true)
    expect((await service.call(`DELETE ${keys}/${minted.body.key_id}`, asDeveloper())).status).toBe(204)
    expect((await service.call('GET /v1/queues', { key: minted.body.key })).body.code).toBe('INVALID_API_KEY')
    const revoked = (await service.call(`GET ${keys}`, asDeveloper())).body.data[2]
    expect(revoked.revoked_at).toBe(new Date(service.clock.now()).toISOString())
  })

  test('a deleted project is gone with its keys', async () => {
    expect((await service.call(`DELETE /v1/projects/${studio.projectId}`, asDeveloper())).status).toBe(204)
    expect((await service.call('GET /v1/queues', { key: studio.server })).body.code).toBe('INVALID_API_KEY')
    expect((await service.call('GET /v1/projects', asDeveloper())).body).toMatchObject({ total: 0, data: [] })
    expect((await service.call(`DELETE /v1/projects/${studio.projectId}`, asDeveloper())).body.code).toBe(
      'PROJECT_NOT_FOUND',
    )
  })

  test('lists page', async () => {
    for (const name of ['B', 'C']) await service.call('POST /v1/projects', asDeveloper({ name }))
    const page = await service.call('GET /v1/projects?limit=2&offset=1', asDeveloper())
    expect(page.body).toMatchObject({ total: 3, limit: 2, offset: 1, has_more: false })
    expect(page.body.data.map(({ name }: Body) => name)).toEqual(['B', 'C'])
    expect((await service.call('GET /v1/projects?limit=1', asDeveloper())).body.has_more).toBe(true)
  })
})

describe('billing', () => {
  test('the plan says what the account may do, unlimited as -1', async () => {
    const { body } = await service.call('GET /v1/billing/plan', asDeveloper())
    expect(body).toEqual({
      plan: 'pro',
      limits: {
        max_concurrent_servers: -1,
        max_tier: '8x-32g',
        max_server_ttl: -1,
        regions: expect.arrayContaining(['ams', 'yyz']),
        max_builds: -1,
        queues_enabled: true,
        lobbies_enabled: true,
        matchmaking_enabled: true,
        payment_method_required: true,
      },
      current_period_start: '2026-03-01T00:00:00.000Z',
      current_period_end: '2026-04-01T00:00:00.000Z',
      pending_plan: null,
      payment_method: { type: 'card', brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2099 },
    })
  })

  test('a downgrade is pending until the period ends; the current plan clears it', async () => {
    const downgrade = (plan: string) => service.call('POST /v1/billing/downgrade', asDeveloper({ plan }))
    expect((await downgrade('free')).body).toMatchObject({ plan: 'pro', pending_plan: 'free' })
    expect((await downgrade('pro')).body).toMatchObject({ plan: 'pro', pending_plan: null })
    await downgrade('payg')
    service.clock.advanceTo(Date.UTC(2026, 3, 1))
    await service.settle()
    const { token } = (
      await service.call('POST /v1/auth/login', { body: { email: await emailOf(), password: 'correct horse' } })
    ).body
    expect((await service.call('GET /v1/billing/plan', { token })).body).toMatchObject({
      plan: 'payg',
      pending_plan: null,
    })
  })
  const emailOf = async () => (await service.storage.get('account', studio.accountId))?.email

  test('an unknown card is PAYMENT_METHOD_REQUIRED', async () => {
    const free = await openStudio(service, 'free')
    const { body } = await service.call('POST /v1/billing/upgrade', {
      token: free.token,
      body: { plan: 'payg', payment_method_token: 'pm_bad' },
    })
    expect([body.status, body.code]).toEqual([402, 'PAYMENT_METHOD_REQUIRED'])
  })

  test('a card is replaced, on any plan, and a declined one changes nothing', async () => {
    const free = await openStudio(service, 'free')
    const put = (payment_method_token?: string) =>
      service.call('PUT /v1/billing/payment-method', { token: free.token, body: { payment_method_token } })
    const { status, body } = await put('pm_test_visa')
    expect([status, body.plan, body.payment_method]).toEqual([200, 'free', expect.objectContaining({ brand: 'visa' })])
    expect((await put('pm_bad')).body.code).toBe('PAYMENT_METHOD_REQUIRED')
    expect((await put()).body.code).toBe('VALIDATION_FAILED')
    const plan = await service.call('GET /v1/billing/plan', { token: free.token })
    expect([plan.body.payment_method, 'tariff' in plan.body]).toEqual([body.payment_method, false])
  })

  test('an account of the operator shows its tariff, and is sold nothing', async () => {
    const login = { email: 'operator@example.com', password: 'correct horse' }
    await service.matchyard.accounts.create({ ...login, name: 'Ann' })
    const { token, account } = (await service.call('POST /v1/auth/login', { body: login })).body
    expect(account).toMatchObject({ plan: 'pro', tariff: 'self_hosted' })
    const { body } = await service.call('GET /v1/billing/plan', { token })
    expect(body).toMatchObject({ plan: 'pro', tariff: 'self_hosted', limits: { payment_method_required: false } })
    const buy = { plan: 'self_hosted', payment_method_token: 'pm_test_visa' }
    expect((await service.call('POST /v1/billing/upgrade', { token, body: buy })).body.code).toBe('VALIDATION_FAILED')
    const free = await service.call('POST /v1/billing/downgrade', { token, body: { plan: 'free' } })
    expect([free.status, free.body.code]).toEqual([409, 'INVALID_PLAN_CHANGE'])
  })

  test('usage is in USD, by project; the credit of pro is taken off', async () => {
    await makeBuild(service, studio)
    await service.call('POST /v1/servers', { key: studio.server, body: { version_tag: 'arena', tier: '8x-32g' } })
    await service.settle()
    service.clock.advance(100 * 3_600_000)
    // The session of 100 hours ago still holds; 100 h at 8 CPU and 32 GiB cost 32 USD.
    const { body } = await service.call('GET /v1/billing/usage', asDeveloper())
    expect(body).toEqual({
      period: '2026-03',
      total_cost: 32,
      credit_applied: 5,
      balance_due: 27,
      projects: [{ project_id: studio.projectId, name: 'Arena', cost: 32 }],
      has_more: false,
    })
    const future = await service.call('GET /v1/billing/usage?month=2030-01', asDeveloper())
    const nothing = { total_cost: 0, credit_applied: 0, balance_due: 0, projects: [], has_more: false }
    expect(future.body).toEqual({ period: '2030-01', ...nothing })
    for (const month of ['2026-13', '2026-3', 'now', '']) {
      expect((await service.call(`GET /v1/billing/usage?month=${month}`, asDeveloper())).body.code).toBe(
        'VALIDATION_FAILED',
      )
    }
  })
})
