import type { Account } from '../../account/account'
import { type CardOnFile, replaceCard } from '../../billing/decide'
import type { CallOptions } from '../../commit/call-options'
import { ofAccount } from '../../commit/of-account'
import { change } from '../../commit/transact'
import type { Service } from '../../node/service'
import { within } from '../../reads/require'
import { attachCard } from './attach-card'
import { type PlanStatus, planStatusOf } from './plan-status'

/** New payment card of an account. */
export interface ReplacePaymentMethodInput {
  /** Account of the card. */
  readonly accountId: string
  /** Token of the payment processor. */
  readonly paymentMethodToken: string
}

export function replacePaymentMethod(
  ctx: Service,
  input: ReplacePaymentMethodInput,
  call?: CallOptions,
): Promise<PlanStatus> {
  // The processor is called once, even when the commit is retried.
  let card: CardOnFile | undefined
  const decide = async (account: Account) => {
    card ??= await attachCard(ctx, account, input.paymentMethodToken)
    return replaceCard(card)
  }
  const answer = (after: Account, at: number) => planStatusOf(within(ctx, after), at)
  return change(ctx, ofAccount, input.accountId, decide, { call, answer })
}
