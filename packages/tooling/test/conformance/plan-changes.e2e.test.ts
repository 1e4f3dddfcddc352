import { beforeEach, expect } from 'vitest'
import { fault, outcome } from '../../src/conformance/client'
import { rule } from '../../src/conformance/rule'
import { World } from '../../src/conformance/world'

const APRIL = Date.UTC(2026, 3, 1)
const VISA = 'pm_test_visa'

let world: World
beforeEach(async () => {
  world = await World.open()
})

rule('S-BIL-06', async () => {
  const studio = await world.studio('pro')
  const { status, body } = await studio.developer('POST /v1/billing/downgrade', { plan: 'payg' })
  expect([status, body.plan, body.pending_plan, body.limits.queues_enabled]).toEqual([200, 'pro', 'payg', true])
  expect((await studio.developer('GET /v1/billing/plan')).body).toEqual(body)
  expect((await studio.developer('GET /v1/account')).body.plan).toBe('pro')
})

rule('S-BIL-07', async () => {
  const studio = await world.studio('pro')
  const { body } = await studio.developer('POST /v1/billing/downgrade', { plan: 'free' })
  world.clock.advanceTo(Date.parse(body.current_period_end) - 1)
  await world.settle()
  const developer = await studio.loggedIn()
  expect((await developer('GET /v1/billing/plan')).body).toMatchObject({ plan: 'pro', pending_plan: 'free' })
  world.clock.advance(1)
  await world.settle()
  expect((await developer('GET /v1/billing/plan')).body).toMatchObject({
    plan: 'free',
    pending_plan: null,
    limits: { queues_enabled: false, max_concurrent_servers: 1 },
    current_period_start: '2026-04-01T00:00:00.000Z',
  })
  expect((await developer('GET /v1/account')).body.plan).toBe('free')
})

rule('S-BIL-08', async () => {
  const studio = await world.studio('pro')
  for (const body of [{}, { plan: 'gold' }, { plan: null }]) {
    expect(fault(await studio.developer('POST /v1/billing/downgrade', body))).toBe('plan')
  }
})

rule('C-3-01', async () => {
  const studio = await world.studio()
  world.clock.advanceTo(Date.UTC(2028, 1, 29, 23, 59, 59, 999))
  await world.settle()
  const developer = await studio.loggedIn()
  const periodOf = async () => {
    const { body } = await developer('GET /v1/billing/plan')
    return [body.current_period_start, body.current_period_end]
  }
  expect(await periodOf()).toEqual(['2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'])
  world.clock.advance(1)
  await world.settle()
  expect(await periodOf()).toEqual(['2028-03-01T00:00:00.000Z', '2028-04-01T00:00:00.000Z'])
})

rule('C-3-03', async () => {
  const { developer } = await world.studio('free')
  const first = await developer('POST /v1/billing/upgrade', { plan: 'payg', payment_method_token: VISA })
  expect([first.status, first.body.plan]).toEqual([200, 'payg'])
  await developer('POST /v1/billing/downgrade', { plan: 'free' })
  const second = await developer('POST /v1/billing/upgrade', { plan: 'pro' })
  expect([second.status, second.body.plan, second.body.pending_plan]).toEqual([200, 'pro', null])
  expect((await developer('GET /v1/billing/plan')).body).toEqual(second.body)
})

rule('C-3-04', async () => {
  const { developer } = await world.studio('free')
  const upgrade = (plan: string, token?: string) =>
    developer('POST /v1/billing/upgrade', { plan, ...(token === undefined ? {} : { payment_method_token: token }) })
  expect(outcome(await upgrade('payg'))).toEqual([402, 'PAYMENT_METHOD_REQUIRED'])
  expect((await upgrade('payg', VISA)).status).toBe(200)
  expect((await upgrade('pro')).status).toBe(200)
})

rule('C-3-05', async () => {
  const { developer } = await world.studio('free')
  const refused = await developer('POST /v1/billing/upgrade', { plan: 'pro', payment_method_token: 'pm_declined' })
  expect(outcome(refused)).toEqual([402, 'PAYMENT_METHOD_REQUIRED'])
  expect((await developer('GET /v1/billing/plan')).body).toMatchObject({ plan: 'free', payment_method: null })
})

