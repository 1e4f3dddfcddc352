import { BUILDS } from './codes/builds'
import { CREDENTIALS } from './codes/credentials'
import { KEYS } from './codes/keys'
import { LOBBIES } from './codes/lobbies'
import { PLANS } from './codes/plans'
import { PROJECTS } from './codes/projects'
import { QUEUES } from './codes/queues'
import { REQUESTS } from './codes/requests'
import { SERVERS } from './codes/servers'
import { WEBHOOKS } from './codes/webhooks'
import type { ErrorRow } from './error-row'

const CODES = {
  ...CREDENTIALS,
  ...SERVERS,
  ...BUILDS,
  ...LOBBIES,
  ...QUEUES,
  ...PLANS,
  ...PROJECTS,
  ...REQUESTS,
  ...KEYS,
  ...WEBHOOKS,
}

export type ErrorCode = keyof typeof CODES

/** Every error that a caller can see, in the order of the documents. Rows are only added. */
export const ERROR_CATALOGUE: Readonly<Record<ErrorCode, ErrorRow<ErrorCode>>> = CODES
