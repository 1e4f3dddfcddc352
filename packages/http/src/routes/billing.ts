import { sessionOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import {
  downgradeBody,
  planStatusSchema,
  toPlanStatusWire,
  toUsageWire,
  upgradeBody,
  usageQuery,
  usageSchema,
} from '../wire/billing'
import { ok } from './answers'

const plan = endpoint({
  operation: 'billing.plan',
  method: 'get',
  path: '/v1/billing/plan',
  summary: 'What the account is on and what that allows.',
  success: ok(planStatusSchema),
  errors: [],
  async handle(call) {
    return toPlanStatusWire(await call.matchyard.billing.plan({ accountId: sessionOf(call).accountId }))
  },
})

const upgrade = endpoint({
  operation: 'billing.upgrade',
  method: 'post',
  path: '/v1/billing/upgrade',
  summary: 'Moves to a higher plan at once.',
  body: upgradeBody,
  success: ok(planStatusSchema),
  errors: ['PAYMENT_METHOD_REQUIRED', 'INVALID_PLAN_CHANGE'],
  async handle(call) {
    const { plan, payment_method_token: paymentMethodToken } = call.body
    const input = { accountId: sessionOf(call).accountId, plan, paymentMethodToken }
    return toPlanStatusWire(await call.matchyard.billing.upgrade(input, call.options))
  },
})

const downgrade = endpoint({
  operation: 'billing.downgrade',
  method: 'post',
  path: '/v1/billing/downgrade',
  summary: 'Schedules a lower plan for the end of the period; the current plan clears that.',
  body: downgradeBody,
  success: ok(planStatusSchema),
  errors: ['INVALID_PLAN_CHANGE'],
  async handle(call) {
    const input = { accountId: sessionOf(call).accountId, plan: call.body.plan }
    return toPlanStatusWire(await call.matchyard.billing.downgrade(input, call.options))
  },
})

const usage = endpoint({
  operation: 'billing.usage',
  method: 'get',
  path: '/v1/billing/usage',
  summary: 'What a month has cost so far.',
  query: usageQuery,
  success: ok(usageSchema),
  errors: [],
  async handle(call) {
    const { accountId } = sessionOf(call)
    return toUsageWire(await call.matchyard.billing.usage({ accountId, month: call.query.month }))
  },
})

export const BILLING_ENDPOINTS: readonly Endpoint[] = [plan, upgrade, downgrade, usage]
