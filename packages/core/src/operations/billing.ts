import { downgrade } from '../use-cases/billing/downgrade'
import { getPlan } from '../use-cases/billing/get-plan'
import { getUsage } from '../use-cases/billing/get-usage'
import { replacePaymentMethod } from '../use-cases/billing/replace-payment-method'
import { setPlan } from '../use-cases/billing/set-plan'
import { upgrade } from '../use-cases/billing/upgrade'
import { SESSION } from './callers'
import { type CallsOf, embedded, operation } from './operation'

/** Billing: the plan, the limits and the usage of an account. */
export const billing = {
  /** Returns the plan of the account and its limits. */
  plan: operation({
    callers: SESSION,
    fields: ['accountId'],
    run: getPlan,
  }),

  /** Upgrades the account to a higher plan at once. Rejects with `INVALID_PLAN_CHANGE`, `PAYMENT_METHOD_REQUIRED`, `UNAVAILABLE`. */
  upgrade: operation({
    callers: SESSION,
    fields: ['accountId', 'plan', 'paymentMethodToken?'],
    refusals: ['PAYMENT_METHOD_REQUIRED', 'INVALID_PLAN_CHANGE'],
    audit: 'always',
    run: upgrade,
  }),

  /**
   * Sets the plan that follows at the end of the billing period. A call with the current plan cancels a pending change. Rejects with
   * `INVALID_PLAN_CHANGE`.
   */
  downgrade: operation({
    callers: SESSION,
    fields: ['accountId', 'plan'],
    refusals: ['INVALID_PLAN_CHANGE'],
    audit: 'always',
    run: downgrade,
  }),

  /** Returns the cost of a month, for the current month until now. The cost of a future month is zero. Rejects with `VALIDATION_FAILED`. */
  usage: operation({
    callers: SESSION,
    fields: ['accountId', 'month?'],
    run: getUsage,
  }),

  /**
   * Replaces the stored payment card, or stores the first card. The plan does not change. Rejects with `PAYMENT_METHOD_REQUIRED`,
   * `UNAVAILABLE`.
   */
  replacePaymentMethod: operation({
    callers: SESSION,
    fields: ['accountId', 'paymentMethodToken'],
    refusals: ['PAYMENT_METHOD_REQUIRED'],
    audit: 'always',
    run: replacePaymentMethod,
  }),

  /**
   * Sets the plan of an account for the operator, at once and without a payment card. A pending change of the plan is cancelled. Running
   * servers continue at most for the maximum lifetime of the new plan, counted from now.
   */
  setPlan: embedded({
    fields: ['accountId', 'plan'],
    audit: 'always',
    run: setPlan,
  }),
}

/**
 * Billing: the plan, the limits and the usage of an account.
 *
 * @interface
 */
export type Billing = CallsOf<typeof billing>
