import type { PaymentMethod } from '../account/account'

/** The payment processor. `attach` with the same token again is fine. */
export interface Payments {
  readonly name: string
  /** Puts the card behind a token on file, creating the customer at the first one. */
  attach(options: {
    accountId: string
    email: string
    customerId: string | null
    token: string
  }): Promise<
    | { readonly ok: true; readonly customerId: string; readonly paymentMethod: PaymentMethod }
    | { readonly ok: false; readonly message: string }
  >
}
