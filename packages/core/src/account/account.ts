import type { AccountTariff, Plan } from '../catalog/plans'
import type { Instant } from '../shared/time'
import type { PendingFactor, SecondFactor, WrongCodes } from './second-factor'

/** Stored payment card of an account, as the payment processor reports it. The service never receives a card number. */
export interface PaymentMethod {
  /** Always `card`. */
  readonly type: 'card'
  /** Brand of the card, as the payment processor names it, for example `visa`. */
  readonly brand: string
  /** Last four digits of the card's number. */
  readonly last4: string
  /** Month of expiry, 1 to 12. */
  readonly expMonth: number
  /** Year of expiry, with four digits. */
  readonly expYear: number
}

/**
 * Plan of the account from the instant `from` until the next interval begins. The intervals have no gaps between them; the oldest comes
 * first.
 */
export interface PlanInterval {
  /** Plan in this interval. */
  readonly plan: Plan
  /** Tariff that applied instead of the plan; absent when the plan itself applied. */
  readonly tariff?: AccountTariff | undefined
  /** Time at which the interval begins. */
  readonly from: Instant
}

/** One-time sign-in code that an operator created for an account. */
export interface DrawnSignInCode {
  /** SHA-256 hash of the code's secret. The secret is not stored. */
  readonly hash: string
  readonly expiresAt: Instant
  /** Name of the request that used the code; null when the request had no name. Absent while the code is unused. */
  readonly usedBy?: string | null | undefined
}

/** Account: one person with one login, and one customer of the payment processor. */
export interface Account {
  /** Id of the account: `acc_` and a ULID. */
  readonly id: string
  /** Version, which grows by one with each change. */
  readonly version: number
  /** E-mail address in lower case. */
  readonly email: string
  /** Display name, 1 to 128 characters. */
  readonly name: string
  /** Hash of the password, with its parameters (argon2id). The password is not stored. */
  readonly passwordHash: string
  /** Current plan. */
  readonly plan: Plan
  /** Tariff that an operator set instead of a plan; absent for accounts that registered. */
  readonly tariff?: AccountTariff | undefined
  /** Plans of the account since its creation, oldest first. */
  readonly planHistory: readonly PlanInterval[]
  /**
   * Lower plan that replaces `plan` at `pendingPlanAt`, the end of the period in which the downgrade was requested. Null without a
   * requested downgrade.
   */
  readonly pendingPlan: Plan | null
  /** Time at which `pendingPlan` replaces `plan`: the end of a month in UTC. Null without a requested downgrade. */
  readonly pendingPlanAt: Instant | null
  /** Id of the account at the payment processor; null before the first payment card. */
  readonly customerId: string | null
  /** Stored payment card; null without one. */
  readonly paymentMethod: PaymentMethod | null
  /** Instant since which the account is disabled: its sessions and keys are refused. Absent or null while the account is enabled. */
  readonly disabledAt?: Instant | null | undefined
  /**
   * Number of times that an operator ended all sessions of the account, by setting a password or by disabling the account. Absent means 0.
   * A session that was opened at another number is no longer valid. The service compares numbers and not times, because the clocks of the
   * operator's machine and of the service may differ.
   */
  readonly sessionEpoch?: number | undefined
  /** Instant at which an operator last ended the sessions of the account. Used only for old sessions that have no `sessionEpoch`. */
  readonly sessionsEndedAt?: Instant | undefined
  /** Latest one-time sign-in code, which can be used once instead of the password. A new code replaces the old one. */
  readonly signInCode?: DrawnSignInCode | null | undefined
  /** Active second factor, of which a login by password needs a code; absent or null without one. */
  readonly secondFactor?: SecondFactor | null | undefined
  /** Second factor that was begun and is not active yet; absent or null without one. */
  readonly pendingFactor?: PendingFactor | null | undefined
  /** Wrong codes of the second factor since the last correct one; absent or null without one. */
  readonly wrongCodes?: WrongCodes | null | undefined
  /** Whether the account belongs to an operator of the installation, who may see and change its machines; absent: no. */
  readonly operator?: boolean | undefined
  /** Whether an invitation to a project created the account while registration was closed, so that it cannot own projects; absent: no. */
  readonly guest?: boolean | undefined
  /** Time of creation. */
  readonly createdAt: Instant
  /** Time of the last change. */
  readonly updatedAt: Instant
}

/** Whether the account belongs to an operator of the installation. */
export const isOperator = ({ operator = false }: Account): boolean => operator

/** Whether the account cannot own projects. */
export const isGuest = ({ guest = false }: Account): boolean => guest
