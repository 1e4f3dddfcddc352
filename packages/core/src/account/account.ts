import type { AccountTariff, Plan } from '../catalog/plans'
import type { Instant } from '../shared/time'

/** Card on file, as the payment processor reports it. The service never receives a card number. */
export interface PaymentMethod {
  readonly type: 'card'
  readonly brand: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
}

/** Plan of the account from the instant `from` until the next interval begins. Intervals have no gaps; the oldest comes first. */
export interface PlanInterval {
  readonly plan: Plan
  /** Tariff that applied instead of the plan; absent when the plan itself applied. */
  readonly tariff?: AccountTariff | undefined
  readonly from: Instant
}

/** One-time sign-in code that an operator created for an account. */
export interface DrawnSignInCode {
  /** SHA-256 hash of the code's secret. The secret is not stored. */
  readonly hash: string
  readonly expiresAt: Instant
  /** Request that used the code: its name, or null when the request had no name. Absent while the code is unused. */
  readonly usedBy?: string | null | undefined
}

/** Account: one person with one login, and one customer of the payment processor. */
export interface Account {
  readonly id: string
  readonly version: number
  /** E-mail address in lower case. */
  readonly email: string
  readonly name: string
  readonly passwordHash: string
  readonly plan: Plan
  /** Tariff that an operator set instead of a plan; absent for accounts that registered. */
  readonly tariff?: AccountTariff | undefined
  readonly planHistory: readonly PlanInterval[]
  /** Lower plan that replaces `plan` at `pendingPlanAt`, the end of the period in which the downgrade was requested; null without one. */
  readonly pendingPlan: Plan | null
  readonly pendingPlanAt: Instant | null
  readonly customerId: string | null
  readonly paymentMethod: PaymentMethod | null
  /** Instant since which the account is disabled: its sessions and keys are refused. Absent or null while it is enabled. */
  readonly disabledAt?: Instant | null | undefined
  /**
   * Number of times that an operator ended all sessions of the account, by setting a password or by disabling the account; absent means 0.
   * A session with another number has ended. Numbers are compared instead of times, because the clocks of the operator's machine and of the
   * service may differ.
   */
  readonly sessionEpoch?: number | undefined
  /** Instant at which an operator last ended the sessions. Used only for old sessions that have no `sessionEpoch`. */
  readonly sessionsEndedAt?: Instant | undefined
  /** Latest one-time sign-in code, which replaces the password once; a new code replaces the old one. */
  readonly signInCode?: DrawnSignInCode | null | undefined
  readonly createdAt: Instant
  readonly updatedAt: Instant
}
