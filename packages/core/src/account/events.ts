import type { Instant } from '../shared/time'
import type { PendingFactor, SecondFactor } from './second-factor'

/** End of a session that its account requested. */
export interface SessionEnded {
  readonly type: 'session_ended'
  readonly ended: 'ended_by_account'
}

/** Changes of an account, except changes of the plan. */
export type AccountEvent =
  | { readonly type: 'password_set'; readonly passwordHash: string; readonly at: Instant }
  | { readonly type: 'account_disabled'; readonly at: Instant }
  | { readonly type: 'account_enabled' }
  | { readonly type: 'sign_in_code_drawn'; readonly hash: string; readonly expiresAt: Instant }
  | { readonly type: 'sign_in_code_used'; readonly by: string | null }
  | { readonly type: 'factor_begun'; readonly pending: PendingFactor }
  | { readonly type: 'factor_activated'; readonly factor: SecondFactor }
  | { readonly type: 'factor_removed' }
  | { readonly type: 'factor_sealed_anew'; readonly sealed: string }
  | { readonly type: 'code_used'; readonly stepAt: Instant }
  | { readonly type: 'recovery_code_used'; readonly hash: string }
  | { readonly type: 'code_wrong'; readonly at: Instant }
