import type { Account } from '../../account/account'
import type { CardOnFile } from '../../billing/decide'
import { ServiceError } from '../../errors/service-error'
import type { Ports } from '../../ports/ports'

/** Stores a card at the payment processor. Throws PAYMENT_METHOD_REQUIRED when the processor declines the card, and UNAVAILABLE. */
export async function attachCard(ctx: Ports, account: Account, token: string): Promise<CardOnFile> {
  const { id: accountId, email, customerId } = account
  const attached = await ctx.payments.attach({ accountId, email, customerId, token }).catch((error: unknown) => {
    // Only the error's name is logged, because the processor's message may contain the token.
    ctx.logger.warn('the payment processor did not answer', { account: accountId, kind: errorName(error) })
    throw new ServiceError('UNAVAILABLE', 'the payment processor cannot be reached now; try again shortly')
  })
  if (!attached.ok) throw new ServiceError('PAYMENT_METHOD_REQUIRED', `the card was not accepted: ${attached.message}`)
  return { customerId: attached.customerId, paymentMethod: attached.paymentMethod }
}

const errorName = (error: unknown) => (error instanceof Error ? error.name : typeof error)
