import type { Payments } from '@matchyard/core/ports'

/** The only accepted token */
export const TEST_CARD_TOKEN = 'pm_test_visa'

/**
 * Payments without a processor: puts a test card on file for `pm_test_visa` and declines every other token. Nothing is ever charged; the
 * operator bills by the reported usage.
 */
export function manualPayments(): Payments {
  return {
    name: 'manual',
    async attach({ accountId, customerId, token }) {
      if (token !== TEST_CARD_TOKEN) {
        return { ok: false, message: `this installation takes the test card ${TEST_CARD_TOKEN} only` }
      }
      // The customer id is derived from the account, so that attaching a card again gives the same customer.
      return { ok: true, customerId: customerId ?? `manual_${accountId}`, paymentMethod: TEST_CARD }
    },
  }
}

const TEST_CARD = { type: 'card', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2099 } as const
