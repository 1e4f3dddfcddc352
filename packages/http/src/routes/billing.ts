import { type Endpoint, endpoint } from '../endpoint'
import * as wire from '../wire/billing'
import { ok } from './answers'

const plan = endpoint({
  operation: 'billing.plan',
  method: 'get',
  path: '/v1/billing/plan',
  summary: "Returns the account's plan and its limits.",
  success: ok(wire.planStatus),
})

const upgrade = endpoint({
  operation: 'billing.upgrade',
  method: 'post',
  path: '/v1/billing/upgrade',
  summary: 'Changes to a higher plan at once.',
  body: wire.upgrade,
  success: ok(wire.planStatus),
})

const downgrade = endpoint({
  operation: 'billing.downgrade',
  method: 'post',
  path: '/v1/billing/downgrade',
  summary: 'Schedules a lower plan for the end of the period; the current plan cancels a scheduled one.',
  body: wire.downgrade,
  success: ok(wire.planStatus),
})

const usage = endpoint({
  operation: 'billing.usage',
  method: 'get',
  path: '/v1/billing/usage',
  summary: 'Returns the usage and cost of a month.',
  query: wire.usageQuery,
  success: ok(wire.usage),
})

const replacePaymentMethod = endpoint({
  operation: 'billing.replacePaymentMethod',
  method: 'put',
  path: '/v1/billing/payment-method',
  summary: 'Replaces the card on file; the plan stays.',
  body: wire.paymentMethodBody,
  success: ok(wire.planStatus),
})

export const BILLING_ENDPOINTS: readonly Endpoint[] = [plan, upgrade, downgrade, usage, replacePaymentMethod]
