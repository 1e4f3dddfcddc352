import {
  activateSecondFactor,
  beginSecondFactor,
  getSecondFactor,
  removeSecondFactor,
  resetSecondFactor,
} from '../use-cases/accounts/second-factor'
import { SESSION } from './callers'
import { type CallsOf, embedded, operation } from './operation'

/** Second factor of an account: codes of an authenticator (TOTP) that a login by password needs, and recovery codes. */
export const secondFactor = {
  /** Returns the state of the second factor. */
  get: operation({
    callers: SESSION,
    fields: ['accountId'],
    run: getSecondFactor,
  }),

  /**
   * Begins a second factor, and returns its secret. Only this call returns the secret. The factor is not active until it is activated, within an
   * hour; a repeated begin replaces the secret. Rejects with `SECOND_FACTOR_REFUSED` for a wrong password, with `SECOND_FACTOR_STATE` while
   * a factor is active.
   */
  begin: operation({
    callers: SESSION,
    fields: ['accountId', 'password'],
    refusals: ['SECOND_FACTOR_REFUSED', 'SECOND_FACTOR_STATE'],
    audit: 'always',
    run: beginSecondFactor,
  }),

  /**
   * Activates the second factor that was begun, and returns 10 recovery codes. Only this call returns them. Other sessions of the account stay
   * valid. Rejects with `SECOND_FACTOR_REFUSED` for a wrong code, with `SECOND_FACTOR_STATE`.
   */
  activate: operation({
    callers: SESSION,
    fields: ['accountId', 'code'],
    refusals: ['SECOND_FACTOR_REFUSED', 'SECOND_FACTOR_STATE'],
    audit: 'always',
    run: activateSecondFactor,
  }),

  /**
   * Removes the second factor, with a code of the authenticator or a recovery code. Rejects with `SECOND_FACTOR_REFUSED` for a wrong code, with
   * `SECOND_FACTOR_STATE` without a second factor, with `RATE_LIMITED` after 5 wrong codes.
   */
  remove: operation({
    callers: SESSION,
    fields: ['accountId', 'code'],
    refusals: ['SECOND_FACTOR_REFUSED', 'SECOND_FACTOR_STATE', 'RATE_LIMITED'],
    audit: 'always',
    run: removeSecondFactor,
  }),

  /** Removes the second factor of an account without a code, for the operator. The sessions of the account stay valid. */
  reset: embedded({
    fields: ['accountId'],
    audit: 'always',
    run: resetSecondFactor,
  }),
}

/**
 * Second factor of an account: codes of an authenticator (TOTP) that a login by password needs, and recovery codes.
 *
 * @interface
 */
export type SecondFactorCalls = CallsOf<typeof secondFactor>
