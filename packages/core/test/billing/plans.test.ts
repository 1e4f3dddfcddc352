import { PLANS } from '@matchyard/core'
import { describe, expect, test } from 'vitest'
import { checkUpgrade, downgradePlan, endPeriod, upgradePlan } from '../../src/billing/decide'
import { evolveBilling } from '../../src/billing/evolve'
import { accountAt, planAt, serverCapOf } from '../../src/billing/plan'
import { anAccount, CARD } from './account'

const MARCH = Date.UTC(2026, 2, 10)
const APRIL = Date.UTC(2026, 3, 1)
const card = { customerId: 'cus_1', paymentMethod: CARD }

describe('an upgrade', () => {
  test.each(PLANS.flatMap((from) => PLANS.map((to) => [from, to] as const)))('from %s to %s', (from, to) => {
    const decision = upgradePlan(anAccount({ plan: from }), { plan: to, card, at: MARCH })
    const isHigher = PLANS.indexOf(to) > PLANS.indexOf(from)
    expect(decision).toMatchObject(isHigher ? { ok: true } : { ok: false, rejected: { code: 'INVALID_PLAN_CHANGE' } })
    expect(checkUpgrade(anAccount({ plan: from }), to).ok).toBe(isHigher)
  })

  test('needs a card, just attached or on file', () => {
    const without = upgradePlan(anAccount(), { plan: 'payg', card: undefined, at: MARCH })
    expect(without).toMatchObject({ ok: false, rejected: { code: 'PAYMENT_METHOD_REQUIRED' } })
    const onFile = upgradePlan(anAccount({ paymentMethod: CARD }), { plan: 'payg', card: undefined, at: MARCH })
    expect(onFile).toEqual({ ok: true, events: [{ type: 'plan_upgraded', plan: 'payg', at: MARCH }] })
  })

  test('clears what was pending, and the history goes on at its instant', () => {
    const before = anAccount({ plan: 'payg', pendingPlan: 'free', pendingPlanAt: APRIL })
    const after = evolveBilling(before, { type: 'plan_upgraded', plan: 'pro', at: MARCH })
    expect(after).toMatchObject({ plan: 'pro', pendingPlan: null, pendingPlanAt: null })
    expect(after.planHistory).toEqual([
      { plan: 'payg', from: 0 },
      { plan: 'pro', from: MARCH },
    ])
  })

  test('to the current plan is refused also while a downgrade is pending', () => {
    const account = anAccount({ plan: 'pro', pendingPlan: 'free', pendingPlanAt: APRIL })
    expect(checkUpgrade(account, 'pro')).toMatchObject({ ok: false, rejected: { code: 'INVALID_PLAN_CHANGE' } })
  })
})

describe('a downgrade', () => {
  test('to a lower plan waits for the end of the period', () => {
    expect(downgradePlan(anAccount({ plan: 'pro' }), { plan: 'free', at: MARCH })).toEqual({
      ok: true,
      events: [{ type: 'downgrade_scheduled', plan: 'free', at: APRIL }],
    })
  })

  test('to the current plan clears what was pending, and changes nothing where nothing was', () => {
    const pending = anAccount({ plan: 'pro', pendingPlan: 'free', pendingPlanAt: APRIL })
    expect(downgradePlan(pending, { plan: 'pro', at: MARCH })).toEqual({
      ok: true,
      events: [{ type: 'downgrade_cleared' }],
    })
    expect(downgradePlan(anAccount({ plan: 'pro' }), { plan: 'pro', at: MARCH })).toEqual({ ok: true, events: [] })
  })

  test('to a higher plan is refused', () => {
    expect(downgradePlan(anAccount({ plan: 'free' }), { plan: 'payg', at: MARCH })).toMatchObject({
      ok: false,
      rejected: { code: 'INVALID_PLAN_CHANGE' },
    })
  })
})

describe('the end of the period', () => {
  const pending = anAccount({ plan: 'pro', pendingPlan: 'free', pendingPlanAt: APRIL })

  test('counts from its own instant, however late it is noticed', () => {
    const late = APRIL + 5 * 86_400_000
    expect(endPeriod(pending, APRIL - 1)).toEqual([])
    expect(endPeriod(pending, late)).toEqual([{ type: 'period_ended' }])
    const after = endPeriod(pending, late).reduce(evolveBilling, pending)
    expect(after).toMatchObject({ plan: 'free', pendingPlan: null, pendingPlanAt: null })
    expect(after.planHistory.at(-1)).toEqual({ plan: 'free', from: APRIL })
    expect(endPeriod(after, late)).toEqual([])
  })

  test('is seen by every reader before it is written down, under the version of the row', () => {
    expect(accountAt(pending, APRIL - 1)).toBe(pending)
    expect(accountAt(pending, APRIL)).toMatchObject({ plan: 'free', version: pending.version })
    expect([planAt(pending, APRIL - 1), planAt(pending, APRIL)]).toEqual(['pro', 'free'])
  })

  test('caps servers where the new plan has a ttl', () => {
    expect(serverCapOf(accountAt(pending, APRIL))).toEqual({ before: APRIL, expiresAt: APRIL + 1_800_000 })
    expect(serverCapOf(anAccount({ plan: 'payg' }))).toBeUndefined()
  })
})
