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

  /** Moves to a higher plan at once. Rejects with `INVALID_PLAN_CHANGE`, `PAYMENT_METHOD_REQUIRED`, `UNAVAILABLE`. */
  upgrade: operation({
    callers: SESSION,
    fields: ['accountId', 'plan', 'paymentMethodToken?'],
    refusals: ['PAYMENT_METHOD_REQUIRED', 'INVALID_PLAN_CHANGE'],
    run: upgrade,
  }),

  /** Sets the plan that follows at the end of the period; the current one clears it. Rejects with `INVALID_PLAN_CHANGE`. */
  downgrade: operation({
    callers: SESSION,
    fields: ['accountId', 'plan'],
    refusals: ['INVALID_PLAN_CHANGE'],
    run: downgrade,
  }),

  /** Returns the cost of a month so far; the cost of a future month is zero. Rejects with `VALIDATION_FAILED`. */
  usage: operation({
    callers: SESSION,
    fields: ['accountId', 'month?'],
    run: getUsage,
  }),

  /**
   * Puts a card in the place of the one on file, or the first one; the plan stays. Rejects with `PAYMENT_METHOD_REQUIRED`, `UNAVAILABLE`.
   */
  replacePaymentMethod: operation({
    callers: SESSION,
    fields: ['accountId', 'paymentMethodToken'],
    refusals: ['PAYMENT_METHOD_REQUIRED'],
    run: replacePaymentMethod,
  }),

  /**
   * An operator's word on what an account is on: at once, without a card, and what was pending is cleared. Its servers go on, but no
   * longer than the new limits let one live, counted from now.
   */
  setPlan: embedded({
    fields: ['accountId', 'plan'],
    run: setPlan,
  }),
}

/** Billing: the plan, the limits and the usage of an account. */
export type Billing = CallsOf<typeof billing>
