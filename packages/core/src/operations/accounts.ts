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
  /** Makes an account on the default plan and logs it in (docs/http-api.md §2). Rejects with `VALIDATION_FAILED`, `EMAIL_TAKEN`. */
  register: operation({
    name: 'auth.register',
    callers: EVERYBODY,
    fields: ['email', 'password', 'name'],
    refusals: ['EMAIL_TAKEN'],
    run: register,
  }),

  /**
   * Starts another login chain; those that exist go on (docs/http-api.md §2). An unknown address and a wrong password get the same answer
   * after the same work. Rejects with `INVALID_LOGIN`.
   */
  login: operation({
    name: 'auth.login',
    callers: EVERYBODY,
    fields: ['email', 'password'],
    refusals: ['INVALID_LOGIN'],
    run: login,
  }),

  /**
   * Starts a session of an account without a password. The embedder has identified the person in another way: a one-time code, single sign-on.
   * Rejects with `INVALID_LOGIN` for an account that is not there or is disabled.
   */
  signIn: embedded({
    fields: ['accountId'],
    run: signIn,
  }),

  /**
   * Ends the session and answers its successor; of any number of refreshes at once exactly one wins, because ending it expects its
   * version. Rejects with `INVALID_SESSION_TOKEN`, `SESSION_EXPIRED`.
   */
  refresh: operation({
    name: 'auth.refresh',
    callers: SESSION,
    fields: ['sessionId'],
    run: refreshSession,
  }),

  /**
   * Ends the session; its token answers `INVALID_SESSION_TOKEN` from then on. Rejects with `INVALID_SESSION_TOKEN`, `SESSION_EXPIRED`.
   */
  logout: operation({
    name: 'auth.logout',
    callers: SESSION,
    fields: ['sessionId'],
    run: logout,
  }),

  /** The caller's own account. */
  get: operation({
    name: 'account.get',
    callers: SESSION,
    fields: ['accountId'],
    run: getAccount,
  }),

  /**
   * Creates an account for the operator, whether or not registration is open. On request it also creates the first project, both keys and a
   * queue, in the same commit. Rejects with `VALIDATION_FAILED`, `EMAIL_TAKEN`, `PLAN_LIMIT_EXCEEDED`.
   */
  create: embedded({
    fields: ['email', 'password', 'name', 'plan?', 'project?'],
    run: createAccount,
  }),

  /** A page of all accounts, oldest first. */
  list: embedded({
    fields: ['limit?', 'offset?'],
    run: listAccounts,
  }),

  /** Gives an account another password and ends its sessions; its keys go on. Rejects with `VALIDATION_FAILED`. */
  setPassword: embedded({
    fields: ['accountId', 'password'],
    run: setPassword,
  }),

  /**
   * Ends an account's sessions, and refuses its keys and logins, on every node from the answer on. Event streams, feeds and waits that
   * its keys opened end within a second, and its webhooks are sent nothing more. Game servers and their matches go on. Again changes
   * nothing.
   */
  disable: embedded({
    fields: ['accountId'],
    run: disableAccount,
  }),

  /** Takes it back: keys and the password work again; sessions from before stay dead. */
  enable: embedded({
    fields: ['accountId'],
    run: enableAccount,
  }),

  /**
   * Makes a code that signs in to an account once, within ten minutes and without its password, on every node that shares the storage.
   * One that was made before is good no longer; another password, and disabling the account, end it too.
   */
  drawSignInCode: embedded({
    fields: ['accountId'],
    run: drawSignInCode,
  }),

  /** The account that a code of `drawSignInCode` signs in to, for `signIn`, and uses the code up; undefined for any other code. */
  useSignInCode: embedded({
    fields: ['code', 'by?'],
    run: useSignInCode,
  }),
}

/** Accounts of developers and their login sessions. */
export type Accounts = CallsOf<typeof accounts>
