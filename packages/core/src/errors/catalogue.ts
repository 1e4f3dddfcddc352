import { BUILD_ERRORS } from './codes/builds'
import { CREDENTIAL_ERRORS } from './codes/credentials'
import { KEY_ERRORS } from './codes/keys'
import { LOBBY_ERRORS } from './codes/lobbies'
import { PLAN_ERRORS } from './codes/plans'
import { PROJECT_ERRORS } from './codes/projects'
import { QUEUE_ERRORS } from './codes/queues'
import { REQUEST_ERRORS } from './codes/requests'
import { SECRET_ERRORS } from './codes/secrets'
import { SERVER_ERRORS } from './codes/servers'
import { WEBHOOK_ERRORS } from './codes/webhooks'
import type { ErrorRow } from './error-row'

const CODES = {
  ...CREDENTIAL_ERRORS,
  ...SERVER_ERRORS,
  ...BUILD_ERRORS,
  ...LOBBY_ERRORS,
  ...QUEUE_ERRORS,
  ...PLAN_ERRORS,
  ...PROJECT_ERRORS,
  ...REQUEST_ERRORS,
  ...KEY_ERRORS,
  ...WEBHOOK_ERRORS,
  ...SECRET_ERRORS,
}

/** Code of an error, for example `LOBBY_FULL`; a key of `ERROR_CATALOGUE`. */
export type ErrorCode = keyof typeof CODES

/** All errors that a caller can see, in the order of the documentation. Rows are added, but never removed. */
export const ERROR_CATALOGUE: Readonly<Record<ErrorCode, ErrorRow<ErrorCode>>> = CODES
