import type { Payments } from '@matchyard/core/ports'

/** The only payment token that this adapter accepts. */
export const TEST_CARD_TOKEN = 'pm_test_visa'

/**
 * Returns a `Payments` port without a payment processor. It saves a test card for the token `pm_test_visa` and declines
 * every other token. It never charges a card; the operator bills customers by the reported usage.
 */
export function manualPayments(): Payments {
  return {
    name: 'manual',
    async attach({ accountId, customerId, token }) {
      if (token !== TEST_CARD_TOKEN) {
        return { ok: false, message: `this installation takes the test card ${TEST_CARD_TOKEN} only` }
      }
      // The customer id is derived from the account id, so that saving a card again gives the same customer id.
      return { ok: true, customerId: customerId ?? `manual_${accountId}`, paymentMethod: TEST_CARD }
    },
  }
}

const TEST_CARD = { type: 'card', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2099 } as const
