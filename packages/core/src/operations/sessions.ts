import { endSession } from '../use-cases/accounts/end-session'
import { listSessions } from '../use-cases/accounts/list-sessions'
import { SESSION } from './callers'
import { type CallsOf, operation } from './operation'

/** Login sessions of an account, as its owner sees them. */
export const sessions = {
  /** Returns a page of the valid sessions of an account, newest first. Rejects with `VALIDATION_FAILED`. */
  list: operation({
    callers: SESSION,
    fields: ['accountId', 'sessionId?', 'cursor?', 'limit?'],
    run: listSessions,
  }),

  /**
   * Ends a session of an account. Calls with the token of the session that start after the answer are rejected with `INVALID_SESSION_TOKEN` on
   * every node. Server keys that were created with the session stay valid. The call can be repeated. Rejects with `SESSION_NOT_FOUND`.
   */
  end: operation({
    callers: SESSION,
    fields: ['accountId', 'sessionId'],
    refusals: ['SESSION_NOT_FOUND'],
    audit: 'always',
    run: endSession,
  }),
}

/**
 * Login sessions of an account, as its owner sees them.
 *
 * @interface
 */
export type Sessions = CallsOf<typeof sessions>
