import type { Plan } from '../catalog/plans'
import type { Instant } from '../shared/time'

/** The card on file as the payment processor reports it; no card number ever reaches the service. */
export interface PaymentMethod {
  readonly type: 'card'
  readonly brand: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
}

/** From `from` on the account was on `plan`; the intervals are contiguous, oldest first. */
export interface PlanInterval {
  readonly plan: Plan
  readonly from: Instant
}

/** One human, one login, one customer at the payment processor. */
export interface Account {
  readonly id: string
  readonly version: number
  /** Lower-cased. */
  readonly email: string
  readonly name: string
  readonly passwordHash: string
  readonly plan: Plan
  readonly planHistory: readonly PlanInterval[]
  /** Takes the place of `plan` at `pendingPlanAt`, the end of the period in which the downgrade was asked for. */
  readonly pendingPlan: Plan | null
  readonly pendingPlanAt: Instant | null
  readonly customerId: string | null
  readonly paymentMethod: PaymentMethod | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}
