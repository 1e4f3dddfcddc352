import { errorCodes } from '../error-row'

export const WEBHOOK_ERRORS = errorCodes({
  WEBHOOK_NOT_FOUND: {
    number: 9101,
    kind: 'absent',
    title: 'There is no such webhook.',
    happened: 'There is no webhook of this id in the project, or it was deleted.',
    mend: 'Take `webhook_id` (`whk_…`) from `GET /v1/webhooks`.',
    retry: 'in-vain',
    near: ['NOT_FOUND', 'WEBHOOK_LIMIT'],
  },
  WEBHOOK_ADDRESS_REFUSED: {
    number: 9102,
    kind: 'invalid',
    title: 'The address may not be called.',
    happened:
      'The service may not call this address: it is not `https`, uses a port that is closed to it, or its name leads to a private or local address. The same holds for the address of a key set.',
    mend: 'Give a public `https` address. `matchyard dev` takes `http` too. Where only you have accounts, the operator may open addresses of the own network by `WEBHOOK_ALLOW_PRIVATE`.',
    retry: 'in-vain',
    near: ['VALIDATION_FAILED', 'WEBHOOK_LIMIT'],
  },
  WEBHOOK_LIMIT: {
    number: 9103,
    kind: 'conflict',
    title: 'The project has the maximum number of webhooks.',
    happened: 'The project has ten webhooks, which is the most.',
    mend: 'Delete one that is not used, or subscribe one webhook to more `types` and forward its messages yourself.',
    details: '`count`: how many there are.',
    retry: 'in-vain',
    near: ['WEBHOOK_NOT_FOUND', 'PLAN_LIMIT_EXCEEDED'],
  },
})
