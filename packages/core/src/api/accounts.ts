import type { CallOptions } from '../context/context'
import type { AccountProfile } from '../use-cases/accounts/account-profile'
import type { LoginInput } from '../use-cases/accounts/login'
import type { OfSession } from '../use-cases/accounts/refresh-session'
import type { RegisterInput } from '../use-cases/accounts/register'
import type { SessionGrant } from '../use-cases/accounts/session-grant'

/** Accounts of developers and their login sessions. */
export interface Accounts {
  /** Makes an account on the default plan and logs it in (docs/http-api.md §2). Throws VALIDATION_FAILED, EMAIL_TAKEN. */
  register(input: RegisterInput, call?: CallOptions): Promise<SessionGrant>

  /**
   * Starts another login chain; those that exist go on (docs/http-api.md §2). An unknown address and a wrong password get the same
   * answer after the same work. Throws INVALID_LOGIN.
   */
  login(input: LoginInput, call?: CallOptions): Promise<SessionGrant>

  /**
   * Ends the session and answers its successor; of any number of refreshes at once exactly one wins, because ending it
   * expects its version. Throws INVALID_SESSION_TOKEN, SESSION_EXPIRED.
   */
  refresh(input: OfSession, call?: CallOptions): Promise<SessionGrant>

  /** Ends the session; its token answers INVALID_SESSION_TOKEN from then on. Throws INVALID_SESSION_TOKEN, SESSION_EXPIRED. */
  logout(input: OfSession, call?: CallOptions): Promise<void>

  /** The caller's own account. */
  get(input: { readonly accountId: string }): Promise<AccountProfile>
}
