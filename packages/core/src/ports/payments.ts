import type { PaymentMethod } from '../account/account'

/** Payment processor. Calling `attach` again with the same token is allowed. */
export interface Payments {
  readonly name: string
  /** Stores the card of a token for the customer; creates the customer when `customerId` is null. */
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