rule('C-3-06', async () => {
  const { developer } = await world.studio('payg')
  const upgrade = (plan: string) => developer('POST /v1/billing/upgrade', { plan, payment_method_token: VISA })
  for (const plan of ['payg', 'free']) expect(outcome(await upgrade(plan))).toEqual([409, 'INVALID_PLAN_CHANGE'])
  await developer('POST /v1/billing/downgrade', { plan: 'free' })
  expect(outcome(await upgrade('payg'))).toEqual([409, 'INVALID_PLAN_CHANGE'])
  expect((await developer('GET /v1/billing/plan')).body.pending_plan).toBe('free')
})

rule('C-3-07', async () => {
  const { developer } = await world.studio('payg')
  const downgrade = (plan: string) => developer('POST /v1/billing/downgrade', { plan })
  expect((await downgrade('free')).body.pending_plan).toBe('free')
  expect((await downgrade('payg')).body).toMatchObject({ plan: 'payg', pending_plan: null })
  expect(outcome(await downgrade('pro'))).toEqual([409, 'INVALID_PLAN_CHANGE'])
})

rule('C-3-08', async () => {
  const studio = await world.studio('pro')
  await studio.build()
  await studio.developer('POST /v1/billing/downgrade', { plan: 'free' })
  world.clock.advanceTo(APRIL - 600_000)
  const endless = await studio.server()
  const brief = await studio.server({ ttl: 1_200 })
  await world.settle()
  const expiryOf = async ({ instance_id: id }: { instance_id: string }) =>
    (await studio.backend(`GET /v1/servers/${id}`)).body
  expect(await expiryOf(endless)).toMatchObject({ status: 'running', expires_at: null })
  world.clock.advanceTo(APRIL)
  await world.settle()
  expect(await expiryOf(endless)).toMatchObject({ status: 'running', expires_at: '2026-04-01T00:30:00.000Z' })
  expect(await expiryOf(brief)).toMatchObject({ status: 'running', expires_at: '2026-04-01T00:10:00.000Z' })
  // Both servers still count, so another one would be the third.
  const third = await studio.backend('POST /v1/servers', { version_tag: 'arena' })
  expect(third.body.details).toMatchObject({ limit: 'max_concurrent_servers', allowed: 1, requested: 3 })
  await world.wait(1_800)
  expect((await expiryOf(endless)).status).toBe('stopped')
})

rule('C-3-09', async () => {
  const free = await world.studio('free')
  expect((await free.developer('GET /v1/billing/plan')).body.payment_method).toBeNull()
  const { developer } = await world.studio('payg')
  expect((await developer('GET /v1/billing/plan')).body.payment_method).toEqual({
    type: 'card',
    brand: 'visa',
    last4: expect.stringMatching(/^\d{4}$/),
    exp_month: expect.any(Number),
    exp_year: expect.any(Number),
  })
})

rule('C-3-24', async () => {
  const studio = await world.studio('pro')
  await studio.queue({ lobby_ttl: 10_000 })
  await studio.developer('POST /v1/billing/downgrade', { plan: 'payg' })
  world.clock.advanceTo(APRIL - 60_000)
  await world.settle()
  const lobby = await studio.lobby()
  world.clock.advanceTo(APRIL)
  await world.settle()
  const refused = await studio.act('ann', lobby, 'POST', '/queue')
  expect(outcome(refused)).toEqual([403, 'PLAN_LIMIT_EXCEEDED'])
  expect(refused.body.details).toMatchObject({ limit: 'matchmaking_enabled', plan: 'payg' })
})

rule('C-3-25', async () => {
  const studio = await world.studio('pro')
  await studio.developer('POST /v1/billing/downgrade', { plan: 'payg' })
  // The service runs no job for six weeks. The plan change is applied late, once, and a later upgrade does not repeat
  // it.
  world.clock.advanceTo(Date.UTC(2026, 4, 15))
  await world.settle()
  const developer = await studio.loggedIn()
  expect((await developer('GET /v1/billing/plan')).body).toMatchObject({ plan: 'payg', pending_plan: null })
  await developer('POST /v1/billing/upgrade', { plan: 'pro' })
  world.clock.advanceTo(Date.UTC(2026, 6, 2))
  await world.settle()
  expect((await (await studio.loggedIn())('GET /v1/billing/plan')).body.plan).toBe('pro')
})
