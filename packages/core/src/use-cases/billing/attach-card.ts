import type { Account } from '../../account/account'
import type { CardOnFile } from '../../billing/decide'
import { ServiceError } from '../../errors/service-error'
import type { Ports } from '../../ports/ports'

/** Puts a card on file with the payment processor. Throws PAYMENT_METHOD_REQUIRED for one that is declined, UNAVAILABLE. */
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
