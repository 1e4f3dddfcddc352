import { errorCodes } from '../error-row'

export const PLAN_ERRORS = errorCodes({
  PLAN_LIMIT_EXCEEDED: {
    number: 6001,
    kind: 'forbidden',
    title: 'The plan does not allow this.',
    happened:
      "The account's plan does not have what is asked for, or not so much of it. Limits count over all projects of the account.",
    mend: 'Free something (stop a server, delete a build), ask for less (another `tier`, `region` or `ttl`), or upgrade the plan with a session. On an installation of your own the operator sets the limits by `PLAN_LIMITS`.',
    details: '`limit`: which one; `plan`; `allowed`; `requested`.',
    retry: 'in-vain',
    near: ['PAYMENT_METHOD_REQUIRED', 'INVALID_PLAN_CHANGE'],
  },
  PAYMENT_METHOD_REQUIRED: {
    number: 6002,
    kind: 'unpaid',
    title: 'A payment method is required.',
    happened: 'The plan wants a card, and there is none, or the payment processor declined the one that was sent.',
    mend: 'Send `payment_method_token` of a card that the processor accepts, with the upgrade or by `PUT /v1/billing/payment-method`. In `dev`, and where `PAYMENTS=manual` is set, `pm_test_visa` is one.',
    retry: 'in-vain',
    near: ['PLAN_LIMIT_EXCEEDED', 'INVALID_PLAN_CHANGE'],
  },
  INVALID_PLAN_CHANGE: {
    number: 6003,
    kind: 'conflict',
    title: 'The plan cannot be changed this way.',
    happened:
      'An upgrade names the current plan or a lower one, a downgrade names a higher one, or the operator of the installation sets the plan of the account.',
    mend: 'Read `GET /v1/billing/plan` and use the other call: upgrades lead up and take effect at once, downgrades lead down at the end of the month. To undo a downgrade that is pending, downgrade to the current plan.',
    details: '`plan`: the current one; `requested`.',
    retry: 'in-vain',
    near: ['PLAN_LIMIT_EXCEEDED', 'PAYMENT_METHOD_REQUIRED'],
  },
})
