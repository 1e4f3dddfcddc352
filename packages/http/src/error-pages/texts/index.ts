import type { ErrorCode } from '@matchyard/core'
import type { ErrorText } from '../error-text'
import { CREDENTIALS } from './credentials'
import { LOBBIES } from './lobbies'
import { QUEUES } from './queues'
import { REQUESTS } from './requests'
import { RUNNING } from './running'

/** What the page of each code says: a code without words does not compile, and neither do words without a code. */
export const ERROR_TEXTS: Readonly<Record<ErrorCode, ErrorText>> = {
  ...CREDENTIALS,
  ...RUNNING,
  ...LOBBIES,
  ...QUEUES,
  ...REQUESTS,
} satisfies Record<ErrorCode, ErrorText>
