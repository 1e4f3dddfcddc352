import { deleteSecret } from '../use-cases/secrets/delete-secret'
import { listSecrets } from '../use-cases/secrets/list-secrets'
import { countSeals, sealAnew } from '../use-cases/secrets/seal-anew'
import { setSecret } from '../use-cases/secrets/set-secret'
import { PROJECT } from './callers'
import { type CallsOf, embedded, operation } from './operation'

/** Secrets of a project: values for environment variables of its game servers. */
export const secrets = {
  /**
   * Sets the value of a secret, which may be new. Servers that run keep the earlier value until they are started again. Rejects with
   * `VALIDATION_FAILED`, `PROJECT_NOT_FOUND`. Rejects with `SECRET_LIMIT` when the project has 32 secrets.
   */
  set: operation({
    callers: PROJECT,
    role: 'developer',
    fields: ['projectId', 'name', 'value'],
    refusals: ['PROJECT_NOT_FOUND', 'SECRET_LIMIT'],
    audit: 'always',
    run: setSecret,
  }),

  /** Returns the names and times of a project's secrets, by name. No call returns a value. Rejects with `PROJECT_NOT_FOUND`. */
  list: operation({
    callers: PROJECT,
    role: 'viewer',
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
    role: 'developer',
    fields: ['projectId', 'name'],
    refusals: ['PROJECT_NOT_FOUND', 'SECRET_NOT_FOUND'],
    audit: 'always',
    run: deleteSecret,
  }),

  /** Returns how many secrets of all projects the installation's secret opens, for the operator. */
  seals: embedded({
    run: countSeals,
  }),

  /**
   * Encrypts the secrets of all projects with the secret of the installation that is in force, for the operator. The call can be repeated.
   * Returns how many secrets the installation's secret opens after it.
   */
  sealAnew: embedded({
    run: sealAnew,
  }),
}

/**
 * Secrets of a project: values for environment variables of its game servers.
 *
 * @interface
 */
export type Secrets = CallsOf<typeof secrets>
