import { errorCodes } from '../error-row'

export const WEBHOOK_ERRORS = errorCodes({
  WEBHOOK_NOT_FOUND: {
    number: 9101,
    kind: 'absent',
    title: 'There is no such webhook.',
    happened: 'The project has no webhook with this id, or the webhook was deleted.',
    mend: 'Take `webhook_id` (`whk_…`) from `GET /v1/webhooks`.',
    retry: 'in-vain',
    near: ['NOT_FOUND', 'WEBHOOK_LIMIT'],
  },
  WEBHOOK_ADDRESS_REFUSED: {
    number: 9102,
    kind: 'invalid',
    title: 'The service may not call this address.',
    happened:
      'The address is not `https`, uses a port that the service may not use, or its host name resolves to a private or local address. The same rules apply to the address of a key set.',
    mend: 'Send a public `https` address. `matchyard dev` also accepts `http`. If only trusted people have accounts on the installation, the operator can allow private addresses with `WEBHOOK_ALLOW_PRIVATE`.',
    retry: 'in-vain',
    near: ['VALIDATION_FAILED', 'WEBHOOK_LIMIT'],
  },
  WEBHOOK_LIMIT: {
    number: 9103,
    kind: 'conflict',
    title: 'The project has the maximum number of webhooks.',
    happened: 'The project already has ten webhooks, the maximum.',
    mend: 'Delete an unused webhook, or subscribe one webhook to more `types` and forward its messages to your other services.',
    details: '`count`: the number of webhooks in the project.',
    retry: 'in-vain',
    near: ['WEBHOOK_NOT_FOUND', 'PLAN_LIMIT_EXCEEDED'],
  },
})
