import { errorCodes } from '../error-row'

export const SECRET_ERRORS = errorCodes({
  SECRET_NOT_FOUND: {
    number: 9201,
    kind: 'absent',
    title: 'There is no such secret.',
    happened:
      'The project has no secret with this name, or the secret was deleted. A launch that names the secret fails with this code in the `stop_reason` of its server.',
    mend: 'Set the secret with `PUT /v1/secrets/{name}`, or take its name from `GET /v1/secrets`. Capital and small letters differ.',
    retry: 'in-vain',
    near: ['SECRET_LIMIT', 'PROJECT_NOT_FOUND'],
  },
  SECRET_LIMIT: {
    number: 9202,
    kind: 'conflict',
    title: 'The project has the maximum number of secrets.',
    happened: 'The project already has 32 secrets, the maximum.',
    mend: 'Delete a secret that no queue uses. Several short values can be one secret, for example as JSON.',
    retry: 'in-vain',
    near: ['SECRET_NOT_FOUND', 'PLAN_LIMIT_EXCEEDED'],
  },
})
