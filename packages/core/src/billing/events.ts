import type { PaymentMethod } from '../account/account'
import type { AccountTariff, Plan } from '../catalog/plans'
import type { Instant } from '../shared/time'

/** Changes of an account by billing. */
export type BillingEvent =
  | { readonly type: 'card_attached'; readonly customerId: string; readonly paymentMethod: PaymentMethod }
  | { readonly type: 'plan_upgraded'; readonly plan: Plan; readonly at: Instant }
  /** By an operator, who asks for no card. */
  | { readonly type: 'plan_set'; readonly plan: Plan; readonly tariff: AccountTariff | undefined; readonly at: Instant }
  /** `at` is the end of the period, when the plan changes by itself. */
  | { readonly type: 'downgrade_scheduled'; readonly plan: Plan; readonly at: Instant }
  | { readonly type: 'downgrade_cleared' }
  | { readonly type: 'period_ended' }
