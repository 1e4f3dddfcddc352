import { createAccount } from '../use-cases/accounts/create-account'
import { disableAccount, enableAccount } from '../use-cases/accounts/disable-account'
import { drawSignInCode } from '../use-cases/accounts/draw-sign-in-code'
import { getAccount } from '../use-cases/accounts/get-account'
import { listAccounts } from '../use-cases/accounts/list-accounts'
import { login } from '../use-cases/accounts/login'
import { logout } from '../use-cases/accounts/logout'
import { refreshSession } from '../use-cases/accounts/refresh-session'
import { register } from '../use-cases/accounts/register'
import { setPassword } from '../use-cases/accounts/set-password'
import { signIn } from '../use-cases/accounts/sign-in'
import { useSignInCode } from '../use-cases/accounts/use-sign-in-code'
import { EVERYBODY, SESSION } from './callers'
import { type CallsOf, embedded, operation } from './operation'

/** Accounts of developers and their login sessions. */
export const accounts = {
  /** Creates an account on the default plan and logs it in (docs/http-api.md §2). Rejects with `VALIDATION_FAILED`, `EMAIL_TAKEN`. */
  register: operation({
    name: 'auth.register',
    callers: EVERYBODY,
    fields: ['email', 'password', 'name'],
    refusals: ['EMAIL_TAKEN'],
    run: register,
  }),

  /**
   * Logs in with e-mail address and password, and opens a new session. Other sessions of the account stay valid (docs/http-api.md §2). An
   * unknown address and a wrong password get the same error after the same computation. With a second factor, the login needs a `code` too.
   * Rejects with `INVALID_LOGIN`, `SECOND_FACTOR_REQUIRED`, and with `RATE_LIMITED` after 5 wrong codes.
   */
  login: operation({
    name: 'auth.login',
    callers: EVERYBODY,
    fields: ['email', 'password', 'code?'],
    // Programs pass the input of a registration on.
    passedOver: ['name'],
    refusals: ['INVALID_LOGIN', 'SECOND_FACTOR_REQUIRED', 'RATE_LIMITED'],
    run: login,
  }),

  /**
   * Opens a session of an account without a password. The embedding application has identified the person in another way, for instance by a
   * one-time code or single sign-on, so the second factor of the account is not asked for. Rejects with `INVALID_LOGIN` when the account does not exist or is disabled.
   */
  signIn: embedded({
    fields: ['accountId'],
    run: signIn,
  }),

  /**
   * Ends the session and returns a new session in its place. When several calls refresh a session at the same time, exactly one succeeds,
   * because each expects the version of the session. Rejects with `INVALID_SESSION_TOKEN`, `SESSION_EXPIRED`.
   */
  refresh: operation({
    name: 'auth.refresh',
    callers: SESSION,
    fields: ['sessionId'],
    run: refreshSession,
  }),

  /**
   * Ends the session. Later calls with the token of the session are rejected with `INVALID_SESSION_TOKEN`. Rejects with
   * `INVALID_SESSION_TOKEN`, `SESSION_EXPIRED`.
   */
  logout: operation({
    name: 'auth.logout',
    callers: SESSION,
    fields: ['sessionId'],
    run: logout,
  }),

  /** Returns the caller's own account. */
  get: operation({
    name: 'account.get',
    callers: SESSION,
    fields: ['accountId'],
    run: getAccount,
  }),

  /**
   * Creates an account for the operator, even when registration is closed. With `project` it also creates the first project, its client key
   * and server key, and a queue, in the same commit. Rejects with `VALIDATION_FAILED`, `EMAIL_TAKEN`, `PLAN_LIMIT_EXCEEDED`.
   */
  create: embedded({
    fields: ['email', 'password', 'name', 'plan?', 'operator?', 'guest?', 'project?'],
    audit: 'always',
    run: createAccount,
  }),

  /** Returns a page of all accounts, oldest first. */
  list: embedded({
    fields: ['limit?', 'offset?'],
    run: listAccounts,
  }),

  /** Sets a new password of an account and ends the sessions of the account. Its API keys stay valid. Rejects with `VALIDATION_FAILED`. */
  setPassword: embedded({
    fields: ['accountId', 'password'],
    audit: 'always',
    run: setPassword,
  }),

  /**
   * Disables an account. Its sessions end, and its API keys and logins are refused on every node once the call has resolved. Event streams,
   * feeds and waiting calls that its keys opened end within a second. Its webhooks receive no more messages. Its game servers and their
   * matches continue. The call can be repeated.
   */
  disable: embedded({
    fields: ['accountId'],
    audit: 'always',
    run: disableAccount,
  }),

  /** Enables a disabled account again: its API keys and its password are accepted. Sessions that ended when it was disabled stay ended. */
  enable: embedded({
    fields: ['accountId'],
    audit: 'always',
    run: enableAccount,
  }),

  /**
   * Creates a code by which a person can log in to an account without its password. The code works once, for ten minutes, on every node
   * that shares the storage, also for an account with a second factor, because the operator vouches for the person. An earlier code becomes invalid when a new code is created, a new password is set, or the account is disabled.
   */
  drawSignInCode: embedded({
    fields: ['accountId'],
    audit: 'always',
    run: drawSignInCode,
  }),

  /**
   * Returns the account id that belongs to a code of `drawSignInCode`, and makes the code invalid for other requests. Pass the id to
   * `signIn`. Returns undefined for any other code.
   */
  useSignInCode: embedded({
    fields: ['code', 'by?'],
    run: useSignInCode,
  }),
}

/**
 * Accounts of developers and their login sessions.
 *
 * @interface
 */
export type Accounts = CallsOf<typeof accounts>
