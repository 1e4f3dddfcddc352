import type { PaymentMethod } from '../account/account'
import type { AccountTariff, Plan } from '../catalog/plans'
import type { Instant } from '../shared/time'

/** Changes of an account's plan and payment card. */
export type BillingEvent =
  | { readonly type: 'card_attached'; readonly customerId: string; readonly paymentMethod: PaymentMethod }
  | { readonly type: 'plan_upgraded'; readonly plan: Plan; readonly at: Instant }
  /** An operator changed the plan; no payment card is needed. */
  | { readonly type: 'plan_set'; readonly plan: Plan; readonly tariff: AccountTariff | undefined; readonly at: Instant }
  /** Scheduled downgrade; `at` is the end of the period, when the plan changes. */
  | { readonly type: 'downgrade_scheduled'; readonly plan: Plan; readonly at: Instant }
  | { readonly type: 'downgrade_cleared' }
  | { readonly type: 'period_ended' }
