import type { AccountTariff, Plan } from '../catalog/plans'
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
  /** Absent where the plan itself was what it paid by. */
  readonly tariff?: AccountTariff | undefined
  readonly from: Instant
}

/** A one-time code that an operator made for an account. */
export interface DrawnSignInCode {
  /** SHA-256; the code itself is not kept. */
  readonly hash: string
  readonly expiresAt: Instant
  /** The call that used it; null where that names itself by nothing, absent while it is unused. */
  readonly usedBy?: string | null | undefined
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
  /** Tariff that an operator has set instead of the plan; absent for registered accounts. */
  readonly tariff?: AccountTariff | undefined
  readonly planHistory: readonly PlanInterval[]
  /** Takes the place of `plan` at `pendingPlanAt`, the end of the period in which the downgrade was asked for. */
  readonly pendingPlan: Plan | null
  readonly pendingPlanAt: Instant | null
  readonly customerId: string | null
  readonly paymentMethod: PaymentMethod | null
  /** Since when its sessions and keys are refused; absent or null while they are not. */
  readonly disabledAt?: Instant | null | undefined
  /**
   * Counts how often an operator ended its sessions, by another password or by disabling it; absent is 0. A session of another count
   * has ended: no two clocks are compared, for the operator's machine is not always the service's.
   */
  readonly sessionEpoch?: number | undefined
  /** When that was last; it judges only sessions that were opened before they had a count. */
  readonly sessionsEndedAt?: Instant | undefined
  /** One-time sign-in code without a password; a new code replaces it. */
  readonly signInCode?: DrawnSignInCode | null | undefined
  readonly createdAt: Instant
  readonly updatedAt: Instant
}
