import type { ListedSession } from '@matchyard/core'
import { DEFAULT_PAGE_LIMIT, SESSION_PAGE } from '@matchyard/core/domain'
import { answerOf, instant, NAMES_OF, nullable, optional, queryOf, required } from './codec/index'
import { cursor, wholeInQuery } from './query'
import { flag, string } from './shared'

export const sessionQuery = queryOf({
  limit: optional(wholeInQuery(SESSION_PAGE, DEFAULT_PAGE_LIMIT), 'Maximum number of sessions.'),
  cursor,
})

export const listedSession = answerOf<ListedSession>(NAMES_OF.session)(
  {
    id: required(string, 'Id.'),
    createdAt: required(instant, 'Time at which the session was opened or refreshed.'),
    expiresAt: required(instant, 'Time at which the session expires.'),
    address: required(
      nullable(string),
      'Network address, or IPv6 network, from which the session was opened or refreshed; null when it is not known.',
    ),
    isCurrent: required(flag, 'Whether this session makes the call.'),
  },
  'OpenSession',
  'A valid session of an account.',
)
