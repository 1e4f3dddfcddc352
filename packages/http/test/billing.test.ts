import { expect, test } from 'vitest'
import { startService } from './harness/service'
import { openStudio } from './harness/studio'

test('a card is replaced, on any plan, and a declined one changes nothing', async () => {
  const service = await startService()
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
  const service = await startService()
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
