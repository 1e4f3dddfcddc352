import type { Account } from '@matchyard/core'

/** Returns an account for tests of pure functions. */
export function anAccount(fields: Partial<Account> = {}): Account {
  const plan = fields.plan ?? 'free'
  return {
    id: 'acc_1',
    version: 3,
    email: 'ann@example.com',
    name: 'Ann',
    passwordHash: '',
    plan,
    planHistory: [{ plan, from: 0 }],
    pendingPlan: null,
    pendingPlanAt: null,
    customerId: null,
    paymentMethod: null,
    createdAt: 0,
    updatedAt: 0,
    ...fields,
  }
}

export const CARD = { type: 'card', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2030 } as const
