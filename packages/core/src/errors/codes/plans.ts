import { errorCodes } from '../error-row'

export const PLAN_ERRORS = errorCodes({
  PLAN_LIMIT_EXCEEDED: {
    number: 6001,
    kind: 'forbidden',
    title: 'The plan does not allow this.',
    happened:
      "The account's plan does not include the requested feature, or the request exceeds a limit of the plan. The limits apply to all projects of the account together.",
    mend: 'Stop a server or delete a build, request less (another `tier`, `region` or `ttl`), or upgrade the plan with a session token. On your own installation, the operator sets the limits with `PLAN_LIMITS`.',
    details:
      '`limit`: the name of the limit; `plan`: the current plan; `allowed`: the value that the plan allows; `requested`: the value that the request needs.',
    retry: 'in-vain',
    near: ['PAYMENT_METHOD_REQUIRED', 'INVALID_PLAN_CHANGE'],
  },
  PAYMENT_METHOD_REQUIRED: {
    number: 6002,
    kind: 'unpaid',
    title: 'A payment method is required.',
    happened:
      'The plan requires a payment card, and the account has no card, or the payment processor declined the card in the request.',
    mend: 'Send the `payment_method_token` of a card that the payment processor accepts, with the upgrade or with `PUT /v1/billing/payment-method`. With `matchyard dev`, or with `PAYMENTS=manual`, the token `pm_test_visa` is accepted.',
    retry: 'in-vain',
    near: ['PLAN_LIMIT_EXCEEDED', 'INVALID_PLAN_CHANGE'],
  },
  INVALID_PLAN_CHANGE: {
    number: 6003,
    kind: 'conflict',
    title: 'The plan cannot be changed this way.',
    happened:
      'The upgrade names the current plan or a lower plan, the downgrade names a higher plan, or only the operator of the installation can change the plan of this account.',
    mend: 'Read the current plan with `GET /v1/billing/plan`. Use an upgrade to change to a higher plan; it takes effect immediately. Use a downgrade to change to a lower plan; it takes effect at the end of the month. To cancel a pending downgrade, downgrade to the current plan.',
    details: '`plan`: the current plan; `requested`: the plan in the request.',
    retry: 'in-vain',
    near: ['PLAN_LIMIT_EXCEEDED', 'PAYMENT_METHOD_REQUIRED'],
  },
})
