import type { CallOptions } from '../context/context'
import type { Page, PageRequest } from '../shared/page'
import type { AccountProfile } from '../use-cases/accounts/account-profile'
import type { CreateAccountInput, CreatedAccount } from '../use-cases/accounts/create-account'
import type { SignInCode } from '../use-cases/accounts/draw-sign-in-code'
import type { ListedAccount } from '../use-cases/accounts/list-accounts'
import type { LoginInput } from '../use-cases/accounts/login'
import type { OfSession } from '../use-cases/accounts/refresh-session'
import type { RegisterInput } from '../use-cases/accounts/register'
import type { SessionGrant } from '../use-cases/accounts/session-grant'
import type { SetPasswordInput } from '../use-cases/accounts/set-password'
import type { SignInInput } from '../use-cases/accounts/sign-in'
import type { UseSignInCodeInput } from '../use-cases/accounts/use-sign-in-code'

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
   * Starts a login chain of an account on the word of whoever calls, who has made sure in another way whose it is: a one-time code,
   * single sign-on. Throws INVALID_LOGIN for an account that is not there or is disabled.
   */
  signIn(input: SignInInput, call?: CallOptions): Promise<SessionGrant>

  /**
   * Ends the session and answers its successor; of any number of refreshes at once exactly one wins, because ending it
   * expects its version. Throws INVALID_SESSION_TOKEN, SESSION_EXPIRED.
   */
  refresh(input: OfSession, call?: CallOptions): Promise<SessionGrant>

  /** Ends the session; its token answers INVALID_SESSION_TOKEN from then on. Throws INVALID_SESSION_TOKEN, SESSION_EXPIRED. */
  logout(input: OfSession, call?: CallOptions): Promise<void>

  /** The caller's own account. */
  get(input: { readonly accountId: string }): Promise<AccountProfile>

  /**
   * Makes an account on the word of whoever runs the installation, whether or not registration is open; with it, where asked for, its
   * first project, both keys and a queue: all of it or nothing. Throws VALIDATION_FAILED, EMAIL_TAKEN, PLAN_LIMIT_EXCEEDED.
   */
  create(input: CreateAccountInput): Promise<CreatedAccount>

  /** A page of all accounts, oldest first. */
  list(input?: Partial<PageRequest>): Promise<Page<ListedAccount>>

  /** Gives an account another password and ends its sessions; its keys go on. Throws VALIDATION_FAILED. */
  setPassword(input: SetPasswordInput): Promise<void>

  /**
   * Ends an account's sessions, and refuses its keys and logins, on every node from the answer on. Event streams, feeds and waits that its
   * keys opened end within a second, and its webhooks are sent nothing more. Game servers and their matches go on. Again changes nothing.
   */
  disable(input: { readonly accountId: string }): Promise<void>

  /**
   * Makes a code that signs in to an account once, within ten minutes and without its password, on every node that shares the storage. One
   * that was made before is good no longer; another password, and disabling the account, end it too.
   */
  drawSignInCode(input: { readonly accountId: string }): Promise<SignInCode>

  /** The account that a code of `drawSignInCode` signs in to, for `signIn`, and uses the code up; undefined for any other code. */
  useSignInCode(input: UseSignInCodeInput): Promise<string | undefined>

  /** Takes it back: keys and the password work again; sessions from before stay dead. */
  enable(input: { readonly accountId: string }): Promise<void>
}
