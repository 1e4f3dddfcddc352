import type { Usage } from '../billing/usage'
import type { CallOptions } from '../context/context'
import type { DowngradeInput } from '../use-cases/billing/downgrade'
import type { GetUsageInput } from '../use-cases/billing/get-usage'
import type { PlanStatus } from '../use-cases/billing/plan-status'
import type { ReplacePaymentMethodInput } from '../use-cases/billing/replace-payment-method'
import type { SetPlanInput } from '../use-cases/billing/set-plan'
import type { UpgradeInput } from '../use-cases/billing/upgrade'

/** What an account is on, may do and has used. */
export interface Billing {
  /** What the account is on and what that allows. */
  plan(input: { readonly accountId: string }): Promise<PlanStatus>

  /** Moves to a higher plan at once. Throws INVALID_PLAN_CHANGE, PAYMENT_METHOD_REQUIRED, UNAVAILABLE. */
  upgrade(input: UpgradeInput, call?: CallOptions): Promise<PlanStatus>

  /** Sets the plan that follows at the end of the period; the current one clears it. Throws INVALID_PLAN_CHANGE. */
  downgrade(input: DowngradeInput, call?: CallOptions): Promise<PlanStatus>

  /** What a month has cost so far; a month to come has cost nothing. Throws VALIDATION_FAILED. */
  usage(input: GetUsageInput): Promise<Usage>

  /** Puts a card in the place of the one on file, or the first one; the plan stays. Throws PAYMENT_METHOD_REQUIRED, UNAVAILABLE. */
  replacePaymentMethod(input: ReplacePaymentMethodInput, call?: CallOptions): Promise<PlanStatus>

  /**
   * An operator's word on what an account is on: at once, without a card, and what was pending is cleared. Its servers go on, but no
   * longer than the new limits let one live, counted from now.
   */
  setPlan(input: SetPlanInput): Promise<PlanStatus>
}
