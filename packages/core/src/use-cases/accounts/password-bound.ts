import { PASSWORD_LENGTH } from '../../catalog/limits'

/**
 * Cuts a password that is too long to one character more than allowed. It still cannot match, and its hash takes no longer than that of
 * other passwords.
 */
export const boundedPassword = (password: string): string =>
  [...password.slice(0, 2 * PASSWORD_LENGTH.max + 2)].slice(0, PASSWORD_LENGTH.max + 1).join('')
