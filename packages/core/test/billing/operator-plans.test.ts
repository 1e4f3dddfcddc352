import { describe, expect, test } from 'vitest'
import { checkUpgrade, decideSetPlan, downgradePlan } from '../../src/billing/decide'
import { evolveBilling } from '../../src/billing/evolve'
import { anAccount } from './account'

const AT = Date.UTC(2026, 2, 10)
const APRIL = Date.UTC(2026, 3, 1)
const operators = anAccount({ plan: 'pro', tariff: 'self_hosted' })
const pending = anAccount({ plan: 'pro', pendingPlan: 'free', pendingPlanAt: APRIL })
const detailOf = (decision: { ok: boolean; rejected?: { detail: string } }) => decision.rejected?.detail

describe('the plan of an account that the operator set', () => {
  test('is changed by the operator alone', () => {
    for (const decision of [checkUpgrade(operators, 'pro'), downgradePlan(operators, { plan: 'free', at: AT })]) {
      expect(decision).toMatchObject({ ok: false, rejected: { code: 'INVALID_PLAN_CHANGE' } })
      expect(detailOf(decision)).toContain('operator')
    }
    expect(downgradePlan(operators, { plan: 'pro', at: AT })).toEqual({ ok: true, events: [] })
  })

  test('is set once: only another plan, another tariff or a pending plan makes an event', () => {
    const set = (account: ReturnType<typeof anAccount>, choice: 'free' | 'pro' | 'self_hosted') =>
      decideSetPlan(account, { choice, at: AT })
    expect(set(anAccount({ plan: 'pro' }), 'pro')).toEqual({ ok: true, events: [] })
    expect(set(operators, 'self_hosted').ok && set(evolved(operators), 'self_hosted')).toEqual({ ok: true, events: [] })
    expect(set(anAccount({ plan: 'pro' }), 'free')).toMatchObject({ events: [{ type: 'plan_set', plan: 'free' }] })
    expect(set(operators, 'pro')).toMatchObject({ events: [{ type: 'plan_set', plan: 'pro' }] })
    expect(set(pending, 'pro')).toMatchObject({ events: [{ type: 'plan_set', plan: 'pro' }] })
  })

  test('has its tariff only until a plan is set without one', () => {
    const after = evolveBilling(operators, { type: 'plan_set', plan: 'free', tariff: undefined, at: AT })
    expect('tariff' in after).toBe(false)
    expect(Object.keys(after.planHistory.at(-1) ?? {})).toEqual(['plan', 'from'])
  })
})

/** Returns the account after the operator set it to the tariff of a self-hosted installation. */
function evolved(account: ReturnType<typeof anAccount>) {
  const decision = decideSetPlan(account, { choice: 'self_hosted', at: AT })
  return decision.ok ? decision.events.reduce(evolveBilling, account) : account
}

test('a refused upgrade names both plans and the way to the wanted state', () => {
  const same = checkUpgrade(pending, 'pro')
  expect(same).toMatchObject({ rejected: { details: { plan: 'pro', requested: 'pro' } } })
  expect(detailOf(same)).toContain('request a downgrade to pro')
  expect(detailOf(checkUpgrade(pending, 'free'))).toContain('downgrade')
  expect(detailOf(checkUpgrade(pending, 'free'))).not.toContain('is pending')
  expect(detailOf(checkUpgrade(anAccount({ plan: 'pro' }), 'pro'))).not.toContain('request a downgrade to pro')
})

test('a repeated downgrade to the pending plan changes nothing', () => {
  expect(downgradePlan(pending, { plan: 'free', at: AT })).toEqual({ ok: true, events: [] })
})

test.each([{}, { pendingPlan: 'free' as const }, { pendingPlanAt: APRIL }])(
  'a period that ends without a whole pending plan (%o) changes nothing',
  (fields) => {
    const account = anAccount({ plan: 'pro', ...fields })
    expect(evolveBilling(account, { type: 'period_ended' })).toBe(account)
  },
)
