import { deleteSecret } from '../use-cases/secrets/delete-secret'
import { listSecrets } from '../use-cases/secrets/list-secrets'
import { setSecret } from '../use-cases/secrets/set-secret'
import { PROJECT } from './callers'
import { type CallsOf, operation } from './operation'

/** Secrets of a project: values for environment variables of its game servers. */
export const secrets = {
  /**
   * Sets the value of a secret, which may be new. Servers that run keep the earlier value until they are started again. Rejects with
   * `VALIDATION_FAILED`, `PROJECT_NOT_FOUND`. Rejects with `SECRET_LIMIT` when the project has 32 secrets.
   */
  set: operation({
    callers: PROJECT,
    fields: ['projectId', 'name', 'value'],
    refusals: ['PROJECT_NOT_FOUND', 'SECRET_LIMIT'],
    run: setSecret,
  }),

  /** Returns the names and times of a project's secrets, by name. No call returns a value. Rejects with `PROJECT_NOT_FOUND`. */
  list: operation({
    callers: PROJECT,
    fields: ['projectId'],
    refusals: ['PROJECT_NOT_FOUND'],
    run: listSecrets,
  }),

  /**
   * Deletes a secret. A launch that names the secret fails from now on; servers that run keep the value. Rejects with
   * `PROJECT_NOT_FOUND`, `SECRET_NOT_FOUND`.
   */
  delete: operation({
    callers: PROJECT,
    fields: ['projectId', 'name'],
    refusals: ['PROJECT_NOT_FOUND', 'SECRET_NOT_FOUND'],
    run: deleteSecret,
  }),
}

/**
 * Secrets of a project: values for environment variables of its game servers.
 *
 * @interface
 */
export type Secrets = CallsOf<typeof secrets>
