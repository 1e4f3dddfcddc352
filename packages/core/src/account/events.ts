import type { Instant } from '../shared/time'

/** End of a session that its account requested. */
export interface SessionEnded {
  readonly type: 'session_ended'
  readonly ended: 'ended_by_account'
}

/** Changes that an operator makes to an account, except changes of the plan. */
export type AccountEvent =
  | { readonly type: 'password_set'; readonly passwordHash: string; readonly at: Instant }
  | { readonly type: 'account_disabled'; readonly at: Instant }
  | { readonly type: 'account_enabled' }
  | { readonly type: 'sign_in_code_drawn'; readonly hash: string; readonly expiresAt: Instant }
  | { readonly type: 'sign_in_code_used'; readonly by: string | null }
